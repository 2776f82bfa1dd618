import type { Category } from '@tradewright/core/category'
import type { Column } from '@tradewright/core/column'
import { Problem } from '@tradewright/core/problem'
import { epochDayOf, type UtcMillis } from '@tradewright/core/time'
import {
  drawdown,
  runningPeak,
  exponentialMovingAverage,
  simpleMovingAverage,
  relativeStrengthIndex,
  percentChange,
  logReturn,
  rollingVolatility,
  rollingCorrelation,
  volumeRatio,
} from '../features/formulas.ts'
import type { CategoryColumns, SeriesTable } from '../market/series.ts'
import { adjustPrices, actionsOf } from '../market/corporate-actions.ts'
import { atStamps } from '../market/align.ts'
import { calendarOf, nyse } from '../market/trading-calendar.ts'
import { periodsPerYear } from '../market/known-at.ts'

interface TransformInput {
  /** The columns of one ticker, as long as its timestamps. */
  readonly columns: CategoryColumns
  /** Closes of the benchmark on the same stamps; NaN where it has none. */
  readonly benchmark: Column
  /** For annualising. */
  readonly periodsPerYear: number
}

interface ComputedColumn {
  readonly name: string
  readonly description: string
  readonly compute: (input: TransformInput) => Column
}

/** A ready-made analysis of collected data, computed with the same functions as the features of a model. */
export interface StarterTransform {
  readonly name: string
  readonly description: string
  readonly requiredCategories: readonly Category[]
  readonly computedColumns: readonly ComputedColumn[]
}

function columnOf({ columns }: TransformInput, category: Category): Column {
  const column = columns[category]
  if (!column) throw new Error(`the transform was applied without its required category ${category}`)
  return column
}

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

/** Pivoted: one row per ticker and stamp, one column per category and computed value. NaN is an empty cell. */
export interface TransformTable {
  readonly tickers: readonly string[]
  readonly timestamps: readonly UtcMillis[]
  /** Categories first, in their own order, then what was computed. */
  readonly columns: readonly { readonly name: string; readonly values: Column }[]
}

/** The user compares with this one when it is there, else with the first ticker. */
const BENCHMARK = 'SPY'

/** Applies a transform to every ticker that has its categories; a Problem says which are missing when none has. */
export function applyTransform(transform: StarterTransform, tables: readonly SeriesTable[]): TransformTable {
  const usable = tables.filter(({ columns }) => transform.requiredCategories.every((name) => columns[name]))
  if (usable.length === 0) throw missingCategories(transform)
  const benchmark = usable.find(({ ticker }) => ticker === BENCHMARK) ?? usable[0]!
  const parts = usable.map((table) => columnsOf(transform, table, benchmark))
  const names = [...new Set(parts.flatMap(({ columns }) => [...columns.keys()]))]
  return {
    tickers: parts.flatMap(({ table }) => Array.from(table.timestamps, () => table.ticker)),
    timestamps: parts.flatMap(({ table }) => Array.from(table.timestamps)),
    columns: names.map((name) => ({ name, values: joinColumn(name, parts) })),
  }
}

interface Part {
  readonly table: SeriesTable
  readonly columns: ReadonlyMap<string, Column>
}

function columnsOf(transform: StarterTransform, table: SeriesTable, benchmark: SeriesTable): Part {
  const input = {
    columns: splitAdjusted(table),
    benchmark: atStamps(benchmark, splitAdjusted(benchmark)['close'] ?? new Float64Array(), table.timestamps),
    periodsPerYear: periodsPerYear(
      calendarOf(table.type) ?? nyse,
      table.granularity,
      Int32Array.from(table.timestamps, epochDayOf),
    ),
  }
  const computed = transform.computedColumns.map(({ name, compute }) => [name, compute(input)] as const)
  return { table, columns: new Map([...Object.entries(table.columns), ...computed]) }
}

/** A split is no return; the table itself shows prices as they were traded. */
const splitAdjusted = (table: SeriesTable): CategoryColumns => adjustPrices(table, actionsOf(table), 'split').columns

/** The column of all tickers one after the other; a ticker that lacks it has empty cells. */
function joinColumn(name: string, parts: readonly Part[]): Column {
  const joined = new Float64Array(parts.reduce((sum, { table }) => sum + table.timestamps.length, 0)).fill(Number.NaN)
  let at = 0
  for (const { table, columns } of parts) {
    const column = columns.get(name)
    if (column) joined.set(column, at)
    at += table.timestamps.length
  }
  return joined
}

const missingCategories = ({ name, requiredCategories }: StarterTransform) =>
  new Problem(
    'invalid',
    'transform.missing-categories',
    `"${name}" needs the ${requiredCategories.length === 1 ? 'category' : 'categories'} ${requiredCategories.join(', ')}, which none of the selected tickers has.`,
  )
