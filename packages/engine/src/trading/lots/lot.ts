import type { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { civilDate, type EpochDay, toEpochDay } from '@tradewright/core/time'

/** Which shares a sale takes. `specific`: those that were chosen for it, then the oldest. */
export const LOT_METHODS = ['fifo', 'lifo', 'highest-cost', 'specific'] as const
export type LotMethod = (typeof LOT_METHODS)[number]

/**
 * Where the basis comes from: a `trade` (price and fees), the broker's average price of shares held `before` our records
 * begin, the value on the day of a `transfer`. `unknown`: sold since, and the broker no longer names a price.
 */
export type LotOrigin = 'trade' | 'before' | 'transfer' | 'unknown'

/** Shares of one purchase that are still held. Sums of lots are exact: what a division leaves over stays in the lot. */
export interface Lot {
  /** Unique; a purchase of which only a part replaces shares sold at a loss has several lots. */
  readonly id: string
  readonly purchaseId: string
  /** Executions of one order are one purchase for the wash-sale rule. */
  readonly orderId: string
  readonly ticker: string
  /** Negative for shares sold short. */
  readonly quantity: Decimal
  /** Price, fees and losses of wash sales; of shares sold short, what they brought, negative. */
  readonly basis: Usd
  readonly openedOn: EpochDay
  /** Before `openedOn` where a wash sale adds the time that the sold shares were held. */
  readonly heldSince: EpochDay
  /** The part of `basis` that comes from wash sales. */
  readonly washAdjustment: Usd
  readonly origin: LotOrigin
}

/** Why a loss does not count yet: shares that replace the ones sold. */
export interface Wash {
  readonly purchaseId: string
  readonly boughtOn: EpochDay
  readonly quantity: Decimal
  /** Positive. */
  readonly disallowed: Usd
}

/** Shares of one lot that were sold: a line of Form 8949. */
export interface Disposal {
  readonly saleId: string
  readonly purchaseId: string
  readonly ticker: string
  readonly quantity: Decimal
  readonly openedOn: EpochDay
  readonly heldSince: EpochDay
  readonly soldOn: EpochDay
  /** Less fees. */
  readonly proceeds: Usd
  readonly basis: Usd
  readonly term: 'short' | 'long'
  readonly washes: readonly Wash[]
  /** The part of the loss that is added to the basis of replacing shares; positive or zero. */
  readonly disallowed: Usd
  /** Proceeds less basis, and the loss that is disallowed: what counts in the year. */
  readonly gain: Usd
  readonly origin: LotOrigin
}

/** More than a year: the anniversary itself is still short (Publication 550, "Holding period"). */
export function isLongTerm(heldSince: EpochDay, soldOn: EpochDay): boolean {
  const { year, month, day } = civilDate(heldSince)
  // Held from the 29th of February on, the year is over with the 28th.
  const anniversary = toEpochDay(year + 1, month, month === 2 && day === 29 ? 28 : day)
  return soldOn > anniversary
}
