import type { Category } from '@tradewright/core/category'
import { isObservation } from '@tradewright/core/ticker-kind'
import { formatDate, epochDayOf, type TimeRange } from '@tradewright/core/time'
import { type CorporateActions, noActions } from '@tradewright/engine/market/corporate-actions'
import { pickCategories, type RefusedRow } from '@tradewright/engine/market/layers/rows'
import type { TickerResult } from '@tradewright/engine/market/provider'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import { missing } from './call-windows.ts'
import type { Vendor } from './provider-failures.ts'

interface Delivered {
  readonly bronze: SeriesBlock
  readonly silver: SeriesBlock
  readonly refused: readonly RefusedRow[]
  readonly actions?: CorporateActions
  /** Revisions of economic series; blocks without rows are left out. */
  readonly revisions?: readonly SeriesBlock[]
}

/** The wanted categories of the received rows, or that there is nothing in the range. */
export function delivery(
  vendor: Vendor,
  { bronze, silver, refused, actions = noActions, revisions = [] }: Delivered,
  { categories, range }: { categories: readonly Category[]; range: TimeRange },
): TickerResult {
  const { ticker } = silver
  if (silver.timestamps.length === 0 && refused.length === 0 && !hasActions(actions))
    return nothingInRange(vendor, ticker, range)
  const later = revisions.filter(({ timestamps }) => timestamps.length > 0)
  return {
    outcome: 'delivered',
    ticker,
    bronze,
    silver: wantedColumns(silver, categories),
    refused,
    actions,
    ...(later.length > 0 ? { revisions: later } : {}),
  }
}

/** Observations have no close: a job that asks them for one gets what there is. */
function wantedColumns(silver: SeriesBlock, categories: readonly Category[]): SeriesBlock {
  const hasNone = !categories.some((category) => silver.columns[category])
  return hasNone && isObservation(silver.type) ? silver : pickCategories(silver, categories)
}

const hasActions = ({ splits, dividends }: CorporateActions) => splits.length + dividends.length > 0

export function nothingInRange(vendor: Vendor, ticker: string, { from, to }: TimeRange): TickerResult {
  const days = `${formatDate(epochDayOf(from))} to ${formatDate(epochDayOf(to - 1))}`
  return missing(ticker, 'no-data-in-range', `${vendor.displayName} has no data for ${ticker} from ${days}.`)
}

export const unknownTicker = (vendor: Vendor, ticker: string): TickerResult =>
  missing(ticker, 'unknown-ticker', `${vendor.displayName} does not know ${ticker}.`)
