import type { Decimal } from '@tradewright/core/decimal'
import { isCorporateAction } from '@tradewright/engine/trading/account-activity'
import { compareWithBroker, type PositionDifference } from '@tradewright/engine/trading/ledger/compare'
import { partyOf } from '@tradewright/engine/trading/ledger/entry'
import { standingFills } from '@tradewright/engine/trading/fill-versions'
import type { PartyTrade } from '@tradewright/engine/trading/ledger/fees'
import { movementEntries, purchasesBehindCoinFee, unlistedCoinFee } from '@tradewright/engine/trading/ledger/movements'
import type { LiveStores } from '../../ports/database.ts'
import { type BrokerSnapshot, sliceAtBroker } from './broker-snapshot.ts'

/** Executions of the last days with the deployments that ordered them. */
export async function recentTrades(
  { orders }: Pick<LiveStores, 'orders'>,
  accountId: number,
  { fills }: Pick<BrokerSnapshot, 'fills'>,
): Promise<PartyTrade[]> {
  const ids = [...new Set(fills.map(({ clientOrderId }) => clientOrderId))]
  const owners = new Map((await orders.byClientIds(accountId, ids)).map((one) => [one.clientOrderId, one.deploymentId]))
  return standingFills(fills).map(({ executionId, clientOrderId, ticker, side, quantity, price, fee, at }) => {
    const deploymentId = owners.get(clientOrderId)
    const party = deploymentId === undefined ? ('unallocated' as const) : partyOf(deploymentId)
    return { party, executionId, ticker, side, quantity, value: quantity.times(price), fee, at }
  })
}

interface Circumstances {
  readonly prices: ReadonlyMap<string, Decimal>
  readonly at: Date
  /** Tickers whose executions may not all be listed yet. */
  readonly waiting: ReadonlySet<string>
}

/**
 * Books shares and coins that moved without an execution, where the broker's positions show that they did: transfers,
 * and fees that are taken in the coin, listed or not yet.
 */
export async function bookMovements(
  stores: LiveStores,
  accountId: number,
  snapshot: BrokerSnapshot,
  { prices, at, waiting }: Circumstances,
): Promise<void> {
  const { books } = stores
  const broker = sliceAtBroker(snapshot)
  const settled = ({ ticker }: { ticker?: string | undefined }) => ticker !== undefined && !waiting.has(ticker)
  const movements = snapshot.activities.filter(
    (activity) =>
      activity.quantity && activity.state !== 'canceled' && !isCorporateAction(activity) && settled(activity),
  )
  const differences = compareWithBroker(await books.books(accountId), broker).positions.filter(settled)
  // A movement that shows in no difference is in the books already; it counts as seen like the others.
  const fresh = await books.see(
    accountId,
    movements.map(({ id, at: instant }) => ({ key: `activity:${id}`, at: new Date(instant) })),
  )
  if (differences.length === 0) return
  const trades = await recentTrades(stores, accountId, snapshot)
  for (const difference of differences) {
    const own = movements.filter(({ id, ticker }) => ticker === difference.ticker && fresh.has(`activity:${id}`))
    await books.post(accountId, movementEntries(difference, own, trades), prices)
  }
  for (const difference of compareWithBroker(await books.books(accountId), broker).positions.filter(settled)) {
    await bookCoinFee(stores, accountId, difference, { trades, prices, at })
  }
}

/** Once per purchase: coins that go on shrinking are no fee. */
async function bookCoinFee(
  { books }: LiveStores,
  accountId: number,
  difference: PositionDifference,
  { trades, prices, at }: Omit<Circumstances, 'waiting'> & { trades: readonly PartyTrade[] },
): Promise<void> {
  const bought = purchasesBehindCoinFee(difference, trades)
  const keyOf = ({ executionId }: PartyTrade) => `coin-fee:${executionId}`
  const fresh = await books.see(
    accountId,
    bought.map((trade) => ({ key: keyOf(trade), at })),
  )
  const unpaid = purchasesBehindCoinFee(
    difference,
    bought.filter((trade) => fresh.has(keyOf(trade))),
  )
  const price = prices.get(difference.ticker)
  if (unpaid.length > 0) {
    await books.post(accountId, unlistedCoinFee(difference, unpaid, price, at.getTime()), prices)
  }
}
