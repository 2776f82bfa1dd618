import type { StudioResult } from '../answer/studio-result.ts'

interface YearRow {
  year: number
  /** January first; null where the run has no such month. */
  byMonth: (number | null)[]
  whole: number | null
}

/** Newest year first. */
export function yearRows(months: StudioResult['monthly_returns'], years: StudioResult['yearly_returns']): YearRow[] {
  const inOrder = [...new Set(months.map(({ year }) => year))].sort((a, b) => b - a)
  return inOrder.map((year) => ({
    year,
    byMonth: Array.from({ length: 12 }, (_, month) => {
      const found = months.find((one) => one.year === year && one.month === month + 1)
      return found?.return ?? null
    }),
    whole: years.find((one) => one.year === year)?.return ?? null,
  }))
}

/** Three strengths either way: under 2%, under 5%, more. */
export function heatOf(value: number | null): string | undefined {
  if (value === null) return undefined
  const size = Math.abs(value)
  const strength = size < 0.02 ? 1 : size < 0.05 ? 2 : 3
  return `${value < 0 ? 'loss' : 'gain'}-${strength}`
}
