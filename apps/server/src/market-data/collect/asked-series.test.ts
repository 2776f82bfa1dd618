import { MINUTE } from '@tradewright/core/time'
import { expect, it } from 'vitest'
import { AskedSeries } from './fetch-missing.ts'

it('an answer counts for minutes, but not for who asks for what may have come since', () => {
  let now = 1_000_000
  const asked = new AskedSeries(() => now)
  const range = { from: 0, to: 10 }
  asked.begin('SPY', range)({ kind: 'stored' })
  now += 2 * MINUTE
  expect(asked.recent('SPY', range)).toEqual({ kind: 'stored' })
  expect(asked.recent('SPY', range, now)).toBeUndefined()
  asked.begin('SPY', range)({ kind: 'stored' })
  expect(asked.recent('SPY', range, now)).toEqual({ kind: 'stored' })
})
