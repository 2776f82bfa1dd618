import { Decimal } from '@tradewright/core/decimal'
import { usdPerShare } from '@tradewright/core/money'
import { tickerKind } from '@tradewright/core/ticker-kind'
import { epochDayOf, MINUTE } from '@tradewright/core/time'
import { stopOf } from '@tradewright/engine/backtest/request'
import { type HeldOrder, isHeldBack, orderName } from '@tradewright/engine/live/held-orders'
import { type Slice, sliceOfDeployment } from '@tradewright/engine/trading/ledger/books'
import {
  type BookedStop,
  followLedger,
  stopFill,
  stopPrice,
  type StopRule,
  withBar,
} from '@tradewright/engine/trading/position-stops'
import { isDeepStrictEqual } from 'node:util'
import type { DecidedSignal, Decision, OrderIntent } from '../decision.ts'
import type { Deployment } from '../deployment.ts'
import { closingOrders, intentsOf, plannedOf, signalOfSales } from './commit/plan-orders.ts'
import { contradicted } from './loss-limits.ts'
import { cancelOpen } from './send/cancel-orders.ts'
import { sendOrders } from './send/send-orders.ts'
import type { AccountSnapshot, DeploymentDeps } from './types.ts'

/** A sale at a stop is sent within this long, or the next poll decides it anew. */
const TIME_TO_SEND = 15 * MINUTE

/**
 * Closes the positions of a running deployment that have come to their stop: a decision of its own with market orders, sent
 * like any other, that buys nothing. Its orders that are open are cancelled first. True where the deployment decides nothing
 * else at this poll.
 */
export async function closeAtStops(
  deps: DeploymentDeps,
  deployment: Deployment,
  snapshot: AccountSnapshot,
): Promise<boolean> {
  const { broker, reconciliation, atWork } = snapshot
  const rule = stopOf(deployment.strategy.request)
  if (!rule || deployment.settings.dryRun || reconciliation.verdict !== 'agreed') return false
  if (atWork.get(deployment.id)?.signal.stopped) return true
  const reached = (await followStops(deps, deployment, rule, snapshot)).filter(
    (ticker) => !isWaiting(deployment, ticker, deps.clock.now()),
  )
  if (reached.length === 0) return false
  const off = await contradicted(deps, broker, reconciliation.prices, reached)
  if (off !== undefined) {
    const sentence = `${off} has come to its stop by the price of its position, which its quote contradicts: nothing is sold until they agree.`
    await deps.setHealth({ code: 'deployment.price-off', level: 'error', sentence })
    return true
  }
  if (atWork.has(deployment.id) || reconciliation.mayHaveOrders(deployment.id)) {
    await cancelOpen(deps, broker, deployment)
    return true
  }
  const sale = await journalSale(deps, deployment, reached, rule, snapshot)
  if (!sale) return true
  await deps.note({ code: 'stop-reached', level: 'error', sentence: sale.decision.reason })
  await sendOrders(deps, broker, deployment, sale.decision, sale.intents)
  return true
}

/** A sale that the broker did not take waits as other orders do. */
const isWaiting = ({ heldOrders = [] }: Deployment, ticker: string, now: Date): boolean =>
  heldOrders.some((one) => one.ticker === ticker && one.why !== 'stopped' && isHeldBack(one, now.getTime()))

/** Brings the stops up to the books and to the prices of now; answers the tickers that have come to theirs. */
async function followStops(
  { database }: Pick<DeploymentDeps, 'database'>,
  { id, stops: before = {} }: Deployment,
  rule: StopRule,
  { reconciliation: { books, quotes }, time }: AccountSnapshot,
): Promise<string[]> {
  const { positions } = sliceOfDeployment(books, id)
  const isBooked = ([ticker, quantity]: readonly [string, Decimal]) => before[ticker]?.held === String(quantity)
  const movements = [...positions].every(isBooked) ? [] : await database.books.movements(id)
  const stops: Record<string, BookedStop> = {}
  const reached: string[] = []
  for (const [ticker, quantity] of positions) {
    const booked = isBooked([ticker, quantity])
      ? before[ticker]
      : bookedStop(before[ticker], id, ticker, quantity, movements)
    if (!booked) continue
    const price = quotes.get(ticker)?.toNumber()
    const trades = time.isOpen || tickerKind(ticker) === 'crypto'
    stops[ticker] = booked
    // What came in without a value has no entry to count from.
    if (price === undefined || !trades || !(booked.entry > 0)) continue
    const bar = { open: Number.NaN, high: Number.NaN, low: Number.NaN, close: price }
    if (stopFill(stopPrice(rule, booked), bar, booked.isShort) === undefined)
      stops[ticker] = { ...booked, ...withBar(booked, bar) }
    else reached.push(ticker)
  }
  if (!isDeepStrictEqual(stops, before)) await database.deployments.change(id, { stops })
  return reached
}

