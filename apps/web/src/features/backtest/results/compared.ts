import type { StudioResult } from '../answer/studio-result.ts'
import type { NamedLine } from '../../../ui/draw-line-chart.ts'
import { pointsOf } from './curve-points.ts'

/** More lines than this cannot be told apart. */
export const MOST_COMPARED = 4

export interface Compared {
  /** Empty for the result on show. */
  id: string
  name: string
  result: StudioResult
}

/** Each account as a multiple of what it started with. Equal names are numbered, since a legend goes by them. */
export function growthLines(compared: readonly Compared[]): NamedLine[] {
  const names = new Map<string, number>()
  return compared.map(({ name, result }) => {
    const seen = (names.get(name) ?? 0) + 1
    names.set(name, seen)
    const start = result.settings.start_value
    const growth = result.account_value_history.map((value) => value / start)
    return { name: seen === 1 ? name : `${name} (${seen})`, points: pointsOf(result.test_dates, growth) }
  })
}
