import { PAPER_CASH_USD, PAPER_VOLUME_SHARE } from '@tradewright/core/broker-catalogue'
import type { Clock } from '@tradewright/core/clock'
import { Decimal } from '@tradewright/core/decimal'
import { dayStamp, epochDayOf, MINUTE, type UtcMillis } from '@tradewright/core/time'
import { crypto, nyse } from '@tradewright/engine/market/trading-calendar'
import { stampAsNewYorkDay } from '@tradewright/engine/market/layers/rows'
import type { Broker, BrokerAccount, OldPrice, Position, TradableAsset } from '@tradewright/engine/trading/broker'
import { isAuctionOrderTaken } from '@tradewright/engine/trading/auctions'
import { tradingCosts } from '@tradewright/engine/trading/costs'
import { clockOf, isMarketOpen, sessionsOf } from '@tradewright/engine/trading/market-hours'
import { hasEnded, type Order, type OrderRequest } from '@tradewright/engine/trading/order'
import { bookLateActions, type RecentPast } from '@tradewright/engine/trading/paper-account/late-actions'
import { isAroundTheClock, type PaperMarket } from '@tradewright/engine/trading/paper-account/paper-market'
import {
  awaitsPrice,
  nothingHappened,
  passesAuction,
  settleAccount,
} from '@tradewright/engine/trading/paper-account/settle'
import { acceptOrder, cancelOrder, withOrder } from '@tradewright/engine/trading/simulated-broker/accept'
import { exposureOf } from '@tradewright/engine/trading/simulated-broker/fill'
import { equityOf } from '@tradewright/engine/trading/simulated-broker/state'
import { setImmediate as turn } from 'node:timers/promises'
import { accountMissing } from '../account.ts'
import type { KnownPrice, PaperBook, PaperChange, PaperPrices, PaperSettings, PaperStore } from './ports.ts'
import { checkPriceStep, checkRequest, duplicateOrder, PAPER_REFUSALS, refusedOrder } from './refusals.ts'

export const PAPER_CASH = Decimal.parse(String(PAPER_CASH_USD))

export interface PaperBrokerDeps {
  readonly store: PaperStore
  readonly prices: PaperPrices
  readonly clock: Clock
}

/** What a built-in broker allows, and what it charges besides the costs of the account's settings. */
export interface PaperRules {
  /** Purchases are of whole shares. A sale may be of what a split left. */
  readonly wholeShares?: boolean
  /** In dollars. */
  readonly feePerOrder?: number
}

/**
 * Bars of some days before are asked for, too: a close may be missing on the day itself, and what went ex may be known
 * only days later. Live trading explains a split by the bars of as many days.
 */
const DAYS_BEFORE = 10
/** A price that lacks more closed sessions than this is told with its date. */
const LATE_SESSIONS = 3

interface Snapshot {
  readonly now: number
  readonly market: PaperMarket
  readonly latest: ReadonlyMap<string, KnownPrice>
  /** Where the market's bars begin; undefined where none were needed. */
  readonly barsSince: UtcMillis | undefined
}

/**
 * The built-in account. Nothing runs in it between calls: each call settles it up to the present first, and finds what
 * would have happened.
 */
