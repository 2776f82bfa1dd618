import { expect, it } from 'vitest'
import { downsampledPositions } from './downsample.ts'

it('leaves a short list as it is', () => {
  expect(downsampledPositions(3, 3)).toEqual([0, 1, 2])
  expect(downsampledPositions(0, 3)).toEqual([])
})

it('thins to the limit, in order, and keeps both ends [PORT-038]', () => {
  for (const count of [366, 367, 2520, 10_000]) {
    const positions = downsampledPositions(count, 365)
    expect(positions).toHaveLength(365)
    expect([positions[0], positions.at(-1)]).toEqual([0, count - 1])
    expect(new Set(positions).size).toBe(365)
    expect(positions.toSorted((a, b) => a - b)).toEqual(positions)
  }
})
