import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import type { TradableAsset } from '../trading/broker.ts'

/** Brokers refuse orders of less than a dollar. */
const MIN_VALUE = Decimal.parse('1')

/** Whether the broker would refuse a purchase of this value as too small. */
export function isPurchaseTooSmall(
  { minPurchase = MIN_VALUE, minQuantity }: TradableAsset,
  value: Usd,
  price: Usd,
): boolean {
  return value.isBelow(minPurchase) || (minQuantity !== undefined && value.dividedBy(price).isBelow(minQuantity))
}

/** The same for a sale. A whole position is sold however little it is worth, where the broker takes it. */
export function isSaleTooSmall(
  { minQuantity, minSale }: TradableAsset,
  quantity: Decimal,
  price: Usd,
  isAll: boolean,
): boolean {
  const minValue = minSale ?? (isAll ? Decimal.zero : MIN_VALUE)
  return (
    !quantity.isPositive ||
    quantity.times(price).isBelow(minValue) ||
    (minQuantity !== undefined && quantity.isBelow(minQuantity))
  )
}

/** As much of a quantity as the broker's steps allow; whole shares where it takes no fractions. */
export function inSteps(quantity: Decimal, { isFractionable, quantityStep }: TradableAsset): Decimal {
  const step = isFractionable ? (quantityStep?.billionths ?? 1n) : WHOLE
  return step <= 1n ? quantity : new Decimal((quantity.billionths / step) * step)
}

/**
 * What a purchase may be that a broker refused for want of buying power; undefined where more is missing than is
 * forgiven, or what is left is too small to order.
 */
export function forgivenPurchase(wanted: Usd, buyingPower: Usd, forgivenessPct: number): Usd | undefined {
  const missingPct = (1 - buyingPower.toNumber() / wanted.toNumber()) * 100
  const left = floorCents(buyingPower)
  return missingPct > 0 && missingPct <= forgivenessPct + FLOAT_ROUNDING && !left.isBelow(MIN_VALUE) ? left : undefined
}

const FLOAT_ROUNDING = 1e-9
const WHOLE = 1_000_000_000n
const CENT = 10_000_000n

export const floorCents = (amount: Usd): Usd => new Decimal((amount.billionths / CENT) * CENT)
