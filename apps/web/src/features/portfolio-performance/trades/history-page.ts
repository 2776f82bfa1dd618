import type { Portfolio } from '@tradewright/contract/portfolio'

export const HISTORY_ROWS = 50

type Day = Portfolio['full_history'][number]

interface HistoryRow extends Day {
  /** Gain or loss since the day before, without what was paid in or out; null for the first day. */
  change: number | null
}

/** A page of 50 days, newest first. Pages count from 1; the history is kept oldest first. */
export function historyPage(history: readonly Day[], page: number): HistoryRow[] {
  const end = history.length - (page - 1) * HISTORY_ROWS
  const rows: HistoryRow[] = []
  for (let index = end - 1; index >= Math.max(0, end - HISTORY_ROWS); index -= 1) {
    const { date, equity, net_amount } = history[index]!
    const before = history[index - 1]
    rows.push({ date, equity, net_amount, change: before ? equity - before.equity - net_amount : null })
  }
  return rows
}
