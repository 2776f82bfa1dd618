import type { QuickAction, Topic } from '../area.ts'
import { actionTag } from '../action-tags.ts'
import type { BacktestTools } from '../tools/backtest-tools.ts'
import type { StrategyTools } from '../tools/strategy-tools.ts'
import type { Caller } from '../tool.ts'
import { dataWords, fallbackNote, paragraphs, plain, ratio, signedPercent, SYNTHETIC_NOTE, table } from '../words.ts'
import { backtestWords, studioLink } from './backtest-words.ts'
import { namedIn } from './named-items.ts'

type Tools = Pick<StrategyTools, 'listStrategies'> & Pick<BacktestTools, 'getBacktest'>
type Listed = Awaited<ReturnType<StrategyTools['listStrategies']['run']>>['strategies'][number]

const NO_STRATEGIES =
  'You have no saved strategies yet. Run one in the [Backtest Studio](/backtest) and press Save above the result.'
const MAX_ROWS = 10
const MAX_BUTTONS = 4

export function strategyTopics(tools: Tools): { topics: Topic[]; analyze: QuickAction } {
  const list = async (caller: Caller) => (await tools.listStrategies.run(caller, {})).strategies
  return {
    topics: [
      {
        example: 'What is my best strategy?',
        matches: (words) => /\b(best|top|strongest|rank)/.test(words) && /strateg/.test(words),
        answer: async (caller) => best(await list(caller)),
      },
      {
        example: 'Analyze my strategy “…”',
        matches: (words) =>
          (/\b(analy[sz]e|explain|review|tell me about)\b/.test(words) && /strateg/.test(words)) ||
          /\bwhat (?:does|would|did) my strategy\b.*\b(?:do|hold|held|earn|work)\b/.test(words),
        answer: async (caller, question) => analysis(tools, caller, question, await list(caller)),
      },
      {
        example: 'List my strategies',
        matches: (words) => /\b(list|show|which|what|my|have)\b.*strategies\b/.test(words) && !/^why\b/.test(words),
        answer: async (caller) => listing(await list(caller)),
      },
    ],
    analyze: {
      type: 'analyze_strategy',
      label: 'Analyze Strategy',
      prompt:
        'Analyze my best strategy that has a saved backtest: what it earned, at what risk, what its checks say, what I should doubt. Then name the others I could look at.',
      answer: async (caller) => analysis(tools, caller, '', await list(caller)),
    },
  }
}

function best(strategies: readonly Listed[]): string {
  const tested = strategies.filter(({ latest_backtest }) => latest_backtest)
  if (strategies.length === 0) return NO_STRATEGIES
  if (tested.length === 0) return untested(strategies)
  const [first] = tested
  return paragraphs(
    `By CAGR of its latest saved backtest, your best strategy is **${plain(first!.name)}** with **${signedPercent(first!.latest_backtest!.cagr)}** a year.`,
    ranking(tested),
    tested.some(({ latest_backtest }) => latest_backtest!.synthetic) && SYNTHETIC_NOTE,
    fallbackNote(shown(tested).flatMap(({ latest_backtest }) => latest_backtest!.fallback_prices)),
    'The periods may differ: compare the backtests themselves before you choose. [All strategies](/strategies)',
  )
}

const untested = (strategies: readonly Listed[]): string =>
  `None of your ${strategies.length} strategies has a saved backtest, so there is nothing to rank. Run one in the [Backtest Studio](/backtest) and press Save above the result.`

const ranking = (strategies: readonly Listed[]): string =>
  table(
    ['Strategy', 'CAGR', 'Sharpe', 'Total return', 'Max drawdown', 'Data'],
    shown(strategies).map(({ name, latest_backtest: latest }) => [
      plain(name),
      signedPercent(latest?.cagr),
      ratio(latest?.sharpe),
      signedPercent(latest?.total_return),
      signedPercent(latest?.max_drawdown),
      latest ? dataWords(latest) : 'no backtest',
    ]),
  )

const shown = (strategies: readonly Listed[]) => strategies.slice(0, MAX_ROWS)

function listing(strategies: readonly Listed[]): string {
  if (strategies.length === 0) return NO_STRATEGIES
  const more = strategies.length > MAX_ROWS ? `The first ${MAX_ROWS} of ${strategies.length}. ` : ''
  const fallbacks = shown(strategies).flatMap(({ latest_backtest: latest }) => latest?.fallback_prices ?? [])
  return paragraphs(ranking(strategies), fallbackNote(fallbacks), `${more}[All strategies](/strategies)`)
}

/** The one that the question names, else the best; buttons lead to the others. */
async function analysis(
  tools: Tools,
  caller: Caller,
  question: string,
  strategies: readonly Listed[],
): Promise<string> {
  if (strategies.length === 0) return NO_STRATEGIES
  const [named] = namedIn(question, strategies)
  const chosen = named ?? strategies.find(({ latest_backtest }) => latest_backtest)
  if (!chosen) return untested(strategies)
  const others = strategies.filter((one) => one !== chosen && one.latest_backtest).slice(0, MAX_BUTTONS)
  const latest = chosen.latest_backtest
  return paragraphs(
    latest
      ? backtestWords(chosen.name, await tools.getBacktest.run(caller, latest), studioLink({ ...chosen, ...latest }))
      : `**${plain(chosen.name)}** has no saved backtest yet. Open it from [Strategies](/strategies), run it, and save the result.`,
    others.map(({ name }) => actionTag({ label: `Analyze strategy “${name}”`, type: 'ask' })).join('\n'),
  )
}
