import type { BacktestFacts } from '../tools/backtest-facts.ts'
import {
  chart,
  count,
  date,
  money,
  paragraphs,
  percent,
  plain,
  pValue,
  ratio,
  signedPercent,
  SYNTHETIC_NOTE,
  table,
} from '../words.ts'

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
