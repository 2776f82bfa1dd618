import { parseTicker } from '@tradewright/core/ticker'
import { epochDayOf } from '@tradewright/core/time'
import type { LivedOrder } from '@tradewright/engine/live/drift-causes'
import { middleOf } from '@tradewright/engine/live/limit-price'
import { namesOf } from '@tradewright/engine/market/successors'
import { tradedAs } from '@tradewright/engine/live/trading-weights'
import { signalTickers } from '../deploy/deployable-strategies.ts'
import type { OrderIntent } from '../decision.ts'
import type { Deployment } from '../deployment.ts'
import type { LiveDatabase } from '../ports/database.ts'
import type { DecisionByBar } from '../ports/decisions.ts'
import type { Snapshot, StoredFill } from '../ports/journal.ts'

/** Some years of daily trades. */
const MAX_ORDERS = 5000

/** A filled order of a deployment with the fees of its day, in proportion to what it traded. */
interface Filled {
  readonly intent: OrderIntent
  readonly at: number
  readonly quantity: number
  readonly price: number
  readonly fee: number
}

export async function filledOrders({ orders, books }: LiveDatabase, { id }: Deployment): Promise<Filled[]> {
  const [intents, fees] = await Promise.all([
    orders.newest(id, MAX_ORDERS),
    books.page(id, 1, MAX_ORDERS, { types: ['FEE'], search: undefined }),
  ])
  const filled = intents.flatMap((intent) => {
    const { filledQuantity, averagePrice, sentAt, createdAt } = intent
    if (!filledQuantity.isPositive || !averagePrice) return []
    const at = (sentAt ?? createdAt).getTime()
    return [{ intent, at, quantity: filledQuantity.toNumber(), price: averagePrice.toNumber() }]
  })
  const days = Map.groupBy(filled, ({ at }) => epochDayOf(at))
  // A fee may be booked in the evening, or the day after: it belongs to the last day that traded until then.
  const charged = new Map<number, number>()
  for (const { recordedAt, amount } of fees.entries) {
    const day = Math.max(...[...days.keys()].filter((one) => one <= epochDayOf(recordedAt.getTime())))
    charged.set(day, (charged.get(day) ?? 0) + Math.abs(amount.toNumber()))
  }
  return filled.map((order) => {
    const day = epochDayOf(order.at)
    const traded = days.get(day)!.reduce((sum, { quantity, price }) => sum + quantity * price, 0)
    return Object.assign(order, { fee: ((charged.get(day) ?? 0) * order.quantity * order.price) / traded })
  })
}

/**
 * What borrowed shares cost, as growth of one dollar since the close of its first day: by what a dollar of growth was worth when
 * the deployment was last valued before.
 */
export async function borrowCosts({ books }: LiveDatabase, { id }: Deployment, snapshots: readonly Snapshot[]) {
  const { entries } = await books.page(id, 1, MAX_ORDERS, { types: ['INTEREST'], search: undefined })
  const firstDay = epochDayOf(snapshots[0]?.at.getTime() ?? 0)
  const base = snapshots.findLast(({ at }) => epochDayOf(at.getTime()) === firstDay)?.growth ?? 1
  return entries.flatMap(({ recordedAt, amount, direction }) => {
    const before = snapshots.findLast(({ at }) => at < recordedAt)
    const cost = amount.toNumber() * (direction === 'in' ? -1 : 1)
    return before?.value.isPositive
      ? [{ at: recordedAt.getTime(), growth: (cost * before.growth) / before.value.toNumber() / base }]
      : []
  })
}

/** Orders in the strategy's tickers; of one that another ticker stands for the backtest has no price. */
export function livedOrders(deployment: Deployment, filled: readonly Filled[]): LivedOrder[] {
  const { strategy, settings } = deployment
  const own = new Map<string, string[]>()
  for (const signal of signalTickers(strategy)) {
    const traded = tradedAs(signal, settings.tickerMapping)
    if (!traded) continue
    const names = [...new Set(namesOf(parseTicker(signal).symbol, strategy.successors ?? []))]
    const isItself = traded.leverage === 1 && names.includes(traded.ticker)
    for (const name of isItself ? names : [traded.ticker])
      own.set(name, [...(own.get(name) ?? []), ...(isItself ? [signal] : ['', ''])])
  }
  return filled.map(({ intent, at, quantity, price, fee }) => {
    const signals = own.get(intent.ticker) ?? []
    return {
      id: intent.clientOrderId,
      decisionId: intent.decisionId,
      ticker: signals.length === 1 ? signals[0]! : undefined,
      at,
      quantity,
      price,
      fee,
    }
  })
}

export function fillsOf(filled: readonly Filled[], decisions: readonly DecisionByBar[]): StoredFill[] {
  const byId = new Map(decisions.map((decision) => [decision.id, decision]))
  return filled.map(({ intent, at, quantity, price, fee }) => {
    const { clientOrderId, ticker, side, decisionId } = intent
    const decision = byId.get(decisionId)
    const decisionPrice = numberOf(decision?.closes[ticker])
    const quote = numberOf(decision?.quotes[ticker])
    const sentQuote = (intent.quote && middleOf(intent.quote)?.toNumber()) ?? null
    const against = sentQuote ?? quote ?? decisionPrice
    const worse = against === null ? null : (price / against - 1) * (side === 'buy' ? 1 : -1)
    return {
      id: clientOrderId,
      ticker,
      side,
      at,
      quantity,
      price,
      decisionPrice,
      quote,
      sentQuote,
      fee,
      costBps: worse === null ? null : worse * 10_000,
    }
  })
}

const numberOf = (text: string | undefined): number | null => (text === undefined ? null : Number(text))

/** What all fills cost, by traded value, in basis points. */
export function slippageOf(fills: readonly StoredFill[]): { costBps: number | null; feeBps: number | null } {
  const valueOf = ({ quantity, price }: StoredFill) => quantity * price
  const sum = (of: (fill: StoredFill) => number, list = fills) => list.reduce((all, fill) => all + of(fill), 0)
  const priced = fills.filter(({ costBps }) => costBps !== null)
  return {
    costBps: priced.length === 0 ? null : sum((fill) => fill.costBps! * valueOf(fill), priced) / sum(valueOf, priced),
    feeBps: fills.length === 0 ? null : (sum(({ fee }) => fee) / sum(valueOf)) * 10_000,
  }
}
