import type { BacktestComparison } from '@tradewright/contract/backtests'
import { formatDate, formatDateRange } from '../../../lib/format-time.ts'

type Period = Pick<BacktestComparison, 'start_date' | 'end_date' | 'start_ticker' | 'end_ticker'>

/** The common period, and which ticker is the reason for where it begins and ends. */
export function periodSentence({ start_date, end_date, start_ticker, end_ticker }: Period): string {
  const parts = [`${formatDateRange(start_date, end_date)}, the period that all of them have in common.`]
  if (start_ticker !== null) {
    parts.push(`It starts on ${formatDate(start_date)} because ${bare(start_ticker)} starts then.`)
  }
  if (end_ticker !== null) parts.push(`It ends on ${formatDate(end_date)} because ${bare(end_ticker)} ends then.`)
  return parts.join(' ')
}

/** The prices are those of the ticker without its leverage. */
const bare = (ticker: string) => ticker.split('?')[0]
