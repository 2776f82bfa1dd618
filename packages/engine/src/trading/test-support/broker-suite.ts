import { Decimal } from '@tradewright/core/decimal'
import { Problem } from '@tradewright/core/problem'
import { epochDayOf } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import type { AccountActivity, ActivityQuery } from '../account-activity.ts'
import type { Broker } from '../broker.ts'
import type { OrderRequest } from '../order.ts'

/** A broker under test, together with the market around it. */
interface BrokerUnderTest {
  readonly broker: Broker
  /** Lets the market trade at this price, so that open orders of the ticker are filled. */
  readonly tradeAt: (ticker: string, price: string) => Promise<void>
}

const decimal = (text: string) => Decimal.parse(text)

/** Every page of a query, one after the other. */
async function everyActivity(broker: Broker, query: ActivityQuery): Promise<AccountActivity[]> {
  const all: AccountActivity[] = []
  let page: string | undefined
  do {
    const answer = await broker.activities({ ...query, ...(page !== undefined && { page }) })
    all.push(...answer.activities)
    page = answer.next
  } while (page !== undefined)
  return all
}

/**
 * The contract of every broker. `make` gives a fresh account with $100,000 and no positions while the market is open;
 * `ticker` is what it trades there.
 */
export function brokerSuite(name: string, make: () => Promise<BrokerUnderTest>, ticker = 'SPY'): void {
  const order = (clientOrderId: string, side: 'buy' | 'sell', quantity: string): OrderRequest => ({
    clientOrderId,
    ticker,
    side,
    size: { quantity: decimal(quantity) },
    execution: { type: 'market' },
    timeInForce: 'day',
  })

  describe(`${name} as a broker`, () => {
    it('starts with its cash and nothing else', async () => {
      const { broker } = await make()
      const account = await broker.account()
      expect(String(account.cash)).toBe('100000')
      expect(String(account.equity)).toBe('100000')
      expect(await broker.positions()).toEqual([])
      expect(await broker.orders({ state: 'all' })).toEqual([])
    })

    it('fills an order once, and knows it by our id', async () => {
      const { broker, tradeAt } = await make()
      const placed = await broker.place(order('mine-1', 'buy', '10.5'))
      await tradeAt(ticker, '400')
      const filled = await broker.orderByClientId('mine-1')
      expect(filled).toMatchObject({ id: placed.id, state: 'filled' })
      expect(String(filled?.filledQuantity)).toBe('10.5')
      const fills = await broker.fills(0)
      expect(fills.map(({ clientOrderId, side }) => [clientOrderId, side])).toEqual([['mine-1', 'buy']])
      const [position] = await broker.positions()
      expect([position?.ticker, String(position?.quantity)]).toEqual([ticker, '10.5'])
    })

    it('keeps equity equal to cash and positions', async () => {
      const { broker, tradeAt } = await make()
      await broker.place(order('mine-1', 'buy', '10'))
      await tradeAt(ticker, '400')
      await broker.place(order('mine-2', 'sell', '4'))
      await tradeAt(ticker, '410')
      const account = await broker.account()
      const positions = await broker.positions()
      const parts = positions.reduce((sum, { marketValue }) => sum.plus(marketValue), account.cash)
      expect(String(parts)).toBe(String(account.equity))
    })

    it('refuses the same id twice', async () => {
      const { broker } = await make()
      await broker.place(order('mine-1', 'buy', '1'))
      const again = broker.place(order('mine-1', 'buy', '1'))
      await expect(again).rejects.toBeInstanceOf(Problem)
      await expect(again).rejects.toMatchObject({ kind: 'conflict' })
      expect(await broker.orders({ state: 'all' })).toHaveLength(1)
    })

    it('cancels what is open and nothing else', async () => {
      const { broker, tradeAt } = await make()
      const open = await broker.place(order('mine-1', 'buy', '1'))
      await broker.cancel(open.id)
      expect((await broker.orderByClientId('mine-1'))?.state).toBe('canceled')
      await tradeAt(ticker, '400')
      expect(await broker.positions()).toEqual([])
      await expect(broker.cancel(open.id)).rejects.toMatchObject({ kind: 'conflict' })
    })

    it('fills a limit order only when the price reaches it, and at no worse a price', async () => {
      const { broker, tradeAt } = await make()
      const limit = { type: 'limit', limitPrice: decimal('399.5') } as const
      await broker.place({ ...order('mine-1', 'buy', '2'), execution: limit })
      await tradeAt(ticker, '400')
      expect((await broker.orderByClientId('mine-1'))?.state).toBe('accepted')
      await tradeAt(ticker, '399')
      const filled = await broker.orderByClientId('mine-1')
      expect(filled?.state).toBe('filled')
      expect(decimal('399.5').isBelow(filled!.averageFillPrice!)).toBe(false)
    })

    it('does not fill what the account cannot pay', async () => {
      const { broker, tradeAt } = await make()
      const request = order('mine-1', 'buy', '100000')
      await broker.place(request).catch((error: unknown) => expect(error).toBeInstanceOf(Problem))
      await tradeAt(ticker, '400')
      expect(await broker.positions()).toEqual([])
    })

    it('has never heard of an order that was not sent, and knows no such asset', async () => {
      const { broker } = await make()
      expect(await broker.orderByClientId('unknown')).toBeUndefined()
      expect(await broker.asset('ZZZZZ')).toBeUndefined()
    })

    it('knows when the market opens and closes', async () => {
      const { broker } = await make()
      const { now, nextOpen, nextClose } = await broker.clock()
      expect(nextOpen).toBeGreaterThan(now)
      expect(nextClose).toBeGreaterThan(now)
    })

    it('knows its sessions, ascending and inside the days that were asked for', async () => {
      const { broker } = await make()
      const { now } = await broker.clock()
      const [from, last] = [epochDayOf(now), epochDayOf(now) + 14]
      const sessions = await broker.sessions(from, last)
      expect(sessions.length).toBeGreaterThan(7)
      expect(sessions.every(({ day, open, close }) => day >= from && day <= last && open < close)).toBe(true)
      expect(sessions.map(({ day }) => day)).toEqual(sessions.map(({ day }) => day).sort((a, b) => a - b))
    })

    it('tells each trade once, in either order, in however many pages', async () => {
      const { broker, tradeAt } = await make()
      for (const [i, side] of (['buy', 'buy', 'sell'] as const).entries()) {
        await broker.place(order(`mine-${i}`, side, String(i + 1)))
        await tradeAt(ticker, String(400 + i))
      }
      const newest = await everyActivity(broker, { kind: 'trades', order: 'newest-first' })
      const oldest = await everyActivity(broker, { kind: 'trades', order: 'oldest-first' })
      const quantities = oldest.map((activity) => activity.kind === 'trade' && String(activity.quantity))
      expect(quantities).toEqual(['1', '2', '3'])
      expect(newest.map(({ id }) => id)).toEqual(oldest.map(({ id }) => id).toReversed())
      expect(new Set(oldest.map(({ id }) => id)).size).toBe(3)
    })

    it('values the account day by day, ascending', async () => {
      const { broker, tradeAt } = await make()
      await broker.place(order('mine-1', 'buy', '1'))
      await tradeAt(ticker, '400')
      const { now } = await broker.clock()
      const history = await broker.equityHistory(epochDayOf(now) - 7)
      expect(history.map(({ day }) => day)).toEqual(history.map(({ day }) => day).sort((a, b) => a - b))
      expect(history.every(({ day }) => day >= epochDayOf(now) - 7 && day <= epochDayOf(now))).toBe(true)
      expect(await broker.equityHistory(epochDayOf(now) + 1)).toEqual([])
    })
  })
}