export function paperBroker(
  deps: PaperBrokerDeps,
  owner: { userId: number; accountId: number },
  rules: PaperRules = {},
): Broker {
  const { store, prices, clock } = deps
  const { userId, accountId } = owner
  const book = async () => {
    const found = await store.book(accountId)
    if (!found) throw accountMissing()
    return found
  }

  /** The present market data of everything the account is concerned with. */
  async function takeSnapshot({ state, settledAt }: PaperBook, also: readonly string[] = []): Promise<Snapshot> {
    const now = Math.max(clock.now().getTime(), settledAt)
    const open = [...state.orders.values()].map(({ ticker }) => ticker)
    const tickers = [...new Set([...state.positions.keys(), ...open, ...also])]
    const latest = await prices.latest(userId, tickers, now)
    const market = {
      calendar: nyse,
      bars: new Map(),
      latest: (ticker: string) => latest.get(ticker)?.price,
      isOfSession: (ticker: string) => (latest.get(ticker)?.at ?? 0) >= dayStamp(epochDayOf(now)),
      sessionOpen: (ticker: string) => latest.get(ticker)?.sessionOpen,
      halfSpread: (ticker: string) => latest.get(ticker)?.halfSpread ?? 0,
      volumeSince: (ticker: string, since: UtcMillis) => latest.get(ticker)?.volumeSince?.(since),
    }
    if (!passesAuction(nyse, settledAt, now) && !awaitsPrice(state, nyse, now))
      return { now, latest, market, barsSince: undefined }
    const days = { from: epochDayOf(settledAt) - DAYS_BEFORE, last: epochDayOf(now) }
    const barsSince = dayStamp(days.from)
    // What was sold since went ex before that, perhaps.
    const traded = (await store.fills(accountId, barsSince)).map(({ ticker }) => ticker)
    const bars = await prices.bars(userId, [...new Set([...tickers, ...traded])], days)
    return { now, latest, market: { ...market, bars }, barsSince }
  }

  /** Brings the account up to date; gives it as it stands then. */
  async function settled(): Promise<{ book: PaperBook; snapshot: Snapshot }> {
    const before = await book()
    const seen = await takeSnapshot(before)
    const isDue = before.state.orders.size > 0 || passesAuction(nyse, before.settledAt, seen.now)
    if (!isDue) return { book: before, snapshot: seen }
    await store.change(accountId, (locked, past) => settledChange(locked, past, seen, rules), seen.barsSince)
    return { book: await book(), snapshot: seen }
  }

  /** Calls of one moment share one snapshot, which begins after the last of them: no answer is older than its call. */
  let sharedSnapshot: ReturnType<typeof settled> | undefined
  const settledNow = () =>
    (sharedSnapshot ??= turn().then(() => {
      sharedSnapshot = undefined
      return settled()
    }))

  async function place(request: OrderRequest): Promise<Order> {
    const seen = await takeSnapshot(await book(), [request.ticker])
    const isKnown = seen.latest.has(request.ticker) || (await prices.isKnown(userId, request.ticker, seen.now))
    if (!isKnown) throw refusedOrder('invalid', `asset "${request.ticker}" is not active`)
    if (await store.orderByClientId(accountId, request.clientOrderId)) throw duplicateOrder()
    const refusal = auctionRefusal(request, seen.now)
    if (refusal) throw refusedOrder('invalid', refusal)
    if (rules.wholeShares && isFractionalPurchase(request))
      throw refusedOrder('invalid', 'only whole shares can be bought')
    let placed: Order | undefined
    const decide = (locked: PaperBook, past: RecentPast): PaperChange => {
      const { state, ...rest } = settledChange(locked, past, seen, rules)
      checkRequest(state, request)
      if (locked.settings.fillModel === 'market') checkPriceStep(request)
      const [accepted, order] = acceptOrder(state, request, seen.now)
      const filled = settleAccount(
        accepted,
        { from: seen.now, to: seen.now },
        seen.market,
        fillRulesOf(locked.settings, rules),
      )
      const ended = withoutRest(filled.state, order.clientOrderId, seen)
      placed = ended.orders.get(order.clientOrderId)
      return { ...rest, state: ended }
    }
    await store.change(accountId, decide, seen.barsSince)
    return placed!
  }

  async function cancel(orderId: string): Promise<void> {
    await settled()
    const order = await store.orderById(accountId, orderId)
    if (!order) throw refusedOrder('missing', 'order not found')
    if (hasEnded(order.state)) throw refusedOrder('conflict', `the order is already ${order.state}`)
    await store.change(accountId, ({ state, settledAt }) => {
      const cancelled = cancelOrder(state, orderId, Math.max(clock.now().getTime(), settledAt))
      return { state: cancelled, settledAt, ...nothingHappened }
    })
  }

  const whenSettled =
    <Arguments extends unknown[], Answer>(read: (...args: Arguments) => Promise<Answer>) =>
    async (...args: Arguments) => {
      await settledNow()
      return read(...args)
    }

  function toAsset(ticker: string, known: KnownPrice | undefined, now: UtcMillis): TradableAsset {
    const oldPrice = known && oldPriceOf(ticker, known, now)
    return {
      ticker,
      isTradable: true,
      isFractionable: !rules.wholeShares,
      hasFractionalLimits: !rules.wholeShares,
      isMarginable: false,
      isShortable: !isAroundTheClock(ticker),
      ...(oldPrice && { oldPrice }),
    }
  }

  return {
    refusals: PAPER_REFUSALS,
    async account() {
      const current = await settledNow()
      const today = epochDayOf(stampAsNewYorkDay(current.snapshot.now))
      const closes = await store.closes(accountId, today - 30)
      const lastEquity = closes.findLast(({ day }) => day < today)?.equity
      return toAccount(accountId, current, lastEquity)
    },
    async positions() {
      const current = await settledNow()
      return toPositions(current.book, current.snapshot)
    },
    place,
    cancel,
    orderByClientId: whenSettled((clientOrderId) => store.orderByClientId(accountId, clientOrderId)),
    orders: whenSettled((filter) => store.orders(accountId, filter)),
    fills: whenSettled((since) => store.fills(accountId, since)),
    clock: () => Promise.resolve(clockOf(nyse, clock.now().getTime())),
    sessions: (from, last) => Promise.resolve(sessionsOf(nyse, from, last)),
    activities: whenSettled((query) => store.activities(accountId, query)),
    equityHistory: whenSettled(async (from) => {
      const closes = await store.closes(accountId, from)
      return closes.map(({ day, equity }) => ({ day, equity, externalFlow: undefined }))
    }),
    async quote(ticker) {
      const now = clock.now().getTime()
      const known = (await prices.latest(userId, [ticker], now)).get(ticker)
      if (!known) return undefined
      const half = (await book()).settings.fillModel === 'market' ? (known.halfSpread ?? 0) : 0
      const [bid, ask] = [1 - half, 1 + half].map((share) => known.price.times(Decimal.fromNumber(share)))
      // Without a spread both are the last trade; a bar has its stamp at its beginning.
      return { bid, ask, at: known.at + MINUTE }
    },
    async asset(ticker) {
      const now = clock.now().getTime()
      if (!(await prices.isKnown(userId, ticker, now))) return undefined
      return toAsset(ticker, (await prices.latest(userId, [ticker], now)).get(ticker), now)
    },
    async assets(tickers) {
      const now = clock.now().getTime()
      const known = await prices.latest(userId, tickers, now)
      return new Map([...known].map(([ticker, price]) => [ticker, toAsset(ticker, price, now)]))
    },
  }
}

