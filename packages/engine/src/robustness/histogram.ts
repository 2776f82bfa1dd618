import type { Details, Unit } from './check.ts'

type Histogram = Extract<Details, { kind: 'histogram' }>

const BINS = 30

/** Counts of values in steps of equal width that also hold `actual`. */
export function histogramOf(values: Float64Array, actual: number, unit: Unit, marked: Histogram['marked']): Histogram {
  let [low, high, sum] = [actual, actual, 0]
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
    sum += value
  }
  const step = high > low ? (high - low) / BINS : 1
  const counts = Array.from({ length: BINS }, () => 0)
  for (const value of values) counts[Math.min(BINS - 1, Math.floor((value - low) / step))]!++
  return { kind: 'histogram', unit, from: low, step, counts, actual, mean: sum / values.length, marked }
}
