import { lastAtOrBefore } from '@tradewright/core/column'
import { rollingBeta, rollingDrawdown, rollingReturn, rollingVolatility } from '@tradewright/core/rolling'
import { formatDate } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { expectColumn, expectNear } from '../../../../reference/expect-near.ts'
import { referencePrices, referenceValues } from '../../../../reference/read.ts'
import { dailyReturns, extremes } from '../performance/returns.ts'
import { type Figure, valueOf } from '../performance/figure.ts'
import { type RelativeFigures, relativeFigures } from '../performance/relative-figures.ts'
import { deepestDrawdowns } from './analysis.ts'
import { assetCorrelations } from './asset-correlations.ts'
import { curveMetrics } from './metrics.ts'

/** Figures of the sample market by pandas, numpy, scipy and statsmodels: reference/figures.py. */
interface Reference extends Record<'SPY' | 'TLT' | 'GLD', CurveReference> {
  relative: Record<string, Record<keyof RelativeFigures, number>>
  asset_correlation: number[][]
}

interface CurveReference {
  tails: Record<string, number> & Record<'best_day' | 'worst_day', [date: string, earned: number]>
  drawdown_table: {
    deepest: [depth: number, peak: string, trough: string, recovery: string | null, days: number][]
    longest: number
  }
  /** By the bars of the window. */
  rolling: Record<string, Record<'return' | 'volatility' | 'beta' | 'drawdown', number[]>>
}

const reference = referenceValues<Reference>('figures')
const YEAR = 252
/** Every 25th row of the long columns is committed as a reference. */
const STEP = 25

const TICKERS = ['SPY', 'TLT', 'GLD'] as const
const near = (ours: Figure, theirs: number, name: string) => expectNear(valueOf(ours), theirs, name)

function curveOf(ticker: string) {
  const { days, columns } = referencePrices(ticker)
  const bill = referencePrices('TB3MS')
  const billDays = Float64Array.from(bill.days)
  const rate = Float64Array.from(days, (day) => bill.columns['value']![lastAtOrBefore(billDays, day)]!)
  const values = columns['close']!
  return {
    days,
    growth: values.map((value) => value / values[0]!),
    riskFree: rate.subarray(1).map((pct) => pct / 100 / YEAR),
  }
}

describe.each(TICKERS)('five years of %s', (ticker) => {
  const { days, growth, riskFree } = curveOf(ticker)
  const { tails, drawdown_table, rolling } = reference[ticker]

  it('have the tails of numpy and scipy, and the ratios made of them', () => {
    const metrics = curveMetrics(days, growth, { barsPerYear: YEAR, riskFree })
    near(metrics.valueAtRisk, tails['value_at_risk']!, 'value at risk')
    near(metrics.conditionalValueAtRisk, tails['conditional_value_at_risk']!, 'expected shortfall')
    near(metrics.tailRatio, tails['tail_ratio']!, 'tail ratio')
    near(metrics.skewness, tails['skewness']!, 'skewness')
    near(metrics.kurtosis, tails['excess_kurtosis']!, 'excess kurtosis')
    near(metrics.omega, tails['omega']!, 'omega')
    near(metrics.gainToPain, tails['gain_to_pain']!, 'gain to pain')
    near(metrics.ulcerIndex, tails['ulcer']!, 'Ulcer index')
    near(metrics.martin, tails['martin']!, 'Martin ratio')
    near(metrics.longestDrawdown, drawdown_table.longest, 'longest drawdown')
    const { best, worst } = extremes(dailyReturns(days, growth))!
    expect([formatDate(best.day), formatDate(worst.day)]).toEqual([tails.best_day[0], tails.worst_day[0]])
    near(best.return, tails.best_day[1], 'best day')
    near(worst.return, tails.worst_day[1], 'worst day')
  })

  it('have the five deepest drawdowns of pandas', () => {
    const dated = (day: number | undefined) => (day === undefined ? null : formatDate(day))
    const ours = deepestDrawdowns(days, growth)
    for (const [at, [depth, ...dates]] of drawdown_table.deepest.entries()) {
      const fall = ours[at]!
      near(fall.depth, depth, `drawdown ${at + 1}`)
      expect([dated(fall.peak), dated(fall.trough), dated(fall.recovery), fall.days]).toEqual(dates)
    }
  })

  it.each(Object.keys(rolling).map(Number))('roll over %i bars as pandas does', (window) => {
    const ours = {
      return: rollingReturn(growth, window),
      volatility: rollingVolatility(growth, window, YEAR),
      beta: rollingBeta(growth, curveOf('SPY').growth, window),
      drawdown: rollingDrawdown(growth, window),
    }
    for (const name of ['return', 'volatility', 'beta', 'drawdown'] as const) {
      const every = ours[name].filter((_, row) => row >= window && (row - window) % STEP === 0)
      expectColumn(every, rolling[window]![name], `rolling ${name}`, 1e-8)
    }
  })
})

it.each(Object.entries(reference.relative))(
  '%s stands to SPY as the least squares of statsmodels say',
  (ticker, theirs) => {
    const figures = relativeFigures({ ...curveOf(ticker), reference: curveOf('SPY').growth, barsPerYear: YEAR })
    for (const [name, figure] of Object.entries<Figure>({ ...figures })) near(figure, theirs[name as 'beta'], name)
  },
)

it('assets correlate as pandas has it, dividends included', () => {
  const tables = TICKERS.map((ticker) => referencePrices(ticker))
  const { days } = tables[0]!
  const close = tables.map(({ columns }) => columns['close']!)
  const dividends = tables.map(({ columns }) => columns['dividend']?.map((paid) => paid || 0))
  const timestamps = Float64Array.from(days)
  const prices = { tickers: [...TICKERS], timestamps, days, open: close, close, dividends }
  const { matrix } = assetCorrelations(prices, new Set<string>(TICKERS), days.length)!
  for (const [at, row] of reference.asset_correlation.entries()) {
    const ours = matrix[at]!.map((value) => value ?? Number.NaN)
    expectColumn(ours, row, TICKERS[at]!)
  }
})
