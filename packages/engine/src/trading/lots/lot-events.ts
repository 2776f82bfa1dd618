import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { tickerKind } from '@tradewright/core/ticker-kind'
import type { EpochDay } from '@tradewright/core/time'
import type { AccountActivity } from '../account-activity.ts'
import type { LotEvent, OpeningEvent } from './lot-event.ts'
import { movementEvents } from './movement-events.ts'
import { tradeEvents } from './trade-events.ts'

/** A position at the broker, and what its shares cost on average as the broker counts. */
export interface HeldPosition {
  readonly ticker: string
  readonly quantity: Decimal
  readonly averageEntryPrice: Usd
}

/** Shares that activities say are there and the broker does not have: they are taken out of the lots without a sale. */
interface UnexplainedShares {
  readonly ticker: string
  readonly quantity: Decimal
}

export interface AccountLotEvents {
  /** In the order in which they happened. */
  readonly events: readonly LotEvent[]
  readonly unexplained: readonly UnexplainedShares[]
  /** Fees that belong to no known trade, and are in no basis. */
  readonly otherFees: Usd
}

/** No broker takes more of a coin for trading it; what is missing up to that is a fee that is not listed yet. */
const LARGEST_COIN_FEE = Decimal.parse('0.005')

/**
 * What happened to the shares of an account, from the broker's own list of executions and activities. Trades between
 * deployments of the account are not in it: for the account nothing was sold.
 *
 * The lots of the events add up to the broker's positions: shares that no activity brought were held before, at the
 * broker's average price.
 */
export function accountLotEvents(
  activities: readonly AccountActivity[],
  positions: readonly HeldPosition[],
  today: EpochDay,
): AccountLotEvents {
  const held = new Map(positions.map((position) => [position.ticker, position]))
  const { trades, otherFees } = tradeEvents(activities)
  const movements = movementEvents(activities, (ticker) => held.get(ticker)?.averageEntryPrice)
  // Splits and transfers count for their day as a whole, so before its trades.
  const known = [...movements, ...trades].sort((a, b) => a.day - b.day)
  const changes = changesByTicker(known)
  const before: OpeningEvent[] = []
  const after: LotEvent[] = []
  const unexplained: UnexplainedShares[] = []
  for (const ticker of [...new Set([...changes.keys(), ...held.keys()])].sort()) {
    const position = held.get(ticker)
    const change = changes.get(ticker) ?? Decimal.zero
    const missing = (position?.quantity ?? Decimal.zero).minus(change)
    if (missing.isZero) continue
    if (missing.isPositive) before.push(heldBefore(ticker, missing, position, known, known[0]?.day ?? today))
    else if (isUnlistedFee(ticker, missing.negated(), change)) {
      after.push({ kind: 'split', ticker, day: today, change: missing })
    } else {
      after.push({ kind: 'removal', ticker, day: today, quantity: missing.negated() })
      unexplained.push({ ticker, quantity: missing.negated() })
    }
  }
  return { events: [...before, ...known, ...after], unexplained, otherFees }
}

function changesByTicker(events: readonly LotEvent[]): Map<string, Decimal> {
  const changes = new Map<string, Decimal>()
  const add = (ticker: string, change: Decimal) =>
    changes.set(ticker, (changes.get(ticker) ?? Decimal.zero).plus(change))
  for (const event of events) {
    add(event.ticker, changeOf(event))
    if (event.kind === 'exchange') add(event.into.ticker, event.into.quantity)
  }
  return changes
}

function changeOf(event: LotEvent): Decimal {
  if (event.kind === 'split') return event.change
  if (event.kind === 'return-of-capital') return Decimal.zero
  const isLess =
    event.kind === 'removal' || event.kind === 'exchange' || (event.kind === 'trade' && event.side === 'sell')
  return isLess ? event.quantity.negated() : event.quantity
}

const isUnlistedFee = (ticker: string, missing: Decimal, bought: Decimal): boolean =>
  tickerKind(ticker) === 'crypto' && !bought.times(LARGEST_COIN_FEE).isBelow(missing)

/** The average price is of shares as they are today: what splits made of each old share is in it. */
function heldBefore(
  ticker: string,
  quantity: Decimal,
  position: HeldPosition | undefined,
  events: readonly LotEvent[],
  day: EpochDay,
): OpeningEvent {
  const opening = { kind: 'opening', id: `before:${ticker}`, ticker, day, quantity } as const
  if (!position?.averageEntryPrice.isPositive) return { ...opening, basis: Decimal.zero, origin: 'unknown' }
  let total = quantity
  let today = quantity
  for (const event of events) {
    if (event.ticker !== ticker) continue
    const after = total.plus(changeOf(event))
    if (event.kind === 'split' && total.isPositive) today = today.times(after).dividedBy(total)
    total = after
  }
  return { ...opening, basis: today.times(position.averageEntryPrice), origin: 'before' }
}
