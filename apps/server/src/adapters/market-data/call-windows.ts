import { type Granularity } from '@tradewright/core/granularity'
import { DAY, epochDayOf, formatDate, type TimeRange, type UtcMillis } from '@tradewright/core/time'
import type { HistoryDepth, ProviderLimits, TickerResult } from '@tradewright/engine/market/provider'
import type { Vendor } from './provider-failures.ts'

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
