import type { StudioResult } from '../answer/studio-result.ts'

/** How each figure of the results comes to be, in words that let a reader repeat it. docs/method.md has the same with sources. */
export const HOW = {
  cagr:
    'What one dollar grew to, raised to 365.25 divided by the days of the period, minus 1. Deposits and withdrawals are ' +
    'taken out first: the returns between them are compounded.',
  accuracy:
    'The share of test bars whose label the model predicted, of those whose label is known by now. The base rate is what ' +
    'always saying the more frequent label would have given. p: of forecasts that know nothing about the label, the ' +
    'share that comes out at least as well (Pesaran-Timmermann). Labels that look several bars ahead overlap and count ' +
    'accordingly less. For a volatility regime p is about what the model adds to the level of volatility, which alone ' +
    'tells much. A low p says nothing about profit. See docs/method.md.',
  sharpe:
    'The mean of the bar returns above the risk-free ones, by their sample standard deviation, times the square root of ' +
    'the bars in a year (252 on an exchange’s calendar, 365 where trading never stops, times the bars of a day).',
  sortino: 'As Sharpe, but divided by the downside deviation: only returns below the risk-free ones count as risk.',
  maxDrawdown:
    'The deepest fall from any earlier high, the start included, of what one dollar grew to. Cash flows do not count.',
  endValue: 'Cash and positions at the last close, after all costs.',
  totalReturn: 'What one dollar grew to over the whole period, minus 1, with cash flows taken out.',
  moneyWeightedReturn:
    'The yearly rate at which the start value, every cash flow and the end value come to zero (XIRR). Unlike CAGR it ' +
    'depends on when money came and went.',
  volatility: 'The sample standard deviation of the bar returns, times the square root of the bars in a year.',
  calmar: 'CAGR divided by the depth of the deepest drawdown.',
  bestMonth:
    'The highest return of a calendar month that lies in the period, the first and last one as far as they go.',
  worstMonth:
    'The lowest return of a calendar month that lies in the period, the first and last one as far as they go.',
  bestYear: 'The highest return of a calendar year, the first and last one as far as they lie in the period.',
  worstYear: 'The lowest return of a calendar year, the first and last one as far as they lie in the period.',
  monthEnd:
    'From month-end values alone, as most published tables of portfolios are: deviations of monthly returns times the ' +
    'square root of 12, the deepest fall between month ends. Compare these with such tables, not the figures of bars.',
  turnover:
    'Half of what was bought and sold after the first bar, by the mean account value, a year: 1 means that everything was ' +
    'exchanged once.',
  exposure:
    'The value of all positions by the account value, on average over all bars. Above 100 % money was borrowed.',
  trades: 'Every fill counts once: a rebalance of three tickers is three trades.',
  winRate:
    'Each sale is paired with the average cost of what it sells, fees included; the share of those pairs with a profit.',
  costs: 'Basis points of each traded value, and the commission of each trade.',
  dividends: 'All dividends of the period, paid on the shares held the evening before. Reinvested where you chose so.',
  interest:
    'What borrowed money cost, at the federal funds rate of the time, or the T-bill’s where that is not at hand.',
  repeatable:
    'The seed decides every random draw, the fingerprint names the data to the last value. The same two with the same ' +
    'settings give the same result to the last digit.',
} as const

/** The two that depend on whose return counted as free of risk. */
export const howSharpe = ({ risk_free }: StudioResult): string => `${HOW.sharpe} Risk-free: ${risk_free}.`

export const howSortino = ({ risk_free }: StudioResult): string => `${HOW.sortino} Risk-free: ${risk_free}.`
