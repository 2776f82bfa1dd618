import type { StudioResult } from '../answer/studio-result.ts'

/** How each figure of the results comes to be, in words that let a reader repeat it. docs/method.md has the same with sources. */
export const HOW = {
  cagr:
    'What one dollar grew to, raised to 365.25 divided by the days of the period, minus 1. Deposits and withdrawals are ' +
    'taken out first: the returns between them are compounded.',
  accuracy:
    'The share of test bars whose label the model predicted, of those whose label is known by now. The base rate is what ' +
    'always predicting the more frequent label would have given. p: of forecasts that know nothing about the label, the ' +
    'share that comes out at least as well (Pesaran-Timmermann). Labels that look several bars ahead overlap and count ' +
    'accordingly less. For a volatility regime p is about what the model adds to the level of volatility, which alone ' +
    'tells much. A low p says nothing about profit. See docs/method.md.',
  sharpe:
    'The mean of the bar returns above the risk-free ones, divided by their sample standard deviation, times the square root of ' +
    'the bars in a year (252 on an exchange’s calendar, 365 where trading never stops, times the bars of a day).',
  sortino: 'Like Sharpe, but divided by the downside deviation: only returns below the risk-free rate count as risk.',
  maxDrawdown:
    'The deepest decline of one dollar invested from any earlier high, the start included. Cash flows are excluded.',
  endValue: 'Cash and positions at the last close, after all costs.',
  totalReturn: 'What one dollar grew to over the whole period, minus 1, with cash flows taken out.',
  moneyWeightedReturn:
    'The yearly rate at which the start value, every cash flow and the end value come to zero (XIRR). Unlike CAGR it ' +
    'depends on when money came and went.',
  volatility: 'The sample standard deviation of the bar returns, times the square root of the bars in a year.',
  calmar: 'CAGR divided by the depth of the deepest drawdown.',
  bestMonth: 'The highest return of any calendar month in the period; the first and last may be partial months.',
  worstMonth: 'The lowest return of any calendar month in the period; the first and last may be partial months.',
  bestYear: 'The highest return of any calendar year in the period; the first and last may be partial years.',
  worstYear: 'The lowest return of any calendar year in the period; the first and last may be partial years.',
  monthEnd:
    'From month-end values alone, as most published tables of portfolios are: deviations of monthly returns times the ' +
    'square root of 12, the deepest fall between month ends. Compare these with such tables, not the figures of bars.',
  turnover:
    'Half of what was bought and sold after the first bar, divided by the average account value, per year: 1 means that everything was ' +
    'exchanged once.',
  exposure:
    'The value of all positions divided by the account value, averaged over all bars. Above 100 %, money was borrowed.',
  trades: 'Every fill counts once: a rebalance of three tickers is three trades.',
  winRate:
    'Each sale is matched with the average cost of what it sells, fees included; this is the percentage with a profit.',
  costs: 'Basis points of each trade’s value, plus the commission per trade.',
  dividends: 'All dividends in the period, paid on the shares held at the previous close. Reinvested if you chose so.',
  interest:
    'Interest on borrowed money, at the federal funds rate of the time, or the T-bill rate where that is unavailable.',
  repeatable:
    'The seed decides every random draw, the fingerprint names the data to the last value. The same two with the same ' +
    'settings give the same result to the last digit.',
} as const

/** The two that depend on whose return counted as free of risk. */
export const howSharpe = ({ risk_free }: StudioResult): string => `${HOW.sharpe} Risk-free: ${risk_free}.`

export const howSortino = ({ risk_free }: StudioResult): string => `${HOW.sortino} Risk-free: ${risk_free}.`
