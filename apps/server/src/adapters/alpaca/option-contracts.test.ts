import { fillEntries } from '@tradewright/engine/trading/ledger/broker-entries'
import { expect, it } from 'vitest'
import { toPosition } from './account-mapping.ts'
import { toActivity } from './activity-mapping.ts'
import { toFills } from './fills.ts'
import { AlpacaActivity, AlpacaPosition } from './schema.ts'

const SYMBOL = 'AAPL260116C00200000'

it('a position in options is worth a hundred times its price per share', () => {
  const position = toPosition(
    AlpacaPosition.parse({
      symbol: SYMBOL,
      asset_class: 'us_option',
      qty: '2',
      avg_entry_price: '21',
      current_price: '20.5',
      market_value: '4100',
    }),
  )
  expect(String(position.price)).toBe('2050')
  expect(String(position.averageEntryPrice)).toBe('2100')
  expect(position.quantity.times(position.price)).toEqual(position.marketValue)
})

it('an option that was bought by hand is booked with all that was paid for it', async () => {
  const trade = toActivity(
    AlpacaActivity.parse({
      id: '20260303150000000::1',
      activity_type: 'FILL',
      transaction_time: '2026-03-03T15:00:00Z',
      symbol: SYMBOL,
      side: 'buy',
      qty: '1',
      price: '21',
      order_id: 'by-hand',
    }),
  )
  const [fill] = await toFills([trade!], () => Promise.resolve(undefined), 0)
  expect(fillEntries(fill!, undefined).map(({ amount, note }) => `${String(amount)}: ${note}`)).toEqual([
    `2100: Bought 1 ${SYMBOL} at $2,100.00`,
  ])
})
