import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { accountTotal, type Books, type Slice, sliceOf } from './books.ts'
import { debtorsOf, isDeployment, ownersOf } from './holders.ts'

/** A ticker of which the broker holds another quantity than the books. */
export interface PositionDifference {
  readonly ticker: string
  readonly broker: Decimal
  readonly books: Decimal
}

interface Comparison {
  readonly positions: readonly PositionDifference[]
  /** Broker minus books; within a cent it counts as none. */
  readonly cash: Usd
  /**
   * Tickers of which deployments own more than the account has, or owe more. What the account itself holds or owes of a
   * ticker, in the same direction or of another one, is no concern of theirs.
   */
  readonly overdrawn: readonly string[]
}

/** Brokers round what they pay to cents, the books do not. */
const CENT = Decimal.parse('0.01')

/** The smallest amount of shares that any broker counts. */
const SMALLEST_QUANTITY = Decimal.parse('0.000000001')

export function compareWithBroker(books: Books, broker: Slice): Comparison {
  const own = accountTotal(books)
  const tickers = [...new Set([...own.positions.keys(), ...broker.positions.keys()])].sort()
  const positions = tickers.flatMap((ticker) => {
    const [held, booked] = [broker.positions.get(ticker) ?? Decimal.zero, own.positions.get(ticker) ?? Decimal.zero]
    return SMALLEST_QUANTITY.isBelow(held.minus(booked).absolute()) ? [{ ticker, broker: held, books: booked }] : []
  })
  const cash = broker.cash.minus(own.cash)
  const rest = sliceOf(books, 'unallocated').positions
  const isOwned = (ticker: string) => ownersOf(books, ticker).some(isDeployment)
  const isOwed = (ticker: string) => debtorsOf(books, ticker).some(isDeployment)
  return {
    positions,
    cash: cash.absolute().isBelow(CENT) ? Decimal.zero : cash,
    overdrawn: [...rest]
      .filter(([ticker, quantity]) => (quantity.isNegative ? isOwned(ticker) : quantity.isPositive && isOwed(ticker)))
      .map(([ticker]) => ticker),
  }
}

/** The ratio by which a position grew, when a known split explains it exactly. */
export const isExplainedBySplit = ({ broker, books }: PositionDifference, ratio: Decimal): boolean =>
  // A broker pays fractions of a new share out in cash; a whole share of difference is no split.
  broker.minus(books.times(ratio)).absolute().isBelow(Decimal.parse('1')) && !books.isZero
