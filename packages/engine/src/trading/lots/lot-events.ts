import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { tickerKind } from '@tradewright/core/ticker-kind'
import type { EpochDay } from '@tradewright/core/time'
import { type AccountActivity, standingActivities } from '../account-activity.ts'
import { changesOf, type ExchangeEvent, type LotEvent, type OpeningEvent } from './lot-event.ts'
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
  const standing = standingActivities(activities)
  const { trades, otherFees } = tradeEvents(standing)
  const cash = standing.filter((each) => each.kind === 'cash')
  const { events: movements, unnumberedSplits } = movementEvents(cash, (ticker) => held.get(ticker)?.averageEntryPrice)
  // Splits and transfers count for their day as a whole, so before its trades.
  const known: LotEvent[] = [...movements, ...trades].sort(byDay)
  const history = new Histories(known)
  const before: OpeningEvent[] = []
  const splits: LotEvent[] = []
  const after: LotEvent[] = []
  const unexplained: UnexplainedShares[] = []
  for (const ticker of [...new Set([...history.tickers, ...held.keys()])].sort()) {
    const change = history.changeOf(ticker)
    const missing = (held.get(ticker)?.quantity ?? Decimal.zero).minus(change)
    if (missing.isZero) continue
    const splitOn = unnumberedSplits.get(ticker)
    if (splitOn !== undefined && history.heldOn(ticker, splitOn).plus(missing).isPositive) {
      splits.push({ kind: 'split', ticker, day: splitOn, change: missing })
    } else if (missing.isPositive) {
      before.push(heldBefore(ticker, missing, held, history, known[0]?.day ?? today))
    } else if (isUnlistedFee(ticker, missing.negated(), change)) {
      after.push({ kind: 'split', ticker, day: today, change: missing })
    } else {
      after.push({ kind: 'removal', ticker, day: today, quantity: missing.negated() })
      unexplained.push({ ticker, quantity: missing.negated() })
    }
  }
  return { events: [...before, ...[...splits, ...known].sort(byDay), ...after], unexplained, otherFees }
}

const byDay = (a: LotEvent, b: LotEvent): number => a.day - b.day

/** What happened to the shares of each ticker. */
class Histories {
  readonly #events = new Map<string, { readonly event: LotEvent; readonly change: Decimal }[]>()

  constructor(events: readonly LotEvent[]) {
    for (const event of events) {
      for (const [ticker, change] of changesOf(event)) {
        const own = this.#events.get(ticker)
        if (own) own.push({ event, change })
        else this.#events.set(ticker, [{ event, change }])
      }
    }
  }

  get tickers(): Iterable<string> {
    return this.#events.keys()
  }

  of(ticker: string) {
    return this.#events.get(ticker) ?? []
  }

  changeOf(ticker: string): Decimal {
    return this.of(ticker).reduce((sum, { change }) => sum.plus(change), Decimal.zero)
  }

  /** What was held before the trades of the day, by what happened since the records begin. */
  heldOn(ticker: string, day: EpochDay): Decimal {
    return this.of(ticker).reduce((sum, { event, change }) => (event.day < day ? sum.plus(change) : sum), Decimal.zero)
  }
}

const isUnlistedFee = (ticker: string, missing: Decimal, bought: Decimal): boolean =>
  tickerKind(ticker) === 'crypto' && !bought.times(LARGEST_COIN_FEE).isBelow(missing)

/** Earlier shares, at the broker's average price of what became of them. */
function heldBefore(
  ticker: string,
  quantity: Decimal,
  held: ReadonlyMap<string, HeldPosition>,
  history: Histories,
  day: EpochDay,
): OpeningEvent {
  const opening = { kind: 'opening', id: `before:${ticker}`, ticker, day, quantity } as const
  const seen = new Set<string>()
  let name = ticker
  let total = quantity
  let today = quantity
  // The average price is of shares as they are today: what splits and exchanges made of each old share is in it.
  for (;;) {
    seen.add(name)
    let exchange: ExchangeEvent | undefined
    for (const { event, change } of history.of(name)) {
      const after = total.plus(change)
      if (event.kind === 'split' && total.isPositive) today = today.times(after).dividedBy(total)
      if (event.kind === 'exchange' && event.ticker === name) exchange = event
      total = after
    }
    const price = held.get(name)?.averageEntryPrice
    if (price?.isPositive) return { ...opening, basis: today.times(price), origin: 'before' }
    if (!exchange || seen.has(exchange.into.ticker)) return { ...opening, basis: Decimal.zero, origin: 'unknown' }
    today = today.times(exchange.into.quantity).dividedBy(exchange.quantity)
    name = exchange.into.ticker
    total = today
  }
}
