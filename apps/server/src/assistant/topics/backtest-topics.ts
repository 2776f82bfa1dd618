import { Problem } from '@tradewright/core/problem'
import { NO_COMMON_PERIOD } from '../../backtests/common-period.ts'
import type { Topic } from '../area.ts'
import type { Caller } from '../tool.ts'
import type { BacktestTools } from '../tools/backtest-tools.ts'
import {
  dataWords,
  date,
  fallbackNote,
  paragraphs,
  percent,
  plain,
  ratio,
  signedPercent,
  SYNTHETIC_NOTE,
  table,
} from '../words.ts'
import { backtestWords, studioLink } from './backtest-words.ts'
import { namedIn } from './named-items.ts'

type Tools = Pick<BacktestTools, 'listBacktests' | 'getBacktest' | 'compareBacktests'>

type Listed = Awaited<ReturnType<Tools['listBacktests']['run']>>['backtests'][number]

const NO_BACKTESTS =
  'You have no saved backtests yet. Run one in the [Backtest Studio](/backtest) and press Save above the result.'
const MAX_ROWS = 10

export function backtestTopics(tools: Tools): Topic[] {
  return [
    {
      example: 'Compare my last two backtests',
      matches: (words) => /\b(compare|versus|vs)\b|difference between/.test(words),
      answer: (caller, question) => compare(tools, caller, question),
    },
    {
      example: 'Explain my latest backtest',
      matches: (words) =>
        /\b(explain|analy[sz]e|review|tell me about|how did|latest|last)\b/.test(words) &&
        /backtest|\brun\b/.test(words),
      answer: (caller, question) => explain(tools, caller, question),
    },
    {
      example: 'List my backtests',
      matches: (words) => /\b(list|show|which|my|have)\b.*backtests/.test(words),
      answer: (caller) => listing(tools, caller),
    },
  ]
}

async function explain(tools: Tools, caller: Caller, question: string): Promise<string> {
  const { backtests } = await tools.listBacktests.run(caller, {})
  const chosen = mentioned(question, backtests)[0] ?? backtests[0]
  if (!chosen) return NO_BACKTESTS
  return backtestWords(chosen.name, await tools.getBacktest.run(caller, chosen), studioLink(chosen))
}

/** Backtests that the question names by their own name, or by that of their strategy, whose newest one is meant. */
function mentioned(question: string, backtests: readonly Listed[]): Listed[] {
  const named = namedIn(question, backtests)
  if (named.length > 0) return named
  const newest = [...Map.groupBy(backtests, ({ strategy }) => strategy).values()].map(([first]) => first!)
  const strategies = namedIn(
    question,
    newest.map((backtest) => ({ name: backtest.strategy, backtest })),
  )
  return strategies.map(({ backtest }) => backtest)
}

async function compare(tools: Tools, caller: Caller, question: string): Promise<string> {
  const { backtests } = await tools.listBacktests.run(caller, {})
  const named = mentioned(question, backtests)
  const [first, second] = [...named, ...backtests.filter((one) => !named.includes(one))]
  if (!first || !second)
    return backtests.length === 0 ? NO_BACKTESTS : 'A comparison needs two saved backtests; you have one.'
  try {
    const ids = [first.backtest_id, second.backtest_id]
    return comparisonWords([first, second], await tools.compareBacktests.run(caller, { backtest_ids: ids }))
  } catch (error) {
    // The refusal's sentence says which of them ends before the other begins.
    if (error instanceof Problem && error.code === NO_COMMON_PERIOD) return error.message
    throw error
  }
}

type Comparison = Awaited<ReturnType<Tools['compareBacktests']['run']>>

function comparisonWords(asked: readonly [Listed, Listed], { from, to, backtests }: Comparison): string {
  const [a, b] = backtests
  if (!a || !b) throw new Error('a comparison of two has two')
  const isCut = [a, b].some(({ own_from, own_to }) => own_from !== from || own_to !== to)
  return paragraphs(
    `Compared from ${date(from)} to ${date(to)}${isCut ? ', the days that both have; every figure is for this period' : ''}.`,
    table(
      ['Figure', plain(a.name), plain(b.name)],
      [
        ['Own period', `${date(a.own_from)} – ${date(a.own_to)}`, `${date(b.own_from)} – ${date(b.own_to)}`],
        ['CAGR', signedPercent(a.cagr), signedPercent(b.cagr)],
        ['Total return', signedPercent(a.total_return), signedPercent(b.total_return)],
        ['Sharpe', ratio(a.sharpe), ratio(b.sharpe)],
        ['Volatility', percent(a.volatility), percent(b.volatility)],
        ['Max drawdown', signedPercent(a.max_drawdown.depth), signedPercent(b.max_drawdown.depth)],
        ['Data', dataWords(a), dataWords(b)],
      ],
    ),
    verdict(a.name, a.sharpe, b.name, b.sharpe),
    (a.synthetic || b.synthetic) && SYNTHETIC_NOTE,
    fallbackNote([...a.fallback_prices, ...b.fallback_prices]),
    `In the Backtest Studio: ${asked.map((one) => studioLink(one, one.name)).join(', ')}`,
  )
}

function verdict(first: string, a: number | null, second: string, b: number | null): string {
  if (a === null || b === null || ratio(a) === ratio(b)) return ''
  const [better, more, less] = a > b ? [first, a, b] : [second, b, a]
  return `For the risk taken, **${plain(better)}** earned more: a Sharpe ratio of ${ratio(more)} against ${ratio(less)}.`
}

async function listing(tools: Tools, caller: Caller): Promise<string> {
  const { backtests, total } = await tools.listBacktests.run(caller, {})
  if (total === 0) return NO_BACKTESTS
  return paragraphs(
    table(
      ['Backtest', 'Strategy', 'Saved'],
      backtests.slice(0, MAX_ROWS).map(({ name, strategy, created }) => [plain(name), plain(strategy), date(created)]),
    ),
    total > MAX_ROWS && `The newest ${MAX_ROWS} of ${total}.`,
  )
}
