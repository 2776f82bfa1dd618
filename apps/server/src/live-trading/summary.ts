import { nyse } from '@tradewright/engine/market/trading-calendar'
import type { MarketClock } from '@tradewright/engine/trading/broker'
import { clockOf } from '@tradewright/engine/trading/market-hours'
import type { LiveDeps } from './deps.ts'
import { type DeploymentGlance, deploymentGlances } from './views.ts'

export interface DeploymentsSummary {
  readonly market: MarketClock
  /** By deployment: a value a day, oldest first, flows left out. */
  readonly recent: ReadonlyMap<number, readonly number[]>
  readonly glances: readonly DeploymentGlance[]
}

const RECENT_DAYS = 30

/**
 * The market's hours come from our own calendar: it is not clear which account to ask, and a broker that fails would
 * hide them.
 */
export async function deploymentsAtAGlance(
  deps: Pick<LiveDeps, 'database' | 'clock' | 'gate' | 'log'>,
  userId: number,
): Promise<DeploymentsSummary> {
  const now = deps.clock.now()
  const glances = await deploymentGlances(deps, userId)
  const recent = await deps.database.journal.dailyGrowth(
    glances.map(({ id }) => id),
    now,
    RECENT_DAYS,
  )
  return { market: clockOf(nyse, now.getTime()), recent, glances }
}
