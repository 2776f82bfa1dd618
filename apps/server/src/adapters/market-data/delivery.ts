import type { Category } from '@tradewright/core/category'
import { isObservation, type TickerKind } from '@tradewright/core/ticker-kind'
import { formatDate, epochDayOf, type TimeRange, DAY, type UtcMillis, dayStamp } from '@tradewright/core/time'
import { type CorporateActions, noActions } from '@tradewright/engine/market/corporate-actions'
import { pickCategories, type RefusedRow } from '@tradewright/engine/market/layers/rows'
import {
  type TickerResult,
  type HistoryDepth,
  type ProviderLimits,
  ProviderFailure,
} from '@tradewright/engine/market/provider'
import type { SeriesBlock } from '@tradewright/engine/market/series'
import { type Granularity, granularityMillis } from '@tradewright/core/granularity'
import { barKnownAt, calendarOf } from '@tradewright/engine/market/trading-calendar'
import { z, ZodError } from 'zod'
import { HttpFailure } from '../http/http-failure.ts'

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

/** Cuts a range into portions of at most `daysPerCall`, one at a time: a long range may have very many. */
export function* callWindows(
  { from, to }: TimeRange,
  daysPerCall: number | undefined,
  { newestFirst = false } = {},
): Generator<TimeRange> {
  const length = daysPerCall === undefined ? to - from : daysPerCall * DAY
  const count = Math.ceil((to - from) / length)
  for (let i = 0; i < count; i++) {
    const start = from + (newestFirst ? count - 1 - i : i) * length
    yield { from: start, to: Math.min(to, start + length) }
  }
}

type Missing = Extract<TickerResult, { outcome: 'missing' }>

/**
 * Why a range cannot be had at all, known without asking. Too early a start is refused and not shortened: a caller who
 * got less than the range would believe it complete. Within the first day the clock has moved on since it was chosen.
 */
export function refusalByLimits(
  vendor: Vendor,
  limits: ProviderLimits,
  { ticker, granularity, range }: { ticker: string; granularity: Granularity; range: TimeRange },
  now: UtcMillis,
): Missing | undefined {
  const depth: HistoryDepth | undefined = limits.history[granularity]
  if (!depth) {
    return missing(ticker, 'granularity-not-served', `${vendor.displayName} has no ${granularity} data for ${ticker}.`)
  }
  if (depth.daysBack === undefined || epochDayOf(range.from) >= epochDayOf(now) - depth.daysBack) return undefined
  const message =
    `${vendor.displayName} keeps ${granularity} data for the last ${depth.daysBack} days only; ` +
    `${ticker} was asked for from ${formatDate(epochDayOf(range.from))}.`
  return missing(ticker, 'beyond-history', message)
}

export const missing = (ticker: string, reason: Missing['reason'], message: string): Missing => ({
  outcome: 'missing',
  ticker,
  reason,
  message,
})

/** The part of a range that the provider still has, by the clock of the call. */
export const withinReach = ({ from, to }: TimeRange, daysBack: number | undefined, now: UtcMillis): TimeRange => ({
  from: daysBack === undefined ? from : Math.max(from, now - daysBack * DAY + 60_000),
  to,
})

/** Failures in a row after which the service is taken to be down, and the rest of a long list is not tried. */
const FAILURES_IN_A_ROW = 3

/**
 * Asks for batches one after the other and yields what became of each ticker. A failure costs its batch only, until
 * the vendor is limiting us or plainly down; then the remaining tickers fail with the same reason at once. A rejected
 * key ends everything.
 */
