import type { BacktestComparison } from '@tradewright/contract/backtests'
import type { NamedLine } from '../../../../ui/chart/draw-chart.ts'
import { splicedDays } from '../../../../strategy-form/data/spliced-days.tsx'
import { pointsOf, SYNTHETIC_WATERMARK } from '../curve/curve-points.ts'

type Compared = BacktestComparison['compared'][number]

/** What a dollar at the first common close became. */
export function growthLines(compared: readonly Compared[]): NamedLine[] {
  const names = numbered(compared.map(({ name }) => name))
  return compared.map(({ dates, growth }, position) => ({ name: names[position]!, points: pointsOf(dates, growth) }))
}

/** Equal names are told apart by a number, since a legend goes by them. */
export function numbered(names: readonly string[]): string[] {
  const counts = new Map<string, number>()
  return names.map((name) => {
    const seen = (counts.get(name) ?? 0) + 1
    counts.set(name, seen)
    return seen === 1 ? name : `${name} (${seen})`
  })
}

/** One mark for the chart; the table names which results are synthetic. */
export function watermarkOf(compared: readonly Pick<Compared, 'synthetic'>[]): string | null {
  if (!compared.some(({ synthetic }) => synthetic)) return null
  return compared.every(({ synthetic }) => synthetic) ? SYNTHETIC_WATERMARK : 'In part synthetic sample data'
}

/** Days on which any of them trades prices of others. */
export const splicedOf = (compared: readonly Pick<Compared, 'spliced_tickers' | 'dates'>[]) =>
  splicedDays(
    compared.flatMap(({ spliced_tickers }) => spliced_tickers),
    compared[0]?.dates[0],
  )

/** True for a run that is longer than what it is compared on. */
export const isCut = (
  { own_start_date, own_end_date }: Compared,
  { start_date, end_date }: Pick<BacktestComparison, 'start_date' | 'end_date'>,
): boolean => own_start_date !== start_date || own_end_date !== end_date
