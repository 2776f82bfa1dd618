import { Decimal } from '@tradewright/core/decimal'
import { isOption } from '@tradewright/engine/trading/ledger/corporate-actions'
import { type Entry, USD } from '@tradewright/engine/trading/ledger/entry'
import type { LiveStores } from '../ports/database.ts'
import type { TickerChange } from '../ports/ticker-changes.ts'
import { tradedTickers } from '../traded-tickers.ts'

type Stores = Pick<LiveStores, 'books' | 'deployments' | 'tickerChanges'>

interface Booking {
  readonly prices: ReadonlyMap<string, Decimal>
  readonly at: Date
}

/**
 * Notes, with the entries that book it, where a deployment holds another ticker in the place of one that it trades: its
 * next decision would sell that. One that is taken back is noted no longer.
 */
export async function recordTickerChanges(
  stores: Stores,
  accountId: number,
  entries: readonly Entry[],
  booking: Booking,
): Promise<void> {
  const moved = Map.groupBy(entries, ({ deploymentId }) => deploymentId)
  moved.delete(undefined)
  const exchanges: TickerChange[] = []
  for (const [id, own] of moved) {
    const { positions } = await stores.books.slice(accountId, id!)
    exchanges.push(...exchangesOf(id!, own, positions, booking.prices))
  }
  if (exchanges.length === 0) return
  const deployments = new Map((await stores.deployments.onAccount(accountId)).map((one) => [one.id, one]))
  const known = await stores.tickerChanges.of([...deployments.keys()])
  for (const exchange of exchanges) {
    const deployment = deployments.get(exchange.deploymentId)
    const earlier = known.find((one) => one.deploymentId === exchange.deploymentId && one.to === exchange.from)
    if (!deployment || (!earlier && !tradedTickers(deployment).includes(exchange.from))) continue
    // What came in the place of a ticker was exchanged in turn, or taken back.
    const change = { ...exchange, from: earlier?.from ?? exchange.from }
    if (change.from === change.to) await stores.tickerChanges.remove(earlier!)
    else await stores.tickerChanges.put(change, booking.at)
  }
}

/**
 * Net of all its entries, after which it holds these positions: a correction that ends with the same ticker is no exchange. Of
 * a short position the old shares come in, and the new ones are owed.
 */
function exchangesOf(
  deploymentId: number,
  entries: readonly Entry[],
  positions: ReadonlyMap<string, Decimal>,
  prices: Booking['prices'],
): TickerChange[] {
  const net = new Map<string, Decimal>()
  for (const { party, asset, amount } of entries.flatMap(({ legs }) => legs)) {
    if (party === 'market' || asset === USD || isOption(asset)) continue
    net.set(asset, (net.get(asset) ?? Decimal.zero).plus(amount))
  }
  const worth = (ticker: string) =>
    net
      .get(ticker)!
      .absolute()
      .times(prices.get(ticker) ?? Decimal.zero)
  const moved = [...net.keys()].filter((ticker) => !net.get(ticker)!.isZero)
  const given = moved.filter((ticker) => {
    const held = positions.get(ticker)
    return held !== undefined && held.isNegative === net.get(ticker)!.isNegative
  })
  const to = given.reduce<string | undefined>(
    (best, ticker) => (best !== undefined && !worth(best).isBelow(worth(ticker)) ? best : ticker),
    undefined,
  )
  if (to === undefined) return []
  const sentence = entries.findLast(({ note }) => note)?.note ?? ''
  return moved.filter((ticker) => !given.includes(ticker)).map((from) => ({ deploymentId, from, to, sentence }))
}
