/** In UTC, as the server counts days: a local date may be a future one to it. */
export const todayUtc = (): string => new Date().toISOString().slice(0, 10)

/** Before the first ETF: a run begins where the youngest of its tickers does, and says so. */
export const LONGEST_PERIOD_START = '1993-01-01'

/** The same day so many years earlier, or the last of its month. `date` is `YYYY-MM-DD`. */
export function yearsBefore(date: string, years: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const lastOfMonth = new Date(Date.UTC(year - years, month, 0)).getUTCDate()
  return new Date(Date.UTC(year - years, month - 1, Math.min(day, lastOfMonth))).toISOString().slice(0, 10)
}
