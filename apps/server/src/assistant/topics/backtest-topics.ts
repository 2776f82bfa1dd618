import { Problem } from '@tradewright/core/problem'
import { NO_COMMON_PERIOD } from '../../backtests/common-period.ts'
import type { Topic, Caller } from '../action.ts'
import type { BacktestTools, BacktestFacts } from '../tools/backtest-tools.ts'
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
  chart,
  count,
  money,
  pValue,
} from '../words.ts'

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

/** A run told in words: the headline, the figures, the checks and what to know about them. */
export function backtestWords(name: string, facts: BacktestFacts, link?: string): string {
  return paragraphs(
    headline(name, facts),
    facts.synthetic && SYNTHETIC_NOTE,
    figures(facts),
    facts.curve.length > 1 &&
      chart({ title: `Account value of ${name}`, unit: 'usd', points: facts.curve, synthetic: facts.synthetic }),
    facts.ml ? mlWords(facts.ml) : undefined,
    facts.rules ? rulesWords(facts.rules) : undefined,
    facts.notes.map((note) => `- ${plain(note)}`).join('\n'),
    link,
  )
}

/** A link to the screen that shows a saved run in full. */
export const studioLink = (
  { strategy_id, backtest_id }: { strategy_id: number | null; backtest_id: number },
  words = 'Open in the Backtest Studio',
): string =>
  `[${plain(words)}](/backtest?${strategy_id === null ? '' : `strategy_id=${strategy_id}&`}backtest_id=${backtest_id})`

function headline(name: string, facts: BacktestFacts): string {
  const { depth, from, lowest, recovered } = facts.max_drawdown
  const back = recovered === null ? 'not recovered by the end' : `recovered by ${date(recovered)}`
  const fall =
    depth < 0 ? ` Its deepest fall was ${signedPercent(depth)}, from ${date(from)} to ${date(lowest)}, ${back}.` : ''
  const late =
    facts.limiting_ticker && facts.actual_start_date > facts.start_date
      ? ` It begins on ${date(facts.actual_start_date)}, because ${plain(facts.limiting_ticker)} has no earlier prices.`
      : ''
  return `**${plain(name)}** (${facts.strategy_type}) turned ${money(facts.start_value)}${paidIn(facts)} into ${money(facts.end_value)} ${facts.ml ? 'in its test windows ' : ''}from ${period(facts, ' to ')}: **${signedPercent(facts.cagr)} a year**, ${signedPercent(facts.total_return)} in total.${fall}${late}`
}

/** The tested days: the training days of an ML strategy are not among them. */
const period = ({ tested_from, tested_to, start_date, end_date }: BacktestFacts, between = ' – '): string =>
  `${date(tested_from ?? start_date)}${between}${date(tested_to ?? end_date)}`

function paidIn({ cashflow, cashflow_frequency, cashflow_kind }: BacktestFacts): string {
  if (cashflow === 0) return ''
  const every = { yearly: 'a year', monthly: 'a month', quarterly: 'a quarter' }[cashflow_frequency]
  const amount = cashflow_kind === 'percent' ? `${Math.abs(cashflow)}% of the balance` : money(Math.abs(cashflow))
  const growing = cashflow_kind === 'inflation' ? ' in dollars of the start' : ''
  return `, with ${amount} ${every}${growing} ${cashflow > 0 ? 'paid in' : 'taken out'},`
}

function figures(facts: BacktestFacts): string {
  const { reference } = facts
  const row = (label: string, own: string, other: string | undefined) =>
    other === undefined ? [label, own] : [label, own, other]
  return table(reference ? ['Figure', 'Strategy', plain(reference.ticker)] : ['Figure', 'Strategy'], [
    row('CAGR', signedPercent(facts.cagr), reference ? signedPercent(reference.cagr) : undefined),
    row('Sharpe', ratio(facts.sharpe), reference ? ratio(reference.sharpe) : undefined),
    row('Volatility', percent(facts.volatility), reference ? percent(reference.volatility) : undefined),
    row(
      'Max drawdown',
      signedPercent(facts.max_drawdown.depth),
      reference ? signedPercent(reference.max_drawdown.depth) : undefined,
    ),
    row('Trades', count(facts.number_of_trades), reference ? '' : undefined),
    row('Fees', money(facts.fees), reference ? '' : undefined),
  ])
}

/** The usual level: forecasts that know nothing come out below it one time in twenty. */
const SIGNIFICANT = 0.05

const significanceWords = (p: number): string =>
  ` Uninformed forecasts ${p < SIGNIFICANT ? 'rarely' : 'often'} do as well (p ${p < 0.001 ? '' : '= '}${pValue(p)}).`

const naiveWords = (accuracy: number | null): string =>
  accuracy === null ? '' : ` The level of volatility alone would have been right in ${percent(accuracy)}.`

function rulesWords(rules: NonNullable<BacktestFacts['rules']>): string {
  const held = rules.held_after_it.map(({ ticker, weight }) => `${percent(weight)} ${plain(ticker)}`).join(', ')
  const last =
    rules.last_check === null ? '' : ` After the last one, on ${date(rules.last_check)}, it held ${held || 'cash'}.`
  const blind = rules.no_decision_sees_the_future ? 'do not see' : '**see**'
  return paragraphs(
    `Its rules: ${plain(rules.reading.map((line) => line.trim()).join(' '))}`,
    `${count(rules.checks_with_trades)} of ${count(rules.checks)} checks traded.${last} Its decisions ${blind} the future.`,
  )
}

function mlWords(ml: NonNullable<BacktestFacts['ml']>): string {
  const luck = ml.p_value === null ? '' : significanceWords(ml.p_value)
  const edge = `It was right in ${percent(ml.accuracy)} of the test rows; always predicting the more frequent label would have been right in ${percent(ml.base_rate)}.${naiveWords(ml.naive_accuracy)}${luck}`
  const { no_feature_sees_the_future: blind, shuffled_labels_lose_their_accuracy: shuffled } = ml.honesty
  const checks = `Honesty checks: features ${blind ? 'do not see' : '**see**'} the future; with shuffled labels ${shuffled ? 'no edge remains, as expected' : '**an edge remains, which points to a leak**'}.`
  const [first] = ml.features
  const strongest =
    first && first.importance !== null
      ? `The strongest feature is ${plain(first.feature)}, with ${percent(first.importance)} of the importance.`
      : ''
  return paragraphs(edge, checks, strongest)
}

/** Items whose name the question holds, longer names first, each once. */
export function namedIn<Item extends { readonly name: string }>(question: string, items: readonly Item[]): Item[] {
  let rest = question.toLowerCase()
  const found: Item[] = []
  for (const item of [...items].sort((a, b) => b.name.length - a.name.length)) {
    const name = item.name.toLowerCase()
    if (name === '' || !rest.includes(name)) continue
    found.push(item)
    rest = rest.replace(name, ' ')
  }
  const place = ({ name }: Item) => question.toLowerCase().indexOf(name.toLowerCase())
  return found.sort((a, b) => place(a) - place(b))
}
