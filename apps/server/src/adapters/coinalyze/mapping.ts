import { type Granularity, granularityMillis } from '@tradewright/core/granularity'
import type { TickerKind } from '@tradewright/core/ticker-kind'
import { SECOND, type UtcMillis } from '@tradewright/core/time'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import { pluck } from '../market-data/columns.ts'
import type { CoinalyzeRow } from './schema.ts'

export const longLiquidations = 'long_liquidations'
export const shortLiquidations = 'short_liquidations'

interface SentHistory {
  readonly symbol: string
  readonly kind: TickerKind
  readonly granularity: Granularity
  readonly collectedAt: UtcMillis
}

const FIELDS = ['c', 'r', 'l', 's'] as const

export function toBronze(
  rows: readonly CoinalyzeRow[],
  { symbol, kind, granularity, collectedAt }: SentHistory,
): SeriesBlock {
  const fields = FIELDS.filter((field) => rows.some((row) => row[field] !== undefined))
  return {
    ticker: symbol,
    granularity,
    provider: 'coinalyze',
    type: kind,
    currency: 'USD',
    collectedAt,
    timestamps: Float64Array.from(rows, ({ t }) => t * SECOND),
    columns: Object.fromEntries(fields.map((field) => [field, pluck(rows, (row) => row[field])])),
  }
}

/**
 * The one value of each series: the rate (in percent, as sent) and the open interest (in USD) at the end of the interval, the ratio of
 * accounts, and all liquidations together.
 */
export function withOurFields(bronze: SeriesBlock): SeriesBlock {
  const { c, r, l, s } = bronze.columns
  if (bronze.type !== 'liquidations')
    return { ...bronze, columns: { value: c ?? r ?? new Float64Array(bronze.timestamps.length).fill(Number.NaN) } }
  const [long, short] = [
    l ?? new Float64Array(bronze.timestamps.length),
    s ?? new Float64Array(bronze.timestamps.length),
  ]
  const value = long.map((amount, row) => amount + short[row]!)
  return { ...bronze, columns: { value, [longLiquidations]: long, [shortLiquidations]: short } }
}

/** An interval without liquidations is left out by the vendor; between two that are there it means zero. */
export function withQuietIntervals(silver: SeriesBlock): SeriesBlock {
  const { timestamps, columns } = silver
  if (timestamps.length < 2) return silver
  const step = granularityMillis(silver.granularity)
  const first = timestamps[0]!
  const count = Math.round((timestamps.at(-1)! - first) / step) + 1
  const fill = (column: Float64Array) => {
    const filled = new Float64Array(count)
    for (let row = 0; row < column.length; row++) filled[Math.round((timestamps[row]! - first) / step)] = column[row]!
    return filled
  }
  return {
    ...silver,
    timestamps: Float64Array.from({ length: count }, (_, i) => first + i * step),
    columns: Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, fill(column)])),
  }
}
