import { ConstructionRequest } from '@tradewright/contract/construction'
import { expect, it } from 'vitest'
import { constructionForm } from '../../../test-support/constructions.ts'
import { toDomain } from './form.ts'

it('keeps the limits of all tickers, of one and of a group apart', () => {
  const { request } = toDomain(
    ConstructionRequest.parse({
      ...constructionForm,
      min_pct: 1,
      max_pct: 70,
      bounds: [{ ticker: 'SPY', min_pct: 5, max_pct: 60 }],
      groups: [{ name: 'Refuge', tickers: ['TLT', 'GLD'], min_pct: 20, max_pct: 80 }],
    }),
  )
  expect(request).toMatchObject({
    minPct: 1,
    maxPct: 70,
    bounds: [{ ticker: 'SPY', minPct: 5, maxPct: 60 }],
    groups: [{ name: 'Refuge', tickers: ['TLT', 'GLD'], minPct: 20, maxPct: 80 }],
  })
})
