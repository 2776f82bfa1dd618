import { receivesSignals } from '@tradewright/core/strategy-kinds'
import { Problem } from '@tradewright/core/problem'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import type { Deployment } from '../deployment.ts'
import type { LiveStores } from '../ports/database.ts'

/**
 * The request with the signals from outside that were received until an instant; with `newest`, so many of the last. Their
 * targets are read by the list that the deployment was made with, whatever the strategy says today.
 */
export async function withKnownSignals(
  { signals }: Pick<LiveStores, 'signals'>,
  { userId, strategyId }: Pick<Deployment, 'userId' | 'strategyId'>,
  request: BacktestRequest,
  until: Date,
  newest?: number,
): Promise<BacktestRequest> {
  const { strategy } = request
  if (!receivesSignals(strategy)) return request
  if (strategyId === null) {
    throw new Problem(
      'conflict',
      'deployment.no-signals',
      'The strategy that received its signals was deleted. Nothing is traded without them.',
    )
  }
  return { ...request, strategy: { ...strategy, signals: await signals.record(userId, strategyId, until, newest) } }
}
