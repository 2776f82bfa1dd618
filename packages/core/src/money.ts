import { Decimal } from './decimal.ts'

/** An exact amount of US dollars. Ledgers keep all nine places; only what people read is rounded to cents. */
export type Usd = Decimal

const CENT = new Decimal(10_000_000n)

export const toCents = (amount: Usd): Usd => amount.rounded(2)

export const isInCents = (amount: Usd): boolean => toCents(amount).equals(amount)

/** "$1,234.50", "-$0.05": how an amount is written in sentences. */
export const usd = (amount: Usd): string => dollars(toCents(amount))

/** "$400.00", "$33.3333", "$0.072315": what one share or coin costs, where cents may be too coarse. */
export const usdPerShare = (price: Usd): string =>
  dollars(price.rounded(price.absolute().isBelow(Decimal.parse('1')) ? 6 : 4))

function dollars(amount: Usd): string {
  const [whole = '0', fraction = ''] = amount.absolute().toString().split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${amount.isNegative ? '-' : ''}$${grouped}.${fraction.padEnd(2, '0')}`
}

/**
 * Divides an amount in cents, in proportion to the weights, so that the parts add up to it exactly: what rounding
 * leaves over goes, a cent each, to the parts that lost most by it.
 */
export function apportion(amount: Usd, weights: readonly Decimal[]): Usd[] {
  const total = weights.reduce((sum, weight) => sum.plus(weight), Decimal.zero)
  if (!total.isPositive || weights.some((weight) => weight.isNegative)) {
    throw new RangeError('amounts are divided by weights that are not negative and not all zero')
  }
  // In whole numbers: a product rounded to nine places would already have lost what is to be divided.
  const exact = weights.map((weight) => amount.billionths * weight.billionths)
  const parts = exact.map((one) => new Decimal((one / (total.billionths * CENT.billionths)) * CENT.billionths))
  let rest = parts.reduce((left, part) => left.minus(part), amount)
  const byLoss = exact.map((one, i) => ({ i, loss: magnitude(one - parts[i]!.billionths * total.billionths) }))
  byLoss.sort((a, b) => (a.loss === b.loss ? a.i - b.i : a.loss > b.loss ? -1 : 1))
  for (const { i } of byLoss) {
    const step = rest.absolute().isBelow(CENT) ? rest : signedCent(rest)
    parts[i] = parts[i]!.plus(step)
    rest = rest.minus(step)
  }
  return parts
}

const signedCent = (like: Decimal): Decimal => (like.isNegative ? CENT.negated() : CENT)

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)
