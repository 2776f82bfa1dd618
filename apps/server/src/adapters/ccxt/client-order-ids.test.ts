import { clientOrderId } from '@tradewright/engine/trading/client-order-id'
import { expect, it } from 'vitest'
import { toClientOrderId, toExchangeId } from './client-order-ids.ts'

const decidedFor = Date.parse('2026-11-17T15:30:00Z')
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

it('leaves an id as it is where it fits', () => {
  const ours = clientOrderId('0123456789ab', decidedFor, 'BTC-USD', 'buy')
  expect(toExchangeId(ours, 36)).toBe(ours)
  expect(toClientOrderId(ours, 'BTC-USD', 'buy')).toBe(ours)
})

it.each(['000000000000', '0123456789ab', 'ffffffffffff'])(
  'packs an id of deployment %s into a UUID, and reads it from the order alone',
  (key) => {
    for (const ticker of ['BTC-USD', 'ETH-USD', '1000SATS-USD']) {
      for (const side of ['buy', 'sell'] as const) {
        for (const part of [1, 2, 20, 'm'] as const) {
          const ours = clientOrderId(key, decidedFor, ticker, side, part)
          const sent = toExchangeId(ours, 18)
          expect(sent).toMatch(UUID)
          expect(toClientOrderId(sent, ticker, side)).toBe(ours)
        }
      }
    }
  },
)

it('gives every order of a decision an id of its own', () => {
  const tickers = ['BTC-USD', 'ETH-USD', 'SOL-USD', 'ADA-USD']
  const ids = tickers.flatMap((ticker) =>
    (['buy', 'sell'] as const).flatMap((side) =>
      ([1, 2, 3, 'm'] as const).map((part) =>
        toExchangeId(clientOrderId('0123456789ab', decidedFor, ticker, side, part), 18),
      ),
    ),
  )
  expect(new Set(ids).size).toBe(32)
})

it('leaves ids of other programs alone', () => {
  for (const foreign of [
    'x-TKT5PX2Fabc',
    '6d1b345e-2821-40e2-ad83-4ecb18a06876',
    '18eb9947-db49-4874-8e7b-39b8fe5f4317',
  ])
    expect(toClientOrderId(foreign, 'BTC-USD', 'buy')).toBe(foreign)
})