/** The rules that brokers have for auctions: whole shares, and not in the last minutes before. */
function auctionRefusal({ ticker, size, timeInForce }: OrderRequest, now: UtcMillis): string | undefined {
  if (timeInForce !== 'opg' && timeInForce !== 'cls') return undefined
  if (isAroundTheClock(ticker)) return 'coins have no auction'
  if (!('quantity' in size) || !Number.isInteger(size.quantity.toNumber()))
    return 'orders for an auction are of whole shares'
  return isAuctionOrderTaken(timeInForce, now, nyse) ? undefined : `${timeInForce} orders are not accepted at this time`
}

/** Longs and shorts together, as a multiple of the equity: Regulation T asks for half of both. No money is lent. */
const SHORT_LIMIT = 2

const fillRulesOf = ({ tradingCostBps, partialFill, shortBorrowPct, fillModel }: PaperSettings, rules: PaperRules) => ({
  ...rules,
  ...(fillModel === 'market' && { volumeShare: PAPER_VOLUME_SHARE }),
  costs: tradingCosts(tradingCostBps),
  leverageLimit: 1,
  shortLimit: SHORT_LIMIT,
  shortCost: shortBorrowPct / 100 / nyse.sessionsPerYear,
  partialFill,
})

const isFractionalPurchase = ({ side, size }: OrderRequest): boolean =>
  side === 'buy' && (!('quantity' in size) || !Number.isInteger(size.quantity.toNumber()))

