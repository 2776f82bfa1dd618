import type { Portfolio } from '@tradewright/contract/portfolio'

export const EQUITY_PERIODS = ['1M', '3M', 'YTD', '1Y', 'All'] as const
export type EquityPeriod = (typeof EQUITY_PERIODS)[number]

type Day = Portfolio['full_history'][number]

/** Days of the period; it begins with the last day on or before its start, whose close is what changes are counted from. */
export function daysIn(history: readonly Day[], period: EquityPeriod): readonly Day[] {
  const last = history.at(-1)
  if (!last || period === 'All') return history
  const start = startOf(period, last.date)
  const base = history.findLastIndex(({ date }) => date <= start)
  return history.slice(Math.max(0, base))
}

const MONTHS = { '1M': 1, '3M': 3, '1Y': 12 } as const

function startOf(period: Exclude<EquityPeriod, 'All'>, date: string): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  if (period === 'YTD') return `${year - 1}-12-31`
  const months = year * 12 + month - 1 - MONTHS[period]
  const [startYear, startMonth] = [Math.floor(months / 12), months % 12]
  const lastOfMonth = new Date(Date.UTC(startYear, startMonth + 1, 0)).getUTCDate()
  return new Date(Date.UTC(startYear, startMonth, Math.min(day, lastOfMonth))).toISOString().slice(0, 10)
}

interface Change {
  since: string
  /** Without deposits and withdrawals. */
  gain: number
  /** Null where there were cash flows and the growth without them is not known. */
  fraction: number | null
  hasFlows: boolean
}

/** What the account earned in the period; null where there is no earlier day to compare with. */
export function changeIn(portfolio: Pick<Portfolio, 'equity' | 'growth'>, days: readonly Day[]): Change | null {
  const [base] = days
  if (!base || days.length < 2) return null
  const flows = days.slice(1).reduce((sum, { net_amount }) => sum + net_amount, 0)
  const hasFlows = days.slice(1).some(({ net_amount }) => net_amount !== 0)
  const gain = portfolio.equity - base.equity - flows
  const fraction = hasFlows ? growthSince(portfolio.growth, base.date) : base.equity > 0 ? gain / base.equity : null
  return { since: base.date, gain, fraction, hasFlows }
}

function growthSince(growth: Portfolio['growth'], date: string): number | null {
  const from = growth.find((point) => point.date === date)?.portfolio
  const to = growth.at(-1)?.portfolio
  return from && to !== null && to !== undefined ? to / from - 1 : null
}
