import type { Usd } from '@tradewright/core/money'
import type { UtcMillis } from '@tradewright/core/time'
import { type Entry, transfer, USD } from './entry.ts'

/** Money that came to (or left) the account without a known reason. */
export const flowEntry = (key: string, at: UtcMillis, amount: Usd, note: string): Entry => ({
  type: 'EXTERNAL_FLOW',
  key,
  at,
  deploymentId: undefined,
  legs: transfer('market', 'unallocated', USD, amount),
  amount: amount.absolute(),
  direction: amount.isNegative ? 'out' : 'in',
  note,
})
