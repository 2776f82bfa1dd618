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
  /** Between the auctions orders pay half the spread, and get no more than this share of what changes hands; absent: neither. */
  readonly volumeShare?: number
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
  const auctioned = fillLate(settled.state, market, rules, to)
  return { ...settled, state: fillAtAnyTime(auctioned, market, betweenAuctions(rules, market), to) }
}

/** An auction has one price for all, and no spread. */
function betweenAuctions({ volumeShare, ...rules }: PaperFillRules, { halfSpread, volumeSince }: PaperMarket) {
  if (volumeShare === undefined) return rules
  return {
    ...rules,
    ...(halfSpread && { halfSpread }),
    mostSince: (ticker: string, since: UtcMillis) => {
      const volume = volumeSince?.(ticker, since)
      return volume === undefined ? undefined : Decimal.fromNumber(volume * volumeShare)
    },
  }
}

/** Orders of the first minute are filled at the price that the session began with, as the open of a backtest is. */
const OPENING = MINUTE

/** A price of the session before is none of this one: an order waits for the next, which may be the session's daily bar. */
function fillAtAnyTime(state: BrokerState, market: PaperMarket, rules: FillRules, now: UtcMillis): BrokerState {
  const { calendar, isOfSession = () => true, sessionOpen } = market
  const day = epochDayOf(now)
  const opened = calendar.isSession(day) ? calendar.openOf(day) : now
  const isKnown = (ticker: string) => isAroundTheClock(ticker) || isOfSession(ticker)
  const isEarly = (order: Order) =>
    !isAroundTheClock(order.ticker) && order.submittedAt >= opened && order.submittedAt < opened + OPENING
  const inTurn = (order: Order) => isForAnyTime(order) && isKnown(order.ticker)
  const current = tradableNow(market, now)
  const opening: Quote = (ticker) => current(ticker) && sessionOpen?.(ticker)
  const early = fillOrders(state, opening, { ...rules, isInTurn: (order) => inTurn(order) && isEarly(order) }, now)
  return fillOrders(early, current, { ...rules, isInTurn: inTurn }, now)
}

/** So long the price that an order waits for may be missing before it expires. */
const LATE_PRICE = 5 * DAY

interface LatePrice {
  readonly order: Order
  readonly day: EpochDay
  readonly price: 'open' | 'close'
}

/**
 * Orders whose session is over and whose price was not known in it: those for its auctions, and market orders for what has
 * no prices by the minute, which the daily bar fills that arrives after it.
 */
function awaited(
  { orders }: Pick<BrokerState, 'orders'>,
  calendar: PaperMarket['calendar'],
  now: UtcMillis,
): LatePrice[] {
  return [...orders.values()].flatMap((order): LatePrice[] => {
    const { timeInForce, submittedAt } = order
    const isLate = isForAuction(order) || mayAwaitBar(order)
    if (hasEnded(order.state) || !isLate) return []
    const auction = timeInForce === 'opg' ? 'opg' : 'cls'
    const day = auctionDay(auction, submittedAt, calendar)
    const price = auction === 'opg' ? 'open' : 'close'
    const at = price === 'open' ? calendar.openOf(day) : calendar.closeOf(day)
    return at <= now ? [{ order, day, price }] : []
  })
}

const mayAwaitBar = ({ ticker, timeInForce, execution, filledQuantity }: Order): boolean =>
  timeInForce === 'day' && execution.type === 'market' && filledQuantity.isZero && !isAroundTheClock(ticker)

/** Fills what was too late for its price as soon as that is known: with the first minute of a session, or its daily bar. */
function fillLate(state: BrokerState, market: PaperMarket, rules: FillRules, now: UtcMillis): BrokerState {
  const { calendar } = market
  const waiting = awaited(state, calendar, now)
  const isExpired = ({ day, price }: LatePrice) =>
    now - (price === 'open' ? calendar.openOf(day) : calendar.closeOf(day)) > LATE_PRICE
  const withoutThem = waiting
    .filter(isExpired)
    .reduce((left, { order }) => withOrder(left, { ...order, state: 'expired', endedAt: now }), state)
  const auctions = Map.groupBy(waiting, ({ day, price }) => `${price} ${day}`)
  return [...auctions.values()].reduce((left, own) => {
    const { day, price } = own[0]!
    const sessionOpen = day === epochDayOf(now) && price === 'open' ? market.sessionOpen : undefined
    const quote: Quote = (ticker) => barOf(market, ticker, day)?.[price] ?? sessionOpen?.(ticker)
    const ids = new Set(own.map((one) => one.order.id))
    return fillOrders(left, quote, { ...rules, isInTurn: ({ id }) => ids.has(id) }, now)
  }, withoutThem)
}

/** Whether an order waits for a price of a session or an auction that is over. */
export const awaitsPrice = ({ orders }: BrokerState, calendar: PaperMarket['calendar'], now: UtcMillis): boolean =>
  [...orders.values()].some(
    ({ state, timeInForce, submittedAt }) =>
      !hasEnded(state) &&
      (timeInForce === 'opg' || timeInForce === 'cls') &&
      auctionDay(timeInForce, submittedAt, calendar) <= epochDayOf(now),
  ) || awaited({ orders }, calendar, now).length > 0

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
  rules: PaperFillRules,
): SettledAccount {
  // What the session's volume did not fill is not filled by its close.
  const hadVolume = ({ filledQuantity }: Order) => rules.volumeShare !== undefined && filledQuantity.isPositive
  const inTurn = { ...rules, isInTurn: (order: Order) => isForClose(order) && !hadVolume(order) }
  const filled = fillOrders(settled.state, auctionQuote(market, day, 'close'), inTurn, at)
  // Without prices by the minute, a session has one price, which may be known hours after its close.
  const awaitsBar = (order: Order) => mayAwaitBar(order) && barOf(market, order.ticker, day)?.close === undefined
  const state = expireOrders(filled, at, (order) => isForAuction(order) || awaitsBar(order))
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
