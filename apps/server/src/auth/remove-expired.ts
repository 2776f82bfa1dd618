import type { Clock } from '@tradewright/core/clock'
import type { AttemptCounters, GoogleFlowStore, SessionStore } from './ports.ts'

export interface RemoveExpiredDeps {
  sessionStore: SessionStore
  googleFlows: GoogleFlowStore
  attemptCounters: AttemptCounters
  clock: Clock
}

/** What has expired is never found again; this only keeps the tables small. */
export async function removeExpired(deps: RemoveExpiredDeps): Promise<void> {
  const now = deps.clock.now()
  await deps.sessionStore.removeExpired(now)
  await deps.googleFlows.removeExpired(now)
  await deps.attemptCounters.removeEnded(now)
}
