import { formatTicker, type Ticker } from '@tradewright/core/ticker'
import { type EpochDay, epochDayOf, formatDate, type UtcMillis } from '@tradewright/core/time'
import type { SeriesTable } from '../market/series.ts'

/** Prices of one ticker that stand in for another, from a day to a day, both included. Plain data. */
export interface StandIn {
  /** With its own parameters, without its own fallback. */
  readonly ticker: string
  readonly from: EpochDay
  readonly to: EpochDay
}

/** A ticker of a result whose history begins with that of others. Plain data, kept with the result. */
export interface SplicedTicker {
  /** As it is written: `TLT?FB=VUSTX`. */
  readonly ticker: string
  readonly standIns: readonly StandIn[]
}

/** The rows of a fallback up to a stamp, and whose they are: its own, and those that stand in for it. */
export function standInsBefore(
  before: { readonly table: SeriesTable; readonly standIns?: readonly StandIn[] },
  fallback: Ticker,
  last: UtcMillis,
): StandIn[] {
  const { timestamps } = before.table
  const to = Math.min(epochDayOf(last), epochDayOf(timestamps.at(-1)!))
  const earlier = (before.standIns ?? [])
    .filter(({ from }) => from <= to)
    .map(({ ticker, from, to: end }) => ({ ticker, from, to: Math.min(end, to) }))
  const covered = earlier.at(-1)?.to
  const start = timestamps.find((stamp) => covered === undefined || epochDayOf(stamp) > covered)
  if (start === undefined || epochDayOf(start) > to) return earlier
  return [...earlier, { ticker: formatTicker({ ...fallback, fallback: undefined }), from: epochDayOf(start), to }]
}

/** The days of a run on which prices of others stand in; those from before it, which only features saw, are kept too. */
export const splicedTickers = (standIns: ReadonlyMap<string, readonly StandIn[]>): SplicedTicker[] =>
  Array.from(standIns, ([ticker, parts]) => ({ ticker, standIns: parts }))

/** Tickers that another one stood in for on a day from `first` on. */
export const splicedSince = (spliced: readonly SplicedTicker[], first: EpochDay): SplicedTicker[] =>
  spliced.flatMap(({ ticker, standIns }) => {
    const seen = standIns.filter(({ to }) => to >= first)
    return seen.length > 0 ? [{ ticker, standIns: seen }] : []
  })

/** What a reader must know before they believe the figures, one sentence a ticker. */
export function splicedNotes(spliced: readonly SplicedTicker[], start: EpochDay): string[] {
  return spliced.map(({ ticker, standIns }) => {
    const [symbol] = ticker.split('?')
    const last = standIns.at(-1)!.to
    const parts = standIns
      .map((one) => `${one.ticker} from ${formatDate(one.from)} to ${formatDate(one.to)}`)
      .join(', ')
    return last < start
      ? `${symbol} has prices of its own on every day of the result; history from before it, which features see, is ${parts}.`
      : `${symbol} has prices of its own only after ${formatDate(last)}. Before that it is ${parts}, joined by returns: ` +
          `${symbol} could not be held then.`
  })
}
