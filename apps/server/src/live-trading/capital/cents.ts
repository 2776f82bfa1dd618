import { isInCents, type Usd } from '@tradewright/core/money'
import { Problem } from '@tradewright/core/problem'

/** Ledgers keep more places, but a tenth of a cent cannot be paid: it would be booked and read as $0.00. */
export function refuseLessThanCents(what: string, amount: Usd): void {
  if (isInCents(amount)) return
  throw new Problem(
    'invalid',
    'capital.cents',
    `${what} must be in dollars and whole cents, with at most two decimals.`,
  )
}