function settledChange(
  { state, settings, settledAt }: PaperBook,
  past: RecentPast,
  { market, now }: Snapshot,
  rules: PaperRules,
): PaperChange {
  // Another call may have come first, and seen a later moment.
  const range = { from: settledAt, to: Math.max(now, settledAt) }
  const late = bookLateActions(state, range, market, past)
  const settled = settleAccount(late.state, range, market, fillRulesOf(settings, rules))
  return {
    ...settled,
    dividends: [...late.dividends, ...settled.dividends],
    splits: [...late.splits, ...settled.splits],
    settledAt: range.to,
  }
}

/** Orders that take what is there now and leave the rest. */
function withoutRest(
  state: PaperChange['state'],
  clientOrderId: string,
  { now, market }: Snapshot,
): PaperChange['state'] {
  const order = state.orders.get(clientOrderId)!
  const hadItsChance = isAroundTheClock(order.ticker) || isMarketOpen(market.calendar, now)
  const leavesRest = order.timeInForce === 'ioc' || order.timeInForce === 'fok'
  if (!leavesRest || !hadItsChance || hasEnded(order.state)) return state
  return withOrder(state, { ...order, state: 'canceled', endedAt: now })
}

function toAccount(
  accountId: number,
  { book, snapshot }: { book: PaperBook; snapshot: Snapshot },
  lastEquity: Decimal | undefined,
): BrokerAccount {
  const equity = equityOf(book.state, snapshot.market.latest)
  const { cash } = book.state
  return {
    id: `paper-${accountId}`,
    currency: 'USD',
    cash,
    equity,
    lastEquity,
    buyingPower: buyingPowerOf(book.state, equity, snapshot.market.latest),
    openedAt: book.openedAt,
    leverageLimit: 1,
    costRate: book.settings.tradingCostBps / 10_000,
    // In an auction sales are filled first.
    spendsOpenSales: true,
    ordersAwaitPrices: true,
    isShortingAllowed: true,
    shortBorrowPct: book.settings.shortBorrowPct,
    blockedBecause: undefined,
  }
}

/** The account's cash; with short positions no more than what the limit for them leaves. */
function buyingPowerOf(state: PaperBook['state'], equity: Decimal, quote: Snapshot['market']['latest']): Decimal {
  const { cash, positions } = state
  const isShort = [...positions.values()].some(({ quantity }) => quantity.isNegative)
  const left = equity.times(Decimal.fromNumber(SHORT_LIMIT)).minus(exposureOf(state, quote))
  const power = isShort && left.isBelow(cash) ? left : cash
  return power.isNegative ? Decimal.zero : power
}

/** Undefined where the price is as new as it can be, or a few sessions late. */
function oldPriceOf(ticker: string, { at }: KnownPrice, now: number): OldPrice | undefined {
  const [day, today] = [epochDayOf(at), epochDayOf(now)]
  const calendar = isAroundTheClock(ticker) ? crypto : nyse
  const missed = calendar.sessionsBetween(day + 1, today).length
  return missed > LATE_SESSIONS ? { day, ageDays: today - day } : undefined
}

const toPositions = ({ state }: PaperBook, { latest, now }: Snapshot): Position[] =>
  [...state.positions].map(([ticker, { quantity, averageEntryPrice }]) => {
    const known = latest.get(ticker)
    const price = known?.price ?? averageEntryPrice
    const isSynthetic = known?.isSynthetic ?? false
    const oldPrice = known && oldPriceOf(ticker, known, now)
    const marketValue = quantity.times(price)
    const position = { ticker, quantity, averageEntryPrice, price, marketValue, isSynthetic }
    return oldPrice ? Object.assign(position, { oldPrice }) : position
  })
