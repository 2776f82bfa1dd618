import { ConstructionRequest } from '@tradewright/contract/construction'
import { expect, it } from 'vitest'
import { constructionForm } from '../../../test-support/constructions.ts'
import { run } from './read-form-task.ts'

it('keeps the limits of all tickers, of one and of a group apart', () => {
  const body = ConstructionRequest.parse({
    ...constructionForm,
    min_pct: 1,
    max_pct: 70,
    bounds: [{ ticker: 'SPY', min_pct: 5, max_pct: 60 }],
    groups: [{ name: 'Refuge', tickers: ['TLT', 'GLD'], min_pct: 20, max_pct: 80 }],
  })
  const { request } = run({ body, now: Date.parse('2026-03-02T12:00:00Z') })
  expect(request).toMatchObject({
    minPct: 1,
    maxPct: 70,
    bounds: [{ ticker: 'SPY', minPct: 5, maxPct: 60 }],
    groups: [{ name: 'Refuge', tickers: ['TLT', 'GLD'], minPct: 20, maxPct: 80 }],
  })
})