/** What is not told by the ledger since the last time is counted from its beginning. */
function bookedStop(
  before: BookedStop | undefined,
  id: number,
  ticker: string,
  quantity: Decimal,
  movements: Parameters<typeof followLedger>[3],
): BookedStop | undefined {
  const followed = followLedger(before, id, ticker, movements)
  if (followed?.held === String(quantity)) return followed
  const anew = followLedger(undefined, id, ticker, movements)
  return anew && { ...anew, held: String(quantity) }
}

async function journalSale(
  deps: DeploymentDeps,
  { id, userId, accountId }: Deployment,
  reached: readonly string[],
  rule: StopRule,
  { reconciliation: { prices }, time }: AccountSnapshot,
): Promise<{ decision: Decision; intents: readonly OrderIntent[] } | undefined> {
  const at = deps.clock.now()
  return deps.database.transaction(async (stores) => {
    if (!(await stores.leases.held([id], deps.holder)).has(id)) return undefined
    const current = await stores.deployments.lock(userId, id)
    if (current?.status !== 'running' || deps.gate.isClosed(current)) return undefined
    await stores.books.lock(accountId)
    const unsettled = await stores.orders.unsettled(accountId)
    if (unsettled.some(({ deploymentId }) => deploymentId === id)) return undefined
    const slice = await stores.books.slice(accountId, id)
    const orders = closingOrders(slice, prices).filter(({ ticker }) => reached.includes(ticker))
    if (orders.length === 0) return undefined
    const last = await stores.decisions.latest(id)
    const decided = await stores.decisions.insert([
      {
        deploymentId: id,
        decidedFor: at,
        decidedAt: at,
        expiresAt: new Date(Math.min(at.getTime() + TIME_TO_SEND, closeOf(slice, reached, time))),
        // No purchases follow these sales.
        outcome: 'buying',
        reason: reasonOf(current, reached, rule, prices),
        isPartial: false,
        signal: signalAfter(last, reached, plannedOf(orders)),
      },
    ])
    const decision = decided.get(id)
    if (!decision) return undefined
    const intents = intentsOf(current, decision, orders, at)
    await stores.orders.insert(intents)
    const held = orders.map(({ ticker, side }) => stoppedOrder(ticker, side === 'sell' ? 'buy' : 'sell', at))
    const names = new Set(held.map(orderName))
    const others = (current.heldOrders ?? []).filter((one) => !names.has(orderName(one)))
    await stores.deployments.change(id, { heldOrders: [...others, ...held] })
    return { decision, intents }
  })
}

const stoppedOrder = (ticker: string, side: HeldOrder['side'], at: Date): HeldOrder => ({
  ticker,
  side,
  why: 'stopped',
  reason: '',
  at: at.getTime(),
  tries: 1,
  until: null,
  isLeft: true,
})

/** Orders for the exchange are sent until it closes: after that they would wait for the next opening. */
function closeOf(slice: Slice, reached: readonly string[], { now, skew, calendar }: AccountSnapshot['time']): number {
  const isCoins = reached.every((ticker) => !slice.positions.has(ticker) || tickerKind(ticker) === 'crypto')
  const day = epochDayOf(now.getTime())
  return isCoins || !calendar.isSession(day) ? Infinity : calendar.closeOf(day) - skew
}

function reasonOf(
  { stops = {} }: Deployment,
  reached: readonly string[],
  rule: StopRule,
  prices: ReadonlyMap<string, Decimal>,
): string {
  const told = reached.map((ticker) => {
    const [stop, price] = [stops[ticker], prices.get(ticker)]
    const level = stop ? usdPerShare(Decimal.fromNumber(Number(stopPrice(rule, stop).toFixed(4)))) : 'its stop'
    const at = price ? ` at ${usdPerShare(price)}` : ''
    return `${ticker}${at} has come to ${level} and is ${stop?.isShort ? 'bought back' : 'sold'}`
  })
  return `The ${rule.type} stop of ${rule.pct}%: ${told.join(', ')}. Nothing is bought for it until the signal changes or the next rebalance is due.`
}

/** The strategy wants what it wanted, but for what its stops have closed: the next decision goes on from there. */
const signalAfter = (
  last: Pick<Decision, 'signal'> | undefined,
  reached: readonly string[],
  planned: DecidedSignal['planned'],
): DecidedSignal => ({
  ...(last?.signal ?? signalOfSales([])),
  weights: (last?.signal.weights ?? []).map((one) =>
    reached.includes(one.ticker) ? Object.assign({}, one, { weight: 0 }) : one,
  ),
  planned,
  stopped: reached,
})
