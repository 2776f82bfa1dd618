import { expect, it } from 'vitest'
import { readSavedStrategy } from './saved-strategy.ts'

it('a deployment keeps what the form says about mixed prices and about tickers that end', () => {
  const at = new Date(0)
  const config = {
    allocations: [{ ticker: 'SPY', allocation: 100 }],
    allowMixedPrices: true,
    endedTicker: 'replace',
    replacementTicker: 'QQQ',
  }
  const strategy = { id: 1, name: 'One', description: null, type: 'Asset Allocation' as const, config }
  const { request } = readSavedStrategy({ ...strategy, createdAt: at, updatedAt: at })
  expect(request).toMatchObject({ allowMixedPrices: true, endedTicker: 'replace', replacementTicker: 'QQQ' })
})
