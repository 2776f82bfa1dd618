import { civilDate, DAY, dayStamp, type EpochDay, HOUR, MINUTE, toEpochDay, weekday } from '@tradewright/core/time'
import { publishedAt } from '../known-at.ts'
import type { Rows } from '../layers/rows.ts'
import { type Economy, type EconomicMonth, roundTo } from './economy.ts'

/** The statistics offices publish at 8:30 in New York; we take the later of the two seasons. */
const MORNING = 13 * HOUR + 30 * MINUTE

const nextMonth = (day: EpochDay): EpochDay => {
  const { year, month } = civilDate(day)
  return month === 12 ? toEpochDay(year + 1, 1, 1) : toEpochDay(year, month + 1, 1)
}

const firstFriday = (monthStart: EpochDay): EpochDay => monthStart + ((5 - weekday(monthStart) + 7) % 7)

interface MonthlySeries {
  readonly value: (month: EconomicMonth) => number
  /** From the first day of the month after. */
  readonly published: (nextMonthStart: EpochDay) => EpochDay
}

const MONTHLY: Readonly<Record<string, MonthlySeries>> = {
  CPIAUCSL: { value: (month) => month.priceIndex, published: (start) => start + 12 },
  CPIAUCNS: { value: (month) => month.seasonalPriceIndex, published: (start) => start + 12 },
  UNRATE: { value: (month) => month.unemployment, published: firstFriday },
  FEDFUNDS: { value: (month) => month.fedFunds, published: (start) => start + 1 },
  TB3MS: { value: (month) => month.bill, published: (start) => start + 1 },
}

const DAILY: Readonly<Record<string, (economy: Economy) => Float64Array>> = {
  DTB3: (economy) => economy.bill,
  DFF: (economy) => economy.fedFunds,
  DGS10: (economy) => economy.tenYear,
}

export const economicUniverse: readonly string[] = [...Object.keys(MONTHLY), ...Object.keys(DAILY)]

/** Every observation of one series with the instant it was published. */
export function economicSeries(ticker: string, economy: Economy, sessions: Int32Array): Rows {
  const monthly = MONTHLY[ticker]
  if (monthly) return monthlySeries(monthly, economy)
  const daily = DAILY[ticker]
  if (!daily) throw new RangeError(`the sample market has no economic series ${ticker}`)
  const timestamps = new Float64Array(sessions).map(dayStamp)
  return {
    timestamps,
    columns: { value: daily(economy).map((rate) => roundTo(rate, 2)) },
    knownAt: timestamps.map((stamp) => publishedAt(stamp, 'daily')),
  }
}

function monthlySeries({ value, published }: MonthlySeries, { months }: Economy): Rows {
  return {
    timestamps: Float64Array.from(months, ({ firstDay }) => dayStamp(firstDay)),
    columns: { value: Float64Array.from(months, value) },
    knownAt: Float64Array.from(months, ({ firstDay }) => published(nextMonth(firstDay)) * DAY + MORNING),
  }
}
