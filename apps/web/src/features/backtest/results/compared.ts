import type { BacktestComparison } from '@tradewright/contract/backtests'
import type { NamedLine } from '../../../ui/chart/draw-line-chart.ts'
import { pointsOf, SYNTHETIC_WATERMARK } from './curve-points.ts'

type Compared = BacktestComparison['compared'][number]

/** What a dollar at the first common close became. Equal names are numbered, since a legend goes by them. */
export function growthLines(compared: readonly Compared[]): NamedLine[] {
  const names = new Map<string, number>()
  return compared.map(({ name, dates, growth }) => {
    const seen = (names.get(name) ?? 0) + 1
    names.set(name, seen)
    return { name: seen === 1 ? name : `${name} (${seen})`, points: pointsOf(dates, growth) }
  })
}

/** One mark for the chart; the table names which results are synthetic. */
export function watermarkOf(compared: readonly Pick<Compared, 'synthetic'>[]): string | null {
  if (!compared.some(({ synthetic }) => synthetic)) return null
  return compared.every(({ synthetic }) => synthetic) ? SYNTHETIC_WATERMARK : 'In part synthetic sample data'
}

/** Those that ran longer than they are compared on. */
export const isCut = (
  { own_start_date, own_end_date }: Compared,
  { start_date, end_date }: Pick<BacktestComparison, 'start_date' | 'end_date'>,
): boolean => own_start_date !== start_date || own_end_date !== end_date
