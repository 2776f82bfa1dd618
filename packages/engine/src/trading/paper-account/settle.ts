import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { DAY, type EpochDay, epochDayOf, MINUTE, type UtcMillis } from '@tradewright/core/time'
import { isMarketOpen } from '../market-hours.ts'
import { auctionDay } from '../auctions.ts'
import { hasEnded, type Order } from '../order.ts'
import { withOrder } from '../simulated-broker/accept.ts'
import { type FillRules, expireOrders, fillOrders } from '../simulated-broker/fill.ts'
import { applySplit, type BrokerState, equityOf, payDividend, type Quote } from '../simulated-broker/state.ts'
import { auctionQuote, barOf, closingQuote, isAroundTheClock, type PaperMarket } from './paper-market.ts'

export interface PaidDividend {
  readonly ticker: string
  readonly day: EpochDay
  readonly amount: Usd
  readonly quantity: Decimal
  readonly at: UtcMillis
}

export interface AppliedSplit {
  readonly ticker: string
  readonly day: EpochDay
  /** New shares per old share. */
  readonly ratio: Decimal
  /** Shares more (or less) than before. */
  readonly change: Decimal
  readonly at: UtcMillis
}

/** What borrowed shares of a ticker cost over one night. */
export interface BorrowCharge {
  readonly ticker: string
  /** The session at whose opening it is charged. */
  readonly day: EpochDay
  readonly quantity: Decimal
  readonly amount: Usd
  readonly at: UtcMillis
}

interface PaperFillRules extends FillRules {
  /** What borrowed shares cost from one session to the next, as a share of their value at the close before. */
  readonly shortCost?: number
}

export interface SettledAccount {
  readonly state: BrokerState
  readonly borrowCharges: readonly BorrowCharge[]
  readonly dividends: readonly PaidDividend[]
  readonly splits: readonly AppliedSplit[]
  /** The account's value at each close that was passed. */
  readonly closes: readonly { readonly day: EpochDay; readonly equity: Usd }[]
}

/**
 * Brings a paper account from one instant to another: each opening and close in between is passed in order, with its
 * splits, dividends, waiting orders and expiries, however long ago the last poll was. At the end, what may trade now is
 * filled at the newest known prices.
 */
export function settleAccount(
  state: BrokerState,
  { from, to }: { from: UtcMillis; to: UtcMillis },
  market: PaperMarket,
  rules: PaperFillRules,
): SettledAccount {
  const { calendar } = market
  let settled: SettledAccount = { state, ...nothingHappened }
  for (const day of calendar.sessionsBetween(epochDayOf(from) - 1, epochDayOf(to) + 1)) {
    const [open, close] = [calendar.openOf(day), calendar.closeOf(day)]
    if (open > from && open <= to) settled = liveThroughOpening(settled, day, open, market, rules)
    if (close > from && close <= to) settled = liveThroughClose(settled, day, close, market, rules)
  }
  const auctioned = fillLateAuctions(settled.state, market, rules, to)
  return { ...settled, state: fillAtAnyTime(auctioned, market, rules, to) }
}

/** A session without a price for so long has none of its minutes: the last known price counts. */
const WAIT_FOR_SESSION = 10 * MINUTE
/** Orders of the first minute are filled at the price that the session began with, as the open of a backtest is. */
const OPENING = MINUTE

/** A price of the session before is none of this one: until there is one, an order waits. */
function fillAtAnyTime(state: BrokerState, market: PaperMarket, rules: FillRules, now: UtcMillis): BrokerState {
  const { calendar, isOfSession = () => true, sessionOpen } = market
  const day = epochDayOf(now)
  const opened = calendar.isSession(day) ? calendar.openOf(day) : now
  const isKnown = (ticker: string) =>
    isAroundTheClock(ticker) || isOfSession(ticker) || now - opened >= WAIT_FOR_SESSION
  const isEarly = (order: Order) =>
    !isAroundTheClock(order.ticker) && order.submittedAt >= opened && order.submittedAt < opened + OPENING
  const inTurn = (order: Order) => isForAnyTime(order) && isKnown(order.ticker)
  const current = tradableNow(market, now)
  const opening: Quote = (ticker) => current(ticker) && sessionOpen?.(ticker)
  const early = fillOrders(state, opening, { ...rules, isInTurn: (order) => inTurn(order) && isEarly(order) }, now)
  return fillOrders(early, current, { ...rules, isInTurn: inTurn }, now)
}

/** So long the price of an auction may be missing before its orders expire. */
const LATE_AUCTION = 5 * DAY

/**
 * The price of an auction may be known only after it: the opening with the first minute of the session, the close with its
 * daily bar. An order for it is filled at that price as soon as it is known.
 */
