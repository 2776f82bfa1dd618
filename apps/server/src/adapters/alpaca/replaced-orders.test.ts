import { Problem } from '@tradewright/core/problem'
import { expect, it } from 'vitest'
import { REFUSED } from './failures.ts'
import type { AlpacaHttp } from './http.ts'
import { ReplacedOrders } from './replaced-orders.ts'

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
