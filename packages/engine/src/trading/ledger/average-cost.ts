import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import { type Leg, partyOf, USD } from './entry.ts'

interface Lot {
  readonly quantity: Decimal
  /** The cost of all shares; negative for what was sold short. */
  readonly cost: Usd
}

/** What came in without dollars in the same entry: shares at their value, as contributions in kind are. */
interface Movement {
  readonly legs: readonly Leg[]
  readonly amount: Usd
  /** Shares became other ones or more of the same, and cost what they did. */
  readonly keepsCost: boolean
}

/**
 * What one share of each holding cost on average, from the entries of a deployment, oldest first. Sales leave the average
 * as it is, splits divide it, and a position that turns from long to short begins anew.
 */
export function averageCosts(deploymentId: number, movements: Iterable<Movement>): ReadonlyMap<string, Usd> {
  const lots = new Map<string, Lot>()
  const party = partyOf(deploymentId)
  for (const { legs, amount, keepsCost } of movements) {
    const own = legs.filter((leg) => leg.party === party)
    const dollars = own.filter(({ asset }) => asset === USD).reduce((sum, leg) => sum.plus(leg.amount), Decimal.zero)
    const shares = own.filter(({ asset }) => asset !== USD)
    const before = shares.reduce((sum, { asset }) => sum.plus(lots.get(asset)?.cost ?? Decimal.zero), Decimal.zero)
    for (const { asset, amount: quantity } of shares) {
      const isWhole = shares.length === 1
      const paid = dollars.isZero ? signed(amount, quantity) : dollars.negated()
      const lot = lots.get(asset) ?? { quantity: Decimal.zero, cost: Decimal.zero }
      const next = keepsCost
        ? {
            quantity: lot.quantity.plus(quantity),
            cost: isWhole ? lot.cost : quantity.isNegative ? Decimal.zero : before,
          }
        : after(lot, quantity, paid)
      if (next.quantity.isZero) lots.delete(asset)
      else lots.set(asset, next)
    }
  }
  return new Map([...lots].map(([ticker, { quantity, cost }]) => [ticker, cost.dividedBy(quantity)]))
}

const signed = (amount: Usd, quantity: Decimal): Usd =>
  quantity.isNegative ? amount.absolute().negated() : amount.absolute()

function after({ quantity, cost }: Lot, change: Decimal, paid: Usd): Lot {
  const total = quantity.plus(change)
  if (quantity.isZero || quantity.isNegative === change.isNegative) return { quantity: total, cost: cost.plus(paid) }
  const turns = !total.isZero && total.isNegative !== quantity.isNegative
  const [shares, of] = turns ? [total, change] : [total, quantity]
  return { quantity: total, cost: (turns ? paid : cost).times(shares).dividedBy(of) }
}
