import fc from 'fast-check'
import { expect, it } from 'vitest'
import { equityLines, growthDrawing, hasDots, downsampled } from './equity-card.tsx'

it('thins more than 365 points and always keeps the first and the last [PORT-038]', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5_000 }), (length) => {
      const all = Array.from({ length }, (_, index) => index)
      const kept = downsampled(all)
      expect(kept.length).toBe(Math.min(length, 365))
      expect([kept[0], kept.at(-1)]).toEqual([0, length - 1])
      expect(new Set(kept).size).toBe(kept.length)
    }),
  )
  expect(downsampled([])).toEqual([])
})

it('hides the dots above 100 samples [PORT-039]', () => {
  expect([hasDots(100), hasDots(101)]).toEqual([true, false])
  const history = (length: number) =>
    Array.from({ length }, (_, index) => ({ date: new Date(index * 86_400_000).toISOString().slice(0, 10), equity: 1 }))
  expect(equityLines({ history: history(100), synthetic: false }).hasDots).toBe(true)
  expect(equityLines({ history: history(101), synthetic: false }).hasDots).toBe(false)
})

it('draws the account against both benchmarks as change since the start, and marks made-up data', () => {
  const growth = [
    { date: '2026-01-02', portfolio: 1, spy: 1, tqqq: null },
    { date: '2026-01-05', portfolio: 1.25, spy: 1.1, tqqq: null },
  ]
  const drawing = growthDrawing({ growth, synthetic: false, benchmarks_synthetic: true })
  expect(drawing.lines.map(({ name }) => name)).toEqual(['Your account', 'SPY'])
  expect(drawing.format(1.25)).toBe('+25.0%')
  expect(drawing.watermark).toBe('Synthetic sample data')
})
