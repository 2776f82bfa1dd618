/**
 * Every metric of a backtest, described once: the schema of the contract, the answers of the server, the panel and the
 * comparison of the screen are made from this list, in its order. The engine computes each one under its key
 * (`engine/backtest/metrics.ts`). See docs/recipes/add-a-metric.md.
 */
export interface MetricEntry {
  /** In the engine and in saved results: never changed. The contract writes it in snake case. */
  readonly key: string
  /** Where the contract's name is another one. */
  readonly wireKey?: string
  readonly label: string
  /**
   * `curve`: of the growth of one dollar, so that walk-forward windows, references and compared backtests have it too.
   * `run`: of the whole run with its fills. `account`: of dated cash flows and values in dollars.
   */
  readonly of: 'curve' | 'run' | 'account'
  /** `figure`: a number, or the reason why there is none. A new metric is one, since earlier results do not have it. */
  readonly value: 'figure' | 'number' | 'count' | 'drawdown' | 'day' | 'month' | 'year' | 'month ends'
  readonly unit: 'percent' | 'signed percent' | 'ratio' | 'times' | 'dollars' | 'count' | 'days'
  /** The part of a result that shows it. `reference`: of the strategy against the reference. */
  readonly group: 'return' | 'risk' | 'reference' | 'trading'
  /** Stands under the value. */
  readonly note?: string
  /** How it is computed, in words that let a reader repeat it. docs/method.md has the same words with the source. */
  readonly how: string
  /** Among the few large figures above the chart, whose places are fixed. Other metrics are on the panel "Figures". */
  readonly isHeadline?: true
  /** Which of two values is the better one; left out where neither is. A fall is written with its minus. */
  readonly better?: 'higher' | 'lower'
  /** A column of the comparison of backtests; `wide`: on wide screens, after the others. */
  readonly compared?: 'always' | 'wide'
}

