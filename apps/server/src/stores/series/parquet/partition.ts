import { lowerBound } from '@tradewright/core/column'
import { civilDate, DAY, dayStamp, epochDayOf, toEpochDay, type UtcMillis } from '@tradewright/core/time'
import { isIntraday } from '@tradewright/core/granularity'
import { type Run, sliceColumn } from '../runs/run.ts'

export type PartitionStrategy = 'date' | 'ticker' | 'date_ticker' | 'none'

/** Sorts runs into the folders of a strategy, in the usual `name=value` form; the empty name is "no folder". */
export function partitionRuns(runs: readonly Run[], strategy: PartitionStrategy): Map<string, Run[]> {
  const partitions = new Map<string, Run[]>()
  for (const run of runs) {
    for (const [folder, part] of FOLDERS[strategy](run)) {
      const others = partitions.get(folder)
      if (others) others.push(part)
      else partitions.set(folder, [part])
    }
  }
  return partitions
}

const FOLDERS: Record<PartitionStrategy, (run: Run) => [string, Run][]> = {
  none: (run) => [['', run]],
  ticker: (run) => [[tickerFolder(run), run]],
  date: splitByDate,
  date_ticker: (run) => splitByDate(run).map(([date, part]) => [`${date}/${tickerFolder(run)}`, part]),
}

const tickerFolder = ({ words }: Run): string => `ticker=${folderName(words.ticker)}`

/** Years for daily rows, months for intraday ones: a folder per day would hold a few kilobytes. */
function splitByDate(run: Run): [string, Run][] {
  const byMonth = isIntraday(run.words.granularity)
  const { timestamps } = run.column
  const parts: [string, Run][] = []
  for (let start = 0; start < timestamps.length;) {
    const { name, end } = periodOf(timestamps[start]!, byMonth)
    const stop = lowerBound(timestamps, end, start)
    parts.push([`date=${name}`, { words: run.words, column: sliceColumn(run.column, start, stop) }])
    start = stop
  }
  return parts
}

/** Stamps of no calendar, which only bronze may have, share two folders. */
const FIRST_STAMP = dayStamp(toEpochDay(1, 1, 1))
const LAST_STAMP = dayStamp(toEpochDay(9999, 12, 31)) + DAY - 1

function periodOf(stamp: UtcMillis, byMonth: boolean): { name: string; end: UtcMillis } {
  if (stamp < FIRST_STAMP) return { name: 'before', end: FIRST_STAMP }
  if (stamp > LAST_STAMP) return { name: 'after', end: Number.POSITIVE_INFINITY }
  const { year, month } = civilDate(epochDayOf(stamp))
  const yearText = String(year).padStart(4, '0')
  if (!byMonth) return { name: yearText, end: dayStamp(toEpochDay(year + 1, 1, 1)) }
  const end = month === 12 ? toEpochDay(year + 1, 1, 1) : toEpochDay(year, month + 1, 1)
  return { name: `${yearText}-${String(month).padStart(2, '0')}`, end: dayStamp(end) }
}

/** Letters, digits, `_` and `-` stay: a ticker such as `..` or `BRK/B` must not lead anywhere else. */
const folderName = (ticker: string): string =>
  Array.from(new TextEncoder().encode(ticker), (byte) => {
    const letter = String.fromCharCode(byte)
    return /[A-Za-z0-9_-]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')
