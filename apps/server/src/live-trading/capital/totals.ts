import { Decimal } from '@tradewright/core/decimal'
import type { Entry } from '@tradewright/engine/trading/ledger/entry'
import type { CapitalTotals } from '../deployment.ts'

/**
 * Effects of entries on the sums of a deployment. Trades, fees and dividends are performance and change none of them.
 */
export function withEntries(totals: CapitalTotals, entries: readonly Entry[]): CapitalTotals {
  let { committed, contributions, withdrawals, net } = totals
  for (const { type, direction, amount } of entries) {
    const signed = direction === 'out' ? amount.negated() : amount
    if (type === 'CONTRIBUTION') contributions = contributions.plus(amount)
    else if (type === 'WITHDRAWAL' || type === 'DISALLOCATION') withdrawals = withdrawals.plus(amount)
    else if (type !== 'REBALANCE') continue
    net = net.plus(signed)
    committed = committed.plus(signed)
  }
  // Gains may be given back too: more than was ever committed.
  return { committed: committed.isNegative ? Decimal.zero : committed, contributions, withdrawals, net }
}
