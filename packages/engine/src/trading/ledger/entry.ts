import { Decimal } from '@tradewright/core/decimal'
import type { Usd } from '@tradewright/core/money'
import type { UtcMillis } from '@tradewright/core/time'

export const USD = 'USD'

/**
 * An owner within one brokerage account: a deployment has its slice, `unallocated` is the rest. `market` is everybody
 * outside the account, so that every entry has two sides.
 */
export type Party = `deployment:${number}` | 'unallocated' | 'market'

export const partyOf = (deploymentId: number): Party => `deployment:${deploymentId}`

export const deploymentIdOf = (party: Party): number | undefined =>
  party.startsWith('deployment:') ? Number(party.slice('deployment:'.length)) : undefined

/** The last three concern the account alone and appear in no deployment's ledger. */
export type EntryType =
  | 'CONTRIBUTION'
  | 'WITHDRAWAL'
  | 'DISALLOCATION'
  | 'TRADE_BUY'
  | 'TRADE_SELL'
  | 'REBALANCE'
  | 'FEE'
  | 'DIVIDEND'
  | 'INTEREST'
  | 'SPLIT'
  | 'CORPORATE_ACTION'
  | 'CORRECTION'
  | 'SNAPSHOT'
  | 'OPENING'
  | 'EXTERNAL_TRADE'
  | 'EXTERNAL_FLOW'

/** One side of an entry: `asset` is USD or a ticker, `amount` is positive for what the party gets. */
export interface Leg {
  readonly party: Party
  readonly asset: string
  readonly amount: Decimal
}

export interface Entry {
  readonly type: EntryType
  /** Books a thing once, however often it is told: a second entry of the same account and key is dropped. */
  readonly key: string
  readonly at: UtcMillis
  /** Whose ledger shows it; undefined for the account's own. */
  readonly deploymentId: number | undefined
  readonly legs: readonly Leg[]
  /** For display: dollars, seen from the deployment. */
  readonly amount: Usd
  readonly direction: 'in' | 'out' | 'none'
  readonly note: string | undefined
}

/** Both sides of a change of hands. */
export const transfer = (from: Party, to: Party, asset: string, amount: Decimal): Leg[] =>
  amount.isZero
    ? []
    : [
        { party: from, asset, amount: amount.negated() },
        { party: to, asset, amount },
      ]

/** The sum of an entry by asset; all zero, or something was made from nothing. */
export function imbalance(legs: readonly Leg[]): Map<string, Decimal> {
  const sums = new Map<string, Decimal>()
  for (const { asset, amount } of legs) sums.set(asset, (sums.get(asset) ?? Decimal.zero).plus(amount))
  return new Map([...sums].filter(([, sum]) => !sum.isZero))
}
