import type { Category } from '@tradewright/core/category'
import { drawdown, runningPeak } from '../features/drawdown.ts'
import { exponentialMovingAverage } from '../features/exponential-moving-average.ts'
import { logReturn } from '../features/log-return.ts'
import { percentChange } from '../features/percent-change.ts'
import { relativeStrengthIndex } from '../features/relative-strength-index.ts'
import { rollingCorrelation } from '../features/rolling-correlation.ts'
import { rollingVolatility } from '../features/rolling-volatility.ts'
import { simpleMovingAverage } from '../features/simple-moving-average.ts'
import { volumeRatio } from '../features/volume-ratio.ts'
import { columnOf, type ComputedColumn, type StarterTransform } from './starter-transform.ts'

const change = (period: number): ComputedColumn => ({
  name: `return_${period}`,
  description: period === 1 ? 'Change from the bar before, as a fraction' : `Change over ${period} bars, as a fraction`,
  compute: (input) => percentChange.compute([columnOf(input, 'close')], { period }),
})

const average = (window: number): ComputedColumn => ({
  name: `sma_${window}`,
  description: `Mean close of the last ${window} bars`,
  compute: (input) => simpleMovingAverage.compute([columnOf(input, 'close')], { window }),
})

const exponential = (window: number): ComputedColumn => ({
  name: `ema_${window}`,
  description: `Exponential average of the close over ${window} bars`,
  compute: (input) => exponentialMovingAverage.compute([columnOf(input, 'close')], { window }),
})

const volatility = (window: number): ComputedColumn => ({
  name: `volatility_${window}d`,
  description: `Annualised standard deviation of the last ${window} returns`,
  compute: (input) => {
    const scale = Math.sqrt(input.periodsPerYear)
    return rollingVolatility.compute([columnOf(input, 'close')], { window }).map((value) => value * scale)
  },
})

const strength = (window: number): ComputedColumn => ({
  name: `rsi_${window}`,
  description: `Wilder's relative strength index over ${window} bars, 0 to 100`,
  compute: (input) => relativeStrengthIndex.compute([columnOf(input, 'close')], { window }),
})

const correlation = (window: number): ComputedColumn => ({
  name: `correlation_${window}`,
  description: `Correlation of the last ${window} returns with those of the benchmark`,
  compute: (input) => rollingCorrelation.compute([columnOf(input, 'close'), input.benchmark], { window }),
})

/** Categories on either side of a division; a zero below gives no value. */
const ratio = (name: string, description: string, above: Category, below: Category): ComputedColumn => ({
  name,
  description,
  compute: (input) => {
    const divisor = columnOf(input, below)
    return columnOf(input, above).map((value, row) => (divisor[row] === 0 ? Number.NaN : value / divisor[row]!))
  },
})

export const starterTransforms: readonly StarterTransform[] = [
  {
    name: 'Returns',
    description: 'How much the price changed over one bar, a week and a month',
    requiredCategories: ['close'],
    computedColumns: [
      change(1),
      {
        name: 'log_return',
        description: 'Natural logarithm of the price ratio to the bar before',
        compute: (input) => logReturn.compute([columnOf(input, 'close')], { period: 1 }),
      },
      change(5),
      change(20),
    ],
  },
  {
    name: 'Moving Averages',
    description: 'The trend of the price at several speeds',
    requiredCategories: ['close'],
    computedColumns: [
      average(5),
      average(10),
      average(20),
      average(50),
      average(200),
      exponential(12),
      exponential(26),
    ],
  },
  {
    name: 'Volatility',
    description: 'How widely the returns vary, per year',
    requiredCategories: ['close'],
    computedColumns: [volatility(20), volatility(60)],
  },
  {
    name: 'RSI',
    description: 'Whether the price has recently risen or fallen too fast',
    requiredCategories: ['close'],
    computedColumns: [strength(7), strength(14)],
  },
  {
    name: 'Volume Ratio',
    description: 'Volume compared with its usual level',
    requiredCategories: ['volume'],
    computedColumns: [
      {
        name: 'volume_sma_20',
        description: 'Mean volume of the last 20 bars',
        compute: (input) => simpleMovingAverage.compute([columnOf(input, 'volume')], { window: 20 }),
      },
      {
        name: 'volume_ratio',
        description: 'Volume as a multiple of its mean over 20 bars',
        compute: (input) => volumeRatio.compute([columnOf(input, 'volume')], { window: 20 }),
      },
    ],
  },
  {
    name: 'Drawdown',
    description: 'How far the price is below its peak',
    requiredCategories: ['close'],
    computedColumns: [
      {
        name: 'peak',
        description: 'Highest close so far',
        compute: (input) => {
          const close = columnOf(input, 'close')
          return runningPeak(close, close.length)
        },
      },
      {
        name: 'drawdown',
        description: 'Close below the highest close so far, as a fraction',
        compute: (input) => drawdown.compute([columnOf(input, 'close')], { window: 0 }),
      },
      {
        name: 'drawdown_252',
        description: 'Close below the highest close of 252 bars, as a fraction',
        compute: (input) => drawdown.compute([columnOf(input, 'close')], { window: 252 }),
      },
    ],
  },
  {
    name: 'Correlation to Benchmark',
    description: 'Whether the price moves with SPY, or with the first ticker when SPY is not among them',
    requiredCategories: ['close'],
    computedColumns: [correlation(20), correlation(60), correlation(120)],
  },
  {
    name: 'Fundamentals Ratio',
    description: 'Valuation: earnings and shares for the price',
    requiredCategories: ['close', 'pe_ratio', 'market_cap'],
    computedColumns: [
      {
        name: 'earnings_yield',
        description: 'Earnings per unit of price, the inverse of the P/E ratio',
        compute: (input) => columnOf(input, 'pe_ratio').map((value) => (value === 0 ? Number.NaN : 1 / value)),
      },
      ratio('earnings_per_share', 'Close divided by the P/E ratio', 'close', 'pe_ratio'),
      ratio('shares_outstanding', 'Market capitalisation divided by the close', 'market_cap', 'close'),
    ],
  },
  {
    name: 'Daily Range',
    description: 'How far the price moved within each bar',
    requiredCategories: ['high', 'low', 'close'],
    computedColumns: [
      {
        name: 'range',
        description: 'High minus low as a fraction of the close',
        compute: (input) => {
          const [high, low, close] = [columnOf(input, 'high'), columnOf(input, 'low'), columnOf(input, 'close')]
          return high.map((value, row) => (value - low[row]!) / close[row]!)
        },
      },
    ],
  },
]

export const findStarterTransform = (name: string): StarterTransform | undefined =>
  starterTransforms.find((transform) => transform.name === name)