const metricCatalogue = [
  {
    key: 'cagr',
    label: 'CAGR',
    of: 'curve',
    value: 'figure',
    unit: 'signed percent',
    group: 'return',
    better: 'higher',
    how:
      'The final value of one dollar invested, raised to the power of 365.25 divided by the number of days in the period, ' +
      'minus 1. Deposits and withdrawals are excluded by compounding the returns between them.',
    isHeadline: true,
    compared: 'always',
  },
  {
    key: 'sharpe',
    label: 'Sharpe',
    of: 'curve',
    value: 'figure',
    unit: 'ratio',
    group: 'return',
    better: 'higher',
    how:
      'The mean of the bar returns in excess of the risk-free return, divided by their sample standard deviation, ' +
      'times the square root of the number of bars in a year (252 on an exchange’s calendar, 365 for markets that ' +
      'never close, times the number of bars in a day; 52, 12, 4 or 1 of prices that are weeks, months, quarters or years ' +
      'apart).',
    isHeadline: true,
    compared: 'always',
  },
  {
    key: 'endValue',
    label: 'End value',
    of: 'account',
    value: 'number',
    unit: 'dollars',
    group: 'return',
    how: 'Cash and positions at the last close, after all costs.',
    isHeadline: true,
  },
  {
    key: 'totalReturn',
    label: 'Total return',
    of: 'curve',
    value: 'number',
    unit: 'signed percent',
    group: 'return',
    better: 'higher',
    note: 'Growth of one dollar',
    how: 'The final value of one dollar invested for the whole period, minus 1, excluding cash flows.',
  },
  {
    key: 'moneyWeightedReturn',
    label: 'Money-weighted return',
    of: 'account',
    value: 'figure',
    unit: 'signed percent',
    group: 'return',
    note: 'With cash flows; a year from one year on',
    how:
      'The yearly rate at which the start value, all cash flows and the end value, discounted, add up to zero ' +
      '(XIRR); of a period shorter than a year, the return of that period. Unlike CAGR, it depends on the timing of cash flows.',
  },
  {
    key: 'volatility',
    label: 'Volatility',
    of: 'curve',
    value: 'figure',
    unit: 'percent',
    group: 'return',
    better: 'lower',
    note: 'Yearly',
    how: 'The sample standard deviation of the bar returns, times the square root of the number of bars in a year.',
    compared: 'wide',
  },
  {
    key: 'sortino',
    label: 'Sortino',
    of: 'curve',
    value: 'figure',
    unit: 'ratio',
    group: 'return',
    better: 'higher',
    note: 'Excess return divided by downside deviation',
    how: 'Like Sharpe, but divided by the downside deviation: only returns below the risk-free rate count as risk.',
  },
  {
    key: 'calmar',
    label: 'Calmar',
    of: 'curve',
    value: 'figure',
    unit: 'ratio',
    group: 'return',
    better: 'higher',
    note: 'CAGR divided by max drawdown',
    how: 'CAGR divided by the depth of the deepest drawdown.',
  },
  {
    key: 'maxDrawdown',
    label: 'Max drawdown',
    of: 'curve',
    value: 'drawdown',
    unit: 'percent',
    group: 'risk',
    better: 'higher',
    how: 'The largest decline of one dollar invested from any earlier high, including the start. Cash flows are excluded.',
    compared: 'always',
  },
  {
    key: 'ulcerIndex',
    label: 'Ulcer index',
    of: 'curve',
    value: 'figure',
    unit: 'percent',
    group: 'risk',
    better: 'lower',
    note: 'Depth and length of drawdowns',
    how: 'The square root of the mean, over all bars, of the squared depth below the highest value so far.',
    compared: 'wide',
  },
  {
    key: 'martin',
    label: 'Martin ratio',
    of: 'curve',
    value: 'figure',
    unit: 'ratio',
    group: 'risk',
    better: 'higher',
    note: 'Excess return divided by Ulcer index',
    how: 'CAGR minus the risk-free return per year, divided by the Ulcer index.',
  },
  {
    key: 'painIndex',
    label: 'Pain index',
    of: 'curve',
    value: 'figure',
    unit: 'percent',
    group: 'risk',
    note: 'Mean depth below the last high',
    how: 'The mean, over all bars, of the depth below the highest value so far; a bar at a high counts as zero.',
  },
  {
    key: 'longestDrawdown',
    label: 'Longest drawdown',
    of: 'curve',
    value: 'figure',
    unit: 'days',
    group: 'risk',
    better: 'lower',
    how:
      'The largest number of calendar days from a high of one dollar invested until that high was reached again, or ' +
      'until the end of the period.',
  },
  {
    key: 'valueAtRisk',
    label: 'Value at risk, 95%',
    of: 'curve',
    value: 'figure',
    unit: 'signed percent',
    group: 'risk',
    better: 'higher',
    note: 'One bar in twenty is worse',
    how:
      'The return below which 5% of the bar returns fall: their 5th percentile, interpolated between the two ' +
      'nearest values. No assumption is made about their distribution.',
  },
  {
    key: 'conditionalValueAtRisk',
    label: 'Expected shortfall, 95%',
    of: 'curve',
    value: 'figure',
    unit: 'signed percent',
    group: 'risk',
    better: 'higher',
    note: 'Mean of the worst 5% of bars (CVaR)',
    how: 'The mean of the bar returns at or below the value at risk, also called CVaR.',
  },
  {
    key: 'skewness',
    label: 'Skewness',
    of: 'curve',
    value: 'figure',
    unit: 'ratio',
    group: 'risk',
    how:
      'The third central moment of the bar returns divided by the cube of their standard deviation, both without ' +
      'sample correction. Negative: large losses are more likely than large gains.',
  },
  {
    key: 'kurtosis',
    label: 'Excess kurtosis',
    of: 'curve',
    value: 'figure',
    unit: 'ratio',
    group: 'risk',
    how:
      'The fourth central moment of the bar returns divided by the square of their variance, both without sample ' +
      'correction, minus 3, the value of a normal distribution. Positive: extreme returns are more likely than in a ' +
      'normal distribution.',
  },
  {
    key: 'tailRatio',
    label: 'Tail ratio',
    of: 'curve',
    value: 'figure',
    unit: 'ratio',
    group: 'risk',
    how:
      'The 95th percentile of the bar returns divided by the 5th, in absolute values. Above 1, the best bars are ' +
      'larger than the worst.',
  },
  {
    key: 'omega',
    label: 'Omega',
    of: 'curve',
    value: 'figure',
    unit: 'ratio',
    group: 'risk',
    better: 'higher',
    how:
      'The sum of all positive bar returns divided by the absolute value of the sum of all negative ones; that is, ' +
      'the threshold is zero.',
  },
  {
    key: 'gainToPain',
    label: 'Gain to pain',
    of: 'curve',
    value: 'figure',
    unit: 'ratio',
    group: 'risk',
    better: 'higher',
    note: 'Of calendar months',
    how: 'The sum of all calendar-month returns divided by the absolute value of the sum of the negative ones.',
  },
  {
    key: 'bestDay',
    label: 'Best day',
    of: 'run',
    value: 'day',
    unit: 'signed percent',
    group: 'return',
    how: 'The highest return of any trading day, from close to close.',
  },
  {
    key: 'worstDay',
    label: 'Worst day',
    of: 'run',
    value: 'day',
    unit: 'signed percent',
    group: 'return',
    how: 'The lowest return of any trading day, from close to close.',
  },
  {
    key: 'bestMonth',
    label: 'Best month',
    of: 'run',
    value: 'month',
    unit: 'signed percent',
    group: 'return',
    how: 'The highest return of any calendar month in the period; the first and last may be partial months.',
  },
  {
    key: 'worstMonth',
    label: 'Worst month',
    of: 'run',
    value: 'month',
    unit: 'signed percent',
    group: 'return',
    how: 'The lowest return of any calendar month in the period; the first and last may be partial months.',
  },
  {
    key: 'bestYear',
    label: 'Best year',
    of: 'run',
    value: 'year',
    unit: 'signed percent',
    group: 'return',
    how: 'The highest return of any calendar year in the period; the first and last may be partial years.',
  },
  {
    key: 'worstYear',
    label: 'Worst year',
    of: 'run',
    value: 'year',
    unit: 'signed percent',
    group: 'return',
    how: 'The lowest return of any calendar year in the period; the first and last may be partial years.',
  },
  {
    key: 'monthEnd',
    label: 'Month-end figures',
    of: 'run',
    value: 'month ends',
    unit: 'percent',
    group: 'risk',
    how:
      'Computed from month-end values only, as in most published tables of portfolios: standard deviations of ' +
      'monthly returns times the square root of 12, and the largest decline between month ends. Compare these with ' +
      'such tables, not the figures computed from bars.',
  },
  {
    key: 'alpha',
    label: 'Alpha',
    of: 'run',
    value: 'figure',
    unit: 'signed percent',
    group: 'reference',
    note: 'Yearly',
    how:
      'The intercept of the least-squares regression of the bar returns on those of the reference, both in excess ' +
      'of the risk-free return, times the number of bars in a year.',
  },
  {
    key: 'beta',
    label: 'Beta',
    of: 'run',
    value: 'figure',
    unit: 'ratio',
    group: 'reference',
    how:
      'The slope of the least-squares regression of the bar returns on those of the reference, both in excess of ' +
      'the risk-free return.',
  },
  {
    key: 'correlation',
    label: 'Correlation',
    of: 'run',
    value: 'figure',
    unit: 'ratio',
    group: 'reference',
    how: 'The correlation of the bar returns with those of the reference, both in excess of the risk-free return.',
  },
  {
    key: 'rSquared',
    label: 'R²',
    of: 'run',
    value: 'figure',
    unit: 'percent',
    group: 'reference',
    how: 'The square of the correlation: the part of the variance of the returns that the reference explains.',
  },
  {
    key: 'trackingError',
    label: 'Tracking error',
    of: 'run',
    value: 'figure',
    unit: 'percent',
    group: 'reference',
    note: 'Yearly',
    how:
      'The sample standard deviation of the bar returns minus those of the reference, times the square root of the ' +
      'number of bars in a year.',
  },
  {
    key: 'informationRatio',
    label: 'Information ratio',
    of: 'run',
    value: 'figure',
    unit: 'ratio',
    group: 'reference',
    how:
      'The mean of the bar returns minus those of the reference, times the number of bars in a year, divided by the ' +
      'tracking error.',
  },
  {
    key: 'upCapture',
    label: 'Up capture',
    of: 'run',
    value: 'figure',
    unit: 'percent',
    group: 'reference',
    note: 'Months in which the reference rose',
    how:
      'The geometric mean return in the calendar months in which the reference rose, divided by that of the ' +
      'reference in the same months.',
  },
  {
    key: 'downCapture',
    label: 'Down capture',
    of: 'run',
    value: 'figure',
    unit: 'percent',
    group: 'reference',
    note: 'Months in which the reference fell',
    how:
      'The geometric mean return in the calendar months in which the reference fell, divided by that of the ' +
      'reference in the same months. Below 100%, the strategy lost less; if negative, it gained.',
  },
  {
    key: 'turnover',
    label: 'Turnover',
    of: 'run',
    value: 'figure',
    unit: 'times',
    group: 'trading',
    note: 'Times account value, per year',
    how:
      'Half of all purchases and sales after the first bar, divided by the average account value, per year: 1 means ' +
      'that everything was replaced once.',
  },
  {
    key: 'exposure',
    label: 'Exposure',
    of: 'run',
    value: 'number',
    unit: 'percent',
    group: 'trading',
    note: 'Average percentage invested',
    how: 'The value of all positions divided by the account value, averaged over all bars. Above 100%, money was borrowed.',
  },
  {
    key: 'tradeCount',
    wireKey: 'number_of_trades',
    label: 'Trades',
    of: 'run',
    value: 'count',
    unit: 'count',
    group: 'trading',
    how: 'Every fill counts as one trade: rebalancing three tickers is three trades.',
  },
  {
    key: 'holdingWinRate',
    label: 'Win rate',
    of: 'run',
    value: 'figure',
    unit: 'percent',
    group: 'trading',
    note: 'Of holding periods',
    how:
      'A holding period runs from the first trade in a ticker until none of it is held; rebalances in between do ' +
      'not count separately. This is the percentage of completed periods with a profit after costs, excluding ' +
      'dividends paid into cash.',
  },
  {
    key: 'winRate',
    label: 'Profitable sales',
    of: 'run',
    value: 'figure',
    unit: 'percent',
    group: 'trading',
    note: 'Rebalances included',
    how:
      'Each sale, however small, is compared with the average cost of what it sells, including fees; this is the ' +
      'percentage of sales with a profit.',
  },
  {
    key: 'fees',
    label: 'Costs',
    of: 'run',
    value: 'number',
    unit: 'dollars',
    group: 'trading',
    how: 'Basis points of each trade’s value, plus the commission per trade.',
  },
  {
    key: 'dividends',
    label: 'Dividends',
    of: 'run',
    value: 'number',
    unit: 'dollars',
    group: 'trading',
    how: 'All dividends in the period, paid on the shares held at the previous close. Reinvested if you chose that.',
  },
  {
    key: 'interest',
    label: 'Interest paid',
    of: 'run',
    value: 'number',
    unit: 'dollars',
    group: 'trading',
    how: 'Interest on borrowed money, at the federal funds rate at the time, or the T-bill rate if that is unavailable.',
  },
] as const satisfies readonly MetricEntry[]

