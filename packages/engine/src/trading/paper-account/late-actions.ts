import type { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import type { EpochDay, UtcMillis } from '@tradewright/core/time'
import type { Fill } from '../broker.ts'
import { afterTrade, type BrokerState, type HeldPosition } from '../simulated-broker/state.ts'
import type { PaperBar, PaperMarket } from './paper-market.ts'
import type { AppliedSplit, PaidDividend } from './settle.ts'

/** What was booked in an account since an instant. */
export interface RecentPast {
  readonly since: UtcMillis
  /** Ascending. */
  readonly fills: readonly Fill[]
  readonly actions: readonly BookedAction[]
}

export interface BookedAction {
  readonly kind: 'dividend' | 'split'
  readonly ticker: string
  /** The ex-day. */
  readonly day: EpochDay
}

interface BookedLate {
  readonly state: BrokerState
  readonly dividends: readonly PaidDividend[]
  readonly splits: readonly AppliedSplit[]
}

/**
 * Books what went ex at an opening that the account has passed already: providers deliver the action with the bar of its
 * session, after the close, and later when they cannot be reached. It belongs to the shares held before that opening.
 */
export function bookLateActions(
  state: BrokerState,
  { from, to }: { from: UtcMillis; to: UtcMillis },
  { calendar, bars }: PaperMarket,
  past: RecentPast,
): BookedLate {
  let booked: BookedLate = { state, dividends: [], splits: [] }
  for (const [ticker, ofTicker] of bars) {
    const actions = ofTicker.filter(({ day, split, dividend }) => (split ?? dividend) && calendar.isSession(day))
    const series = { ticker, actions, openOf: (day: EpochDay) => calendar.openOf(day), past }
    const isLate = (open: UtcMillis) => open >= past.since && open <= from
    for (const bar of actions) if (isLate(series.openOf(bar.day))) booked = bookLate(booked, series, bar, to)
  }
  return booked
}

interface Series {
  readonly ticker: string
  /** Bars with an action, ascending. */
  readonly actions: readonly PaperBar[]
  readonly openOf: (day: EpochDay) => UtcMillis
  readonly past: RecentPast
}

function bookLate(booked: BookedLate, series: Series, bar: PaperBar, at: UtcMillis): BookedLate {
  const { ticker } = series
  const { day, split, dividend } = bar
  const later = changesSince(series, day)
  const before = later.reduceRight(undo, booked.state.positions.get(ticker))
  if (!before) return booked
  let { state, dividends, splits } = booked
  if (split && !isBooked(series, 'split', day)) {
    state = withPosition(state, ticker, later.reduce(redo, redo(before, { ratio: split })))
    const change = before.quantity.times(split).minus(before.quantity)
    splits = [...splits, { ticker, day, ratio: split, change, at }]
  }
  if (dividend && !isBooked(series, 'dividend', day)) {
    // A dividend is per share of that morning, so after the split.
    const quantity = split ? before.quantity.times(split) : before.quantity
    const amount = quantity.times(dividend)
    state = { ...state, cash: state.cash.plus(amount) }
    dividends = [...dividends, { ticker, day, quantity, amount, at }]
  }
  return { state, dividends, splits }
}

const isBooked = ({ ticker, past }: Series, kind: BookedAction['kind'], day: EpochDay): boolean =>
  past.actions.some((action) => action.kind === kind && action.ticker === ticker && action.day === day)

/** What happened to a position, in order. */
type Change = { readonly quantity: Decimal; readonly price: Usd } | { readonly ratio: Decimal }

/** From the opening of the day on. A split comes before the trades of its opening. */
function changesSince(series: Series, day: EpochDay): Change[] {
  const { ticker, actions, openOf, past } = series
  const splits = actions
    .filter((bar) => bar.split && bar.day >= day && isBooked(series, 'split', bar.day))
    .map((bar) => ({ at: openOf(bar.day), change: { ratio: bar.split! } }))
  const trades = past.fills
    .filter((fill) => fill.ticker === ticker && fill.at >= openOf(day))
    .map(({ at, side, quantity, price }) => ({
      at,
      change: { quantity: side === 'buy' ? quantity : quantity.negated(), price },
    }))
  return [...splits, ...trades].sort((a, b) => a.at - b.at).map(({ change }) => change)
}

function redo(held: HeldPosition | undefined, change: Change): HeldPosition | undefined {
  if (!('ratio' in change)) return afterTrade(held, change.quantity, change.price)
  if (!held) return undefined
  const { quantity, averageEntryPrice } = held
  return { quantity: quantity.times(change.ratio), averageEntryPrice: averageEntryPrice.dividedBy(change.ratio) }
}

/** A position that was closed has no known entry price any more, so the price of that trade stands for it. */
function undo(held: HeldPosition | undefined, change: Change): HeldPosition | undefined {
  if ('ratio' in change) {
    return (
      held && {
        quantity: held.quantity.dividedBy(change.ratio),
        averageEntryPrice: held.averageEntryPrice.times(change.ratio),
      }
    )
  }
  const quantity = held ? held.quantity.minus(change.quantity) : change.quantity.negated()
  if (quantity.isZero) return undefined
  // It was made smaller, or it is of the other side since: the entry price before is not known from what it is now.
  const hasGrown = held && held.quantity.isNegative === change.quantity.isNegative
  if (!hasGrown || held.quantity.isNegative !== quantity.isNegative) {
    return { quantity, averageEntryPrice: held?.averageEntryPrice ?? change.price }
  }
  const paid = held.quantity.times(held.averageEntryPrice).minus(change.quantity.times(change.price))
  const entry = paid.dividedBy(quantity)
  return { quantity, averageEntryPrice: entry.isPositive ? entry : held.averageEntryPrice }
}

function withPosition(state: BrokerState, ticker: string, held: HeldPosition | undefined): BrokerState {
  const positions = new Map(state.positions)
  if (held) positions.set(ticker, held)
  else positions.delete(ticker)
  return { ...state, positions }
}
