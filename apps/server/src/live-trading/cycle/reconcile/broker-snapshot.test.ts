import type { Broker } from '@tradewright/engine/trading/broker'
import { expect, it } from 'vitest'
import { snapshotOfBroker } from './broker-snapshot.ts'

it('is not taken of a broker whose activities do not end: a part of them would be booked as all', async () => {
  let page = 0
  const broker = {
    orders: async () => [],
    fills: async () => [],
    account: async () => ({}),
    positions: async () => [],
    activities: async () => ({ activities: [], next: String(++page) }),
  } as unknown as Broker
  await expect(snapshotOfBroker(broker, 0, [])).rejects.toMatchObject({
    message: 'The broker sent a list that is too long: it has more than 200 pages of activities.',
  })
})
