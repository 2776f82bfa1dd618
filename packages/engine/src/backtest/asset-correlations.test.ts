import { expect, it } from 'vitest'
import { assetCorrelations } from './asset-correlations.ts'

const columns = [Float64Array.of(1, 2, 1, 2), Float64Array.of(2, 1, 2, 1), Float64Array.of(5, 5, 5, 5)]
const prices = {
  tickers: ['UP', 'DOWN', 'STILL'],
  timestamps: new Float64Array(4),
  days: new Int32Array(4),
  open: columns,
  close: columns,
  dividends: [undefined, undefined, undefined],
}

it('has no correlation with what does not move, and leaves out what was not held', () => {
  const { tickers, matrix } = assetCorrelations(prices, new Set(['UP', 'DOWN', 'STILL']), 4)!
  expect(tickers).toEqual(['UP', 'DOWN', 'STILL'])
  expect(matrix[0]![1]).toBeCloseTo(-1, 12)
  expect(matrix[2]).toEqual([null, null, 1])
  expect(assetCorrelations(prices, new Set(['UP']), 4)!.tickers).toEqual(['UP'])
})
