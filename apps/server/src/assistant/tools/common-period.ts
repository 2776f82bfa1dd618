import { lastAtOrBefore } from '@tradewright/core/column'
import { dayStamp, type EpochDay, epochDayOf } from '@tradewright/core/time'
import type { SeriesFor } from '../../market-data/series-for.ts'
import type { Caller } from '../tool.ts'
import { type PriceAnswer, type PriceSeries, priceSeries } from './price-series.ts'

/** Weekends, holidays and the day that is not over: last dates this close together are the same. */
export const SAME_DATE_DAYS = 7
/** An imported history may have ended long ago. */
const MAX_BACK_DAYS = 10 * 366

interface CommonPeriod extends PriceAnswer {
  /** The last day that all series have; undefined where there is none. */
  readonly end: EpochDay | undefined
  /** Tickers whose own last date is that day, where it is not today's. */
  readonly endingFirst: readonly string[]
}

/** Series of so many days up to the last day that all of them have, so that their changes can be compared. */
export async function commonPeriod(
  seriesFor: SeriesFor,
  caller: Caller,
  tickers: readonly string[],
  { today, days }: { today: EpochDay; days: number },
): Promise<CommonPeriod> {
  const read = (asked: readonly string[], to: EpochDay, back: number) =>
    priceSeries(seriesFor, caller, asked, { from: to - back, to })
  const recent = await read(tickers, today, days)
  const absent = recent.missing.map(({ ticker }) => ticker)
  const older = absent.length > 0 ? await read(absent, today, MAX_BACK_DAYS) : { series: [], missing: [] }
  const all = [...recent.series, ...older.series]
  if (all.length === 0) return { series: [], missing: recent.missing, end: undefined, endingFirst: [] }
  // An economic series is published late; it does not end a comparison of prices.
  const prices = all.filter(({ isPrice }) => isPrice)
  const end = Math.min(...(prices.length > 0 ? prices : all).map(lastDayOf))
  if (today - end <= SAME_DATE_DAYS) {
    return { series: all, missing: older.missing, end, endingFirst: [] }
  }
  const { series } = await read(
    all.map(({ ticker }) => ticker),
    end,
    days,
  )
  const endingFirst = prices.filter((one) => lastDayOf(one) - end <= SAME_DATE_DAYS).map(({ ticker }) => ticker)
  return { series: series.flatMap((one) => upTo(one, end) ?? []), missing: older.missing, end, endingFirst }
}

const lastDayOf = ({ timestamps }: Pick<PriceSeries, 'timestamps'>): EpochDay => epochDayOf(timestamps.at(-1)!)

/** The rows up to a day; undefined where there are none. */
function upTo(series: PriceSeries, day: EpochDay): PriceSeries | undefined {
  const rows = lastAtOrBefore(series.timestamps, dayStamp(day)) + 1
  if (rows === 0) return undefined
  const { timestamps, raw, adjusted } = series
  return {
    ...series,
    timestamps: timestamps.subarray(0, rows),
    raw: raw.subarray(0, rows),
    adjusted: adjusted.subarray(0, rows),
  }
}
