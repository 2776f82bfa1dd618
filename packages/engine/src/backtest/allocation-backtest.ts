import { targetWeights } from '../trading/allocation.ts'
import { type AccountRun, runAccount, type RunConditions } from './account-run.ts'
import type { AllocationPlan } from './plan.ts'

/** Invested at the close of the first session; flows and rebalances at closes. */
export function runAllocation(conditions: RunConditions, { allocation }: AllocationPlan): AccountRun {
  const { prices } = conditions.table
  const weights = targetWeights(allocation, prices.tickers)
  return runAccount(
    conditions,
    prices,
    { from: 0, to: prices.timestamps.length },
    {
      decide: (bar) => (bar === 0 ? weights : undefined),
      fillTiming: 'same_close',
      rebalance: true,
    },
  )
}
