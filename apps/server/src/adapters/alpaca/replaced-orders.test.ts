import { Decimal } from '@tradewright/core/decimal'
import { Problem } from '@tradewright/core/problem'
import { expect, it } from 'vitest'
import { REFUSED } from './failures.ts'
import type { AlpacaHttp } from './http.ts'
import { ReplacedOrders } from './replaced-orders.ts'
import { AlpacaOrder } from './schema.ts'

it('gives up on orders that replace each other without end', async () => {
  const cancelled: string[] = []
  const http = {
    delete: (path: string) => {
      cancelled.push(path)
      return Promise.reject(new Problem('invalid', REFUSED, 'The order has ended.'))
    },
    find: (_schema: unknown, path: string) =>
      Promise.resolve({ status: 'replaced', replaced_by: path.endsWith('/a') ? 'b' : 'a' }),
  }
  const orders = new ReplacedOrders(http as unknown as AlpacaHttp)
  await expect(orders.cancel('a')).rejects.toMatchObject({ kind: 'conflict', code: REFUSED })
  expect(cancelled.length).toBeLessThan(100)
})

const order = (id: string, next: string) =>
  AlpacaOrder.parse({
    id,
    client_order_id: `tw-${id}`,
    symbol: 'SPY',
    side: 'buy',
    type: 'market',
    time_in_force: 'day',
    status: 'replaced',
    qty: '10',
    filled_qty: '2',
    filled_avg_price: '400',
    replaced_by: next,
    replaces: next,
  })

it.each([
  ['itself', [order('a', 'a')], '2'],
  ['each other', [order('a', 'b'), order('b', 'a')], '4'],
  ['each other, after a first one', [order('a', 'b'), order('b', 'c'), order('c', 'b')], '6'],
])('counts each order once where orders replace %s', async (_, orders, filled) => {
  const http = {
    find: (_schema: unknown, path: string) => Promise.resolve(orders.find(({ id }) => path.endsWith(`/${id}`))),
  }
  const replaced = new ReplacedOrders(http as unknown as AlpacaHttp)
  const whole = await replaced.follow(orders[0]!)
  expect(whole).toMatchObject({ clientOrderId: 'tw-a', filledQuantity: Decimal.parse(filled) })
  expect(String(whole.averageFillPrice)).toBe('400')
  for (const one of await replaced.collapse([{ ...orders[0]!, status: 'new' }])) {
    expect(one.filledQuantity.isBelow(Decimal.parse('7'))).toBe(true)
  }
})
