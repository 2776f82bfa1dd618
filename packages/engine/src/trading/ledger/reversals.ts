import { apportion } from '@tradewright/core/money'
import type { CashActivity } from '../account-activity.ts'
import { type Entry, transfer, USD } from './entry.ts'

const keyOf = ({ key }: Pick<Entry, 'key'>): string => `reversal:${key}`

const OPPOSITE = { in: 'out', out: 'in', none: 'none' } as const

/** Takes an entry back, in the ledger where it stands: nothing is ever removed from a ledger. */
export const reversalOf = (entry: Entry, at: number): Entry => ({
  ...entry,
  type: entry.deploymentId === undefined ? entry.type : 'CORRECTION',
  key: keyOf(entry),
  at,
  legs: entry.legs.map((leg) => ({ ...leg, amount: leg.amount.negated() })),
  direction: OPPOSITE[entry.direction],
  note: `Taken back by the broker: ${entry.note ?? entry.type}`,
})

/** The entries of one event that no reversal took back. */
export function standing(entries: readonly Entry[], reversals: readonly Entry[]): Entry[] {
  const taken = new Set(reversals.map(({ key }) => key))
  return entries.filter((entry) => !taken.has(keyOf(entry)))
}

/** The corrected amount of an activity, for the parties of the entries whose place it takes, in the same proportion. */
export function inPlaceOf(earlier: readonly Entry[], { at, netAmount }: CashActivity, key: string): Entry[] {
  const parts = apportion(
    netAmount,
    earlier.map(({ amount }) => amount),
  )
  return earlier.map((entry, i) => {
    const part = parts[i]!
    const { party } = entry.legs.find((leg) => leg.party !== 'market')!
    return {
      ...entry,
      key: `${key}:${party}`,
      at,
      legs: transfer('market', party, USD, part),
      amount: part.absolute(),
      direction: part.isNegative ? 'out' : 'in',
    }
  })
}
