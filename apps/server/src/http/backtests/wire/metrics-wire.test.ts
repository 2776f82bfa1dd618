import { curveMetrics } from '@tradewright/engine/backtest/metrics'
import { expect, it } from 'vitest'
import { curveMetricsToWire, metricNotes } from './metrics-wire.ts'

it('answers null and a reason for a figure that a result was saved without', () => {
  const growth = Float64Array.of(1, 1.1, 0.99, 1.2)
  const { calmar: _, ...saved } = curveMetrics(Int32Array.of(0, 1, 2, 3), growth, {
    barsPerYear: 252,
    riskFree: undefined,
  })
  expect(curveMetricsToWire(saved).calmar).toBeNull()
  expect(metricNotes(saved, ['curve'], 'metrics.')).toMatchObject({
    'metrics.calmar': 'the result was saved before this figure was added; run it again',
  })
})

it('says why a run without returns has no best day, month or year', () => {
  const notes = metricNotes({}, ['run'])
  expect(Object.keys(notes)).toEqual(expect.arrayContaining(['best_day', 'worst_month', 'best_year']))
})
