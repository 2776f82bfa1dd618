import { expect, it } from 'vitest'
import { annualPlot, partYears } from './annual-bars.ts'

it('draws bars from the zero line of a round scale', () => {
  const { bars, ticks } = annualPlot([
    { year: 2020, own: 0.2, reference: 0.1 },
    { year: 2021, own: -0.1, reference: null },
  ])
  expect(ticks.map(({ value }) => Number(value.toFixed(4)))).toEqual([0.2, 0.1, 0, -0.1])
  expect(bars[0]!.own!.top).toBe(0)
  expect(bars[0]!.own!.height).toBeCloseTo(2 / 3, 12)
  expect(bars[1]!.own!.top).toBeCloseTo(2 / 3, 12)
  expect(bars[1]!.own!.height).toBeCloseTo(1 / 3, 12)
  expect(bars[1]!.reference).toBeNull()
})

it('labels the newest year, and no more than a dozen', () => {
  const years = Array.from({ length: 30 }, (_, at) => ({ year: 1990 + at, own: 0.1, reference: null }))
  const labelled = annualPlot(years).bars.filter(({ hasLabel }) => hasLabel)
  expect(labelled.length).toBeLessThanOrEqual(12)
  expect(labelled.at(-1)!.year).toBe(2019)
})

it('has a scale where nothing was earned', () => {
  expect(annualPlot([{ year: 2020, own: 0, reference: null }]).bars[0]!.own).toEqual({ top: 1, height: 0 })
})

it('names the years that a run covers in part', () => {
  expect(partYears(['2006-02-07', '2025-09-29'])).toEqual([2006, 2025])
  expect(partYears(['2006-01-03', '2024-12-31'])).toEqual([])
  expect(partYears(['2005-12-30', '2024-12-31'])).toEqual([])
  expect(partYears(['2020-03-02', '2020-06-30'])).toEqual([2020])
})
