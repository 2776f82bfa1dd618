import type { SeriesTable } from '../market/series.ts'

const VOLUME_DAYS = 20

/** Mean of close × volume over the last days that have both; undefined where none has. */
export function averageDollarVolume({ columns }: Pick<SeriesTable, 'columns'>): number | undefined {
  const { close, volume } = columns
  if (!close || !volume) return undefined
  const traded: number[] = []
  for (let row = close.length - 1; row >= 0 && traded.length < VOLUME_DAYS; row--) {
    if (close[row]! > 0 && volume[row]! > 0) traded.push(close[row]! * volume[row]!)
  }
  return traded.length === 0 ? undefined : traded.reduce((sum, value) => sum + value, 0) / traded.length
}
