import { expect, it } from 'vitest'
import { memoryReport } from './memory.ts'

const samples = (megabytesAt: (requests: number) => number) =>
  Array.from({ length: 100 }, (_, i) => ({ requests: i * 100, megabytes: megabytesAt(i * 100) }))

it('takes memory that rises while it warms up and then swings for flat', () => {
  const report = memoryReport(samples((requests) => Math.min(400, 150 + requests / 5) + (requests % 300) / 10))
  expect(report).toMatchObject({ isGrowing: false, peakMb: 420 })
  expect(Math.abs(report!.mbPer10000)).toBeLessThan(5)
})

it('reports a leak with its slope', () => {
  const report = memoryReport(samples((requests) => 200 + requests / 50))
  expect(report?.isGrowing).toBe(true)
  expect(report?.mbPer10000).toBeCloseTo(200)
})

it('has no verdict about a few seconds', () => {
  expect(memoryReport(samples(() => 200).slice(0, 8))).toBeUndefined()
})
