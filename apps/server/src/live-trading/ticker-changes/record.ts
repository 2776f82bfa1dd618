import { Decimal } from '@tradewright/core/decimal'
import { type EpochDay, epochDayOf } from '@tradewright/core/time'
import { type TickerSuccessor, withSuccessor } from '@tradewright/engine/market/successors'
import { isOption } from '@tradewright/engine/trading/ledger/corporate-actions'
import { type Entry, USD } from '@tradewright/engine/trading/ledger/entry'
import type { LiveStores } from '../ports/database.ts'
import type { TickerChange } from '../ports/ticker-changes.ts'
import { tradedTickers } from '../traded-tickers.ts'

type Stores = Pick<LiveStores, 'books' | 'deployments' | 'tickerChanges'>

/** What is read here from a corporate action that the broker lists. */
export interface ListedExchange {
  readonly day: EpochDay
  /** The same security under another symbol. */
  readonly isRename: boolean
}

interface Booking {
  readonly prices: ReadonlyMap<string, Decimal>
  readonly at: Date
  /** By the key of the entry that books it; others are taken to be of this instant. */
  readonly exchanges?: ReadonlyMap<string, ListedExchange>
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
    exchanges.push(...exchangesOf(id!, own, positions, booking))
  }
  if (exchanges.length === 0) return
  const deployments = new Map((await stores.deployments.onAccount(accountId)).map((one) => [one.id, one]))
  const known = await stores.tickerChanges.of([...deployments.keys()])
  for (const exchange of exchanges) {
    const deployment = deployments.get(exchange.deploymentId)
    const earlier = known.find((one) => one.deploymentId === exchange.deploymentId && one.to === exchange.from)
    if (!deployment || (!earlier && !tradedTickers(deployment).includes(exchange.from))) continue
    // What came in the place of a ticker was exchanged in turn, or taken back.
    const successors = exchange.successors.reduce(withSuccessor, earlier?.successors ?? [])
    const change = { ...exchange, from: earlier?.from ?? exchange.from, successors }
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
  { prices, at, exchanges }: Booking,
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
  const taken = moved.filter((ticker) => !given.includes(ticker))
  const listed = entries.flatMap(({ key }) => exchanges?.get(key) ?? [])
  const successorOf = (from: string): TickerSuccessor => {
    const old = net.get(from)!.absolute()
    const cash = cashOf(entries)
    return {
      from,
      to,
      day: listed[0]?.day ?? epochDayOf(at.getTime()),
      perShare: net.get(to)!.absolute().dividedBy(old).toNumber(),
      cashPerShare: cash.isPositive ? cash.dividedBy(old).toNumber() : 0,
      isRename: listed.length > 0 && listed.every(({ isRename }) => isRename),
      ...(entries.every(({ key }) => key.startsWith('reversal:')) && { isTakenBack: true }),
    }
  }
  return taken.map((from) => ({
    deploymentId,
    from,
    to,
    sentence,
    // Where several became one it is not known how much came of each.
    successors: taken.length === 1 ? [successorOf(from)] : [],
  }))
}

const cashOf = (entries: readonly Entry[]): Decimal =>
  entries
    .flatMap(({ legs }) => legs)
    .filter(({ party, asset }) => party !== 'market' && asset === USD)
    .reduce((sum, { amount }) => sum.plus(amount), Decimal.zero)
