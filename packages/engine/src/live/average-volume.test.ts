import { expect, it } from 'vitest'
import { averageDollarVolume } from './average-volume.ts'

const table = (close: number[], volume?: number[]) => ({
  columns: { close: Float64Array.from(close), ...(volume && { volume: Float64Array.from(volume) }) },
})

it('the average volume is in dollars, over the last 20 days that have one', () => {
  expect(averageDollarVolume(table([10, 20], [100, 100]))).toBe(1_500)
  const days = Array.from({ length: 25 }, (_, day) => (day < 5 ? 1e9 : 2))
  expect(
    averageDollarVolume(
      table(
        days,
        days.map(() => 3),
      ),
    ),
  ).toBe(6)
  expect(averageDollarVolume(table([10, Number.NaN, 20], [100, 5, 0]))).toBe(1_000)
})

it('there is none without a volume', () => {
  expect(averageDollarVolume(table([10, 20]))).toBeUndefined()
  expect(averageDollarVolume(table([10], [0]))).toBeUndefined()
})
