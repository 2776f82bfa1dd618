interface AnnualBar {
  year: number
  /** Fractions of the plot's height, from its top. */
  own: { top: number; height: number } | null
  reference: { top: number; height: number } | null
  /** Some labels are left out where years are many. */
  hasLabel: boolean
}

interface AnnualPlot {
  bars: AnnualBar[]
  /** Round values with where they lie from the top. */
  ticks: { value: number; top: number }[]
}

interface Year {
  year: number
  own: number | null
  reference: number | null
}

const MAX_LABELS = 12
const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]
const MAX_TICKS = 5

/** Bars from the zero line, on a scale that ends at round values. */
export function annualPlot(years: readonly Year[]): AnnualPlot {
  const values = years.flatMap(({ own, reference }) => [own ?? 0, reference ?? 0])
  const [lowest, highest] = [Math.min(0, ...values), Math.max(0, ...values)]
  const step = STEPS.find((one) => (highest - lowest) / one <= MAX_TICKS - 1) ?? highest - lowest
  const bottom = Math.floor(lowest / step) * step
  const top = Math.max(bottom + step, Math.ceil(highest / step) * step)
  const placeOf = (value: number) => (top - value) / (top - bottom)
  const barOf = (value: number | null) =>
    value === null
      ? null
      : { top: placeOf(Math.max(0, value)), height: placeOf(Math.min(0, value)) - placeOf(Math.max(0, value)) }
  const every = Math.ceil(years.length / MAX_LABELS)
  const count = Math.round((top - bottom) / step)
  return {
    bars: years.map(({ year, own, reference }, at) => ({
      year,
      own: barOf(own),
      reference: barOf(reference),
      hasLabel: (years.length - 1 - at) % every === 0,
    })),
    ticks: Array.from({ length: count + 1 }, (_, at) => {
      const value = top - at * step
      return { value, top: placeOf(value) }
    }),
  }
}

/** Years that the run covers in part: it begins after the first week, or ends before the last. */
export function partYears(dates: readonly string[]): number[] {
  const [first = '', last = ''] = [dates[0]?.slice(0, 10), dates.at(-1)?.slice(0, 10)]
  const begins = first.slice(5) > '01-07' && first.slice(5) < '12-25' ? [Number(first.slice(0, 4))] : []
  const ends = last.slice(5) < '12-25' ? [Number(last.slice(0, 4))] : []
  return [...new Set([...begins, ...ends])]
}