function fillLateAuctions(state: BrokerState, market: PaperMarket, rules: FillRules, now: UtcMillis): BrokerState {
  const { calendar } = market
  const waiting = [...state.orders.values()].flatMap((order) => {
    const { timeInForce, submittedAt } = order
    if (hasEnded(order.state) || (timeInForce !== 'opg' && timeInForce !== 'cls')) return []
    const day = auctionDay(timeInForce, submittedAt, calendar)
    const at = timeInForce === 'opg' ? calendar.openOf(day) : calendar.closeOf(day)
    return at <= now ? [{ order, day, at }] : []
  })
  const expired = waiting.filter(({ at }) => now - at > LATE_AUCTION)
  const withoutThem = expired.reduce(
    (left, { order }) => withOrder(left, { ...order, state: 'expired', endedAt: now }),
    state,
  )
  const auctions = Map.groupBy(waiting, ({ order, day }) => `${order.timeInForce} ${day}`)
  return [...auctions.values()].reduce((left, own) => {
    const { order, day } = own[0]!
    const sessionOpen = day === epochDayOf(now) ? market.sessionOpen : undefined
    const quote: Quote = (ticker) =>
      order.timeInForce === 'opg'
        ? (barOf(market, ticker, day)?.open ?? sessionOpen?.(ticker))
        : barOf(market, ticker, day)?.close
    const ids = new Set(own.map((one) => one.order.id))
    return fillOrders(left, quote, { ...rules, isInTurn: ({ id }) => ids.has(id) }, now)
  }, withoutThem)
}

/** Whether an order waits for the price of an auction that is over. */
export const awaitsAuction = ({ orders }: BrokerState, calendar: PaperMarket['calendar'], now: UtcMillis): boolean =>
  [...orders.values()].some(
    ({ state, timeInForce, submittedAt }) =>
      !hasEnded(state) &&
      (timeInForce === 'opg' || timeInForce === 'cls') &&
      auctionDay(timeInForce, submittedAt, calendar) <= epochDayOf(now),
  )

/** The settlement of changes that no time passes in. */
export const nothingHappened = { borrowCharges: [], dividends: [], splits: [], closes: [] } as const

const isForAnyTime = ({ timeInForce }: Order) => timeInForce !== 'opg' && timeInForce !== 'cls'
const isForOpening = ({ timeInForce }: Order) => timeInForce !== 'cls'
const isForClose = ({ timeInForce }: Order) => timeInForce !== 'opg'
const isForAuction = (order: Order) => !isForAnyTime(order)

function liveThroughOpening(
  settled: SettledAccount,
  day: EpochDay,
  at: UtcMillis,
  market: PaperMarket,
  rules: PaperFillRules,
): SettledAccount {
  const dividends = [...settled.dividends]
  const splits = [...settled.splits]
  const charges = borrowChargesOf(settled.state, day, at, market, rules)
  const charged = charges.reduce((cash, { amount }) => cash.minus(amount), settled.state.cash)
  let state: BrokerState = { ...settled.state, cash: charged }
  for (const [ticker, { quantity }] of settled.state.positions) {
    const bar = barOf(market, ticker, day)
    // A dividend is per share of that morning, so after the split.
    const held = bar?.split ? quantity.times(bar.split) : quantity
    if (bar?.split) {
      state = applySplit(state, ticker, bar.split)
      splits.push({ ticker, day, ratio: bar.split, change: held.minus(quantity), at })
    }
    if (bar?.dividend) {
      state = payDividend(state, ticker, bar.dividend)
      dividends.push({ ticker, day, quantity: held, amount: held.times(bar.dividend), at })
    }
  }
  const inTurn = { ...rules, isInTurn: isForOpening }
  const borrowCharges = [...settled.borrowCharges, ...charges]
  const filled = fillOrders(state, auctionQuote(market, day, 'open'), inTurn, at)
  return { ...settled, borrowCharges, dividends, splits, state: filled }
}

/**
 * Charges for borrowed shares as the simulation has them: before anything else happens, by the close of the session
 * before.
 */
function borrowChargesOf(
  { positions }: BrokerState,
  day: EpochDay,
  at: UtcMillis,
  market: PaperMarket,
  { shortCost = 0 }: PaperFillRules,
): BorrowCharge[] {
  if (shortCost === 0) return []
  const quote = closingQuote(market, day - 1)
  return [...positions].flatMap(([ticker, { quantity, averageEntryPrice }]) => {
    if (!quantity.isNegative) return []
    const value = quantity.absolute().times(quote(ticker) ?? averageEntryPrice)
    const amount = value.times(Decimal.fromNumber(shortCost))
    return amount.isZero ? [] : [{ ticker, day, quantity: quantity.absolute(), amount, at }]
  })
}

function liveThroughClose(
  settled: SettledAccount,
  day: EpochDay,
  at: UtcMillis,
  market: PaperMarket,
  rules: FillRules,
): SettledAccount {
  const inTurn = { ...rules, isInTurn: isForClose }
  const filled = fillOrders(settled.state, auctionQuote(market, day, 'close'), inTurn, at)
  const state = expireOrders(filled, at, isForAuction)
  return { ...settled, state, closes: [...settled.closes, { day, equity: equityOf(state, closingQuote(market, day)) }] }
}

const tradableNow =
  ({ calendar, latest }: PaperMarket, now: UtcMillis): Quote =>
  (ticker) =>
    isAroundTheClock(ticker) || isMarketOpen(calendar, now) ? latest(ticker) : undefined

/** Whether an opening or a close lies between two instants, so that daily bars are needed. */
export function passesAuction(calendar: PaperMarket['calendar'], from: UtcMillis, to: UtcMillis): boolean {
  return calendar
    .sessionsBetween(epochDayOf(from) - 1, epochDayOf(to) + 1)
    .some((day) => [calendar.openOf(day), calendar.closeOf(day)].some((at) => at > from && at <= to))
}
