import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { type Deployment, requestFor } from '../deployment.ts'

/**
 * The backtest of a deployment's strategy by the deployment's own rules for rebalancing, and without what moves no
 * decision.
 */
export function replayRequest(deployment: Deployment, now: number): BacktestRequest {
  const { rebalanceFrequency, rebalanceThresholdPct } = deployment.settings
  return {
    ...requestFor(deployment, now),
    cashflow: 0,
    adjustInflation: false,
    referenceTicker: undefined,
    rebalanceFrequency,
    rebalanceBandPct: rebalanceThresholdPct > 0 ? rebalanceThresholdPct : undefined,
  }
}