type Entry = (typeof metricCatalogue)[number]
type Source = MetricEntry['of']
export type MetricKey = Entry['key']

type SnakeCase<Text extends string> = Text extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${SnakeCase<Rest>}`
  : Text
type WireKey<One> = One extends { wireKey: infer Name extends string }
  ? Name
  : One extends { key: infer Key extends string }
    ? SnakeCase<Key>
    : never

/** Metrics of these sources by their keys, where `Values` has the type of each kind of value. */
export type MetricsBy<Of extends Source, Values extends Record<MetricEntry['value'], unknown>> = {
  readonly [One in Extract<Entry, { of: Of }> as One['key']]: Values[One['value']]
}

/** The same by the names of the contract. */
export type WireMetricsBy<Of extends Source, Values extends Record<MetricEntry['value'], unknown>> = {
  [One in Extract<Entry, { of: Of }> as WireKey<One>]: Values[One['value']]
}

/** A metric with what its entry may leave out. */
export type Metric = MetricEntry & { readonly key: MetricKey }

export const allMetrics: readonly Metric[] = metricCatalogue

export const metricsOf = (...sources: readonly Source[]): Metric[] =>
  allMetrics.filter((metric) => sources.includes(metric.of))

export function metricOf(key: MetricKey): Metric {
  return allMetrics.find((metric) => metric.key === key)!
}

export const wireKeyOf = ({ key, wireKey }: Metric): string =>
  wireKey ?? key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