export async function* inBatches(
  vendor: Vendor,
  batches: readonly (readonly string[])[],
  signal: AbortSignal,
  fetchBatch: (tickers: readonly string[]) => Promise<readonly TickerResult[]> | AsyncIterable<TickerResult>,
): AsyncIterable<TickerResult> {
  let failuresInARow = 0
  let givenUp: ProviderFailure | undefined
  for (const tickers of batches) {
    signal.throwIfAborted()
    if (givenUp) {
      yield* failed(tickers, givenUp)
      continue
    }
    try {
      const answer = fetchBatch(tickers)
      if (Symbol.asyncIterator in answer) yield* answer
      else yield* await answer
      failuresInARow = 0
    } catch (error) {
      signal.throwIfAborted()
      const failure = providerFailure(error, vendor, tickers)
      if (failure.failure === 'auth') throw failure
      failuresInARow = failure.failure === 'network' ? failuresInARow + 1 : 0
      if (failure.failure === 'limit' || failuresInARow >= FAILURES_IN_A_ROW) givenUp = failure
      yield* failed(tickers, failure)
    }
  }
}

const failed = (tickers: readonly string[], failure: ProviderFailure): TickerResult[] =>
  tickers.map((ticker) => ({ outcome: 'failed', ticker, failure }))

export const oneByOne = (tickers: readonly string[]): string[][] => tickers.map((ticker) => [ticker])

export function batchesOf(tickers: readonly string[], size: number): string[][] {
  const batches: string[][] = []
  for (let start = 0; start < tickers.length; start += size) batches.push(tickers.slice(start, start + size))
  return batches
}

/** The first stamp whose bar is still forming; undefined for series without bars. */
export function unfinishedFrom(kind: TickerKind, granularity: Granularity, now: UtcMillis): UtcMillis | undefined {
  const calendar = calendarOf(kind)
  if (!calendar) return undefined
  if (granularity !== '1d') return now - granularityMillis(granularity) + 1
  // West of Greenwich yesterday's session may still be open, east of it tomorrow's may have begun.
  let day = epochDayOf(now) - 1
  while (barKnownAt(calendar, dayStamp(day), '1d') <= now) day++
  return dayStamp(day)
}

/** A vendor's list as a column: what is not there is NaN. */
export const columnOf = (values: readonly (number | null | undefined)[]): Float64Array =>
  Float64Array.from(values, (value) => value ?? Number.NaN)

/** A column picked out of a list of rows. */
export const pluck = <Row>(rows: readonly Row[], pick: (row: Row) => number | null | undefined): Float64Array =>
  Float64Array.from(rows, (row) => pick(row) ?? Number.NaN)

/**
 * A price or volume as a vendor sent it. What is no number becomes infinite, which row validation refuses by ticker and row
 * (`refuseImpossibleRows`): the row is told and left out, and the others of its list stay.
 */
export const sentNumber = z.union([
  z.number(),
  z.unknown().transform((value) => (value === null ? Number.NaN : Number.POSITIVE_INFINITY)),
])

/** The provider being asked, for sentences and records. */
interface Vendor {
  readonly id: string
  readonly displayName: string
}

/** The failure in the port's words: whatever went wrong at the vendor, but not our own bugs, which stay what they are. */
export function providerFailure(error: unknown, vendor: Vendor, tickers: readonly string[]): ProviderFailure {
  if (error instanceof ProviderFailure) return error
  const what = tickers.length === 1 ? tickers[0]! : `${tickers.length} tickers`
  const details = { provider: vendor.id, cause: error, ...(tickers.length === 1 ? { ticker: tickers[0]! } : {}) }
  if (error instanceof HttpFailure) {
    const retry = error.retryAfterSeconds === undefined ? {} : { retryAfterSeconds: error.retryAfterSeconds }
    const message = `${vendor.displayName} did not deliver ${what}: ${error.message}.`
    return new ProviderFailure(error.kind, message, { ...details, ...retry })
  }
  if (error instanceof ZodError) {
    const [issue] = error.issues
    const where = issue ? ` (${issue.path.join('.') || 'at the top level'}: ${issue.message})` : ''
    return new ProviderFailure(
      'malformed',
      `${vendor.displayName} sent ${what} in an unexpected form${where}.`,
      details,
    )
  }
  throw error
}
