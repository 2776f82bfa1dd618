import { Decimal } from '@tradewright/core/decimal'
import { Problem } from '@tradewright/core/problem'
import type { CashActivity } from '@tradewright/engine/trading/account-activity'
import type { Broker, BrokerAccount, Fill, Position } from '@tradewright/engine/trading/broker'
import type { Slice } from '@tradewright/engine/trading/ledger/books'
import type { Order } from '@tradewright/engine/trading/order'
import { PageCount } from '../../../page-count.ts'
import type { OrderIntent } from '../../decision.ts'

/** A snapshot of an account at a broker, read between two lists of executions that were the same. */
export interface BrokerSnapshot {
  readonly account: BrokerAccount
  readonly positions: readonly Position[]
  /** All versions of those that the broker corrected. */
  readonly fills: readonly Fill[]
  readonly activities: readonly CashActivity[]
  /** Open orders, those of ours that were asked for, and where it was asked for, all others since an instant. */
  readonly orders: readonly Order[]
  /** Our orders that the broker does not know. */
  readonly unknown: ReadonlySet<string>
  /** False when executions came in while it was read: figures may not belong together. */
  readonly isStill: boolean
}

const MAX_PAGES = 200

interface Reading {
  readonly activitiesSince?: number
  /** Tickers of the books: what the broker holds no longer may have been sold. */
  readonly held?: readonly string[]
  /** Set, orders that have ended since this instant are read as well. */
  readonly ordersSince?: number | undefined
}

export async function snapshotOfBroker(
  broker: Broker,
  since: number,
  asked: readonly OrderIntent[],
  { activitiesSince = since, held = [], ordersSince }: Reading = {},
): Promise<BrokerSnapshot> {
  const tickers = [...new Set([...held, ...asked.map(({ ticker }) => ticker)])]
  const ended = ordersSince === undefined ? [] : await broker.orders({ state: 'closed', since: ordersSince })
  const open = await broker.orders({ state: 'open' })
  const known = new Map([...ended, ...open].map((order) => [order.clientOrderId, order]))
  const unknown = new Set<string>()
  for (const { clientOrderId } of asked) {
    if (known.has(clientOrderId)) continue
    const order = await broker.orderByClientId(clientOrderId)
    if (order) known.set(clientOrderId, order)
    else unknown.add(clientOrderId)
  }
  const listed = await broker.fills(broker.correctsFills ? activitiesSince : since, tickers)
  const [activities, account, positions] = await Promise.all([
    cashActivities(broker, activitiesSince, tickers),
    broker.account(),
    broker.positions(),
  ])
  const after = await broker.fills(since, tickers)
  const isStill =
    after.map(versionOf).join() ===
    listed
      .filter(({ at }) => at >= since)
      .map(versionOf)
      .join()
  const fills = [...listed.filter(({ at }) => at < since), ...after]
  return { account, positions, fills, activities, orders: [...known.values()], unknown, isStill }
}

const versionOf = ({ executionId, state }: Fill): string => `${executionId} ${state ?? ''}`

async function cashActivities(broker: Broker, since: number, tickers: readonly string[]): Promise<CashActivity[]> {
  const found: CashActivity[] = []
  const pages = new PageCount(MAX_PAGES, 'activities', endlessList)
  let page: string | undefined
  do {
    pages.next()
    const query = { kind: 'cash' as const, since, tickers, order: 'oldest-first' as const }
    const answer = await broker.activities(page === undefined ? query : { ...query, page })
    for (const activity of answer.activities) if (activity.kind === 'cash') found.push(activity)
    page = answer.next
  } while (page !== undefined)
  return found
}

const endlessList = (reason: string) =>
  new Problem('upstream', 'broker.malformed', `The broker sent a list that is too long: ${reason}.`)

export const sliceAtBroker = ({ account, positions }: Pick<BrokerSnapshot, 'account' | 'positions'>): Slice => ({
  cash: account.cash,
  positions: new Map(positions.map(({ ticker, quantity }) => [ticker, quantity])),
})

export const pricesAtBroker = ({ positions }: Pick<BrokerSnapshot, 'positions'>): Map<string, Decimal> =>
  new Map(positions.filter(({ price }) => price.isPositive).map(({ ticker, price }) => [ticker, price]))
