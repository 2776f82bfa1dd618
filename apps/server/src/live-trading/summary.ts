import { nyse } from '@tradewright/engine/market/calendar/nyse'
import type { MarketClock } from '@tradewright/engine/trading/broker'
import { clockOf } from '@tradewright/engine/trading/market-hours'
import type { LiveDeps } from './deps.ts'

export interface DeploymentsSummary {
  readonly market: MarketClock
  /** By deployment: a value a day, oldest first, flows left out. */
  readonly recent: ReadonlyMap<number, readonly number[]>
}

const RECENT_DAYS = 30

/**
 * The market's hours come from our own calendar: it is not clear which account to ask, and a broker that fails would
 * hide them.
 */
export async function deploymentsAtAGlance(
  { database, clock }: Pick<LiveDeps, 'database' | 'clock'>,
  userId: number,
): Promise<DeploymentsSummary> {
  const now = clock.now()
  const ids = (await database.deployments.list(userId)).map(({ id }) => id)
  return { market: clockOf(nyse, now.getTime()), recent: await database.journal.dailyGrowth(ids, now, RECENT_DAYS) }
}
