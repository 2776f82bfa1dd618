import type { BacktestComparison } from '@tradewright/contract/backtests'
import { metricOf } from '@tradewright/core/metric-catalogue'
import { expect, it } from 'vitest'
import { bestOf, noiseOf, onlyBest, rowGroups } from './best-of-row.ts'

type Compared = BacktestComparison['compared'][number]

const column = (figures: Record<string, unknown>) => ({ metrics: figures }) as unknown as Compared

const period = (start_date: string, end_date: string, compared: Compared[]) => ({ start_date, end_date, compared })

it('marks the highest return, the lowest volatility and the smallest fall', () => {
  const columns = [
    column({ cagr: 0.12, volatility: 0.18, max_drawdown: { depth: -0.5 } }),
    column({ cagr: 0.08, volatility: 0.1, max_drawdown: { depth: -0.27 } }),
  ]
  expect(bestOf(metricOf('cagr'), columns, null)).toBe(0)
  expect(bestOf(metricOf('volatility'), columns, null)).toBe(1)
  expect(bestOf(metricOf('maxDrawdown'), columns, null)).toBe(1)
})

it('marks none where two read alike, only one has a value, or neither direction is better', () => {
  expect(onlyBest([0.1201, 0.1202], ['12.0%', '12.0%'])).toBeNull()
  expect(bestOf(metricOf('cagr'), [column({ cagr: 0.1 }), column({ cagr: null })], null)).toBeNull()
  expect(bestOf(metricOf('skewness'), [column({ skewness: 1 }), column({ skewness: 2 })], null)).toBeNull()
})

it('marks no return for risk while the best Sharpe is within the noise of the next', () => {
  const columns = [column({ sharpe: 0.87, sortino: 1.21 }), column({ sharpe: 0.68, sortino: 0.96 })]
  const noise = noiseOf(period('2006-02-07', '2025-09-29', columns))
  expect(noise?.band).toBeCloseTo(0.44, 2)
  expect(bestOf(metricOf('sharpe'), columns, noise)).toBeNull()
  expect(bestOf(metricOf('sortino'), columns, noise)).toBeNull()
  const far = [column({ sharpe: 1.4 }), column({ sharpe: 0.6 })]
  expect(bestOf(metricOf('sharpe'), far, noiseOf(period('2006-02-07', '2025-09-29', far)))).toBe(0)
})

it('has every metric of a growth curve in one group', () => {
  expect(rowGroups.map(({ title, metrics }) => [title, metrics.map(({ key }) => key).slice(0, 3)])).toEqual([
    ['Return', ['cagr', 'totalReturn']],
    ['Risk', ['volatility', 'maxDrawdown', 'ulcerIndex']],
    ['Return for risk', ['sharpe', 'sortino', 'calmar']],
  ])
})
