import { expect, it } from 'vitest'
import { sampleRun } from '../test-support/sample-run.ts'
import { doOverlap, placesOf, splitParts } from './result-head.tsx'

const results = sampleRun().results!

it('shows train, test and hold-out with their dates [OPT-032]', () => {
  expect(splitParts(results).map(({ name, from, to }) => [name, from, to])).toEqual([
    ['Train period', '2024-11-14', '2025-09-01'],
    ['Test period', '2025-09-02', '2026-06-30'],
    ['Hold-out', '2026-07-01', '2026-11-14'],
  ])
  const period = null
  const without = { ...results, luck: { ...results.luck, hold_out: { ...results.luck.hold_out, period } } }
  expect(splitParts(without).map(({ kind }) => kind)).toEqual(['train', 'test'])
})

it('knows parts that lie one after the other from those of walk-forward, which do not', () => {
  const rolling = [
    { from: '2025-01-01', to: '2025-05-01' },
    { from: '2025-03-01', to: '2025-07-01' },
  ]
  expect(doOverlap(splitParts(results))).toBe(false)
  expect(doOverlap(rolling)).toBe(true)
})

it('puts every part where it lies in time, also a single day', () => {
  const places = placesOf([
    { from: '2025-01-01', to: '2025-01-07' },
    { from: '2025-01-05', to: '2025-01-11' },
  ])
  expect(places).toEqual([
    { left: 0, width: 60 },
    { left: 40, width: 60 },
  ])
  expect(placesOf([{ from: '2025-01-01', to: '2025-01-01' }])).toEqual([{ left: 0, width: 0 }])
})
