import type { Clock } from '@tradewright/core/clock'
import { PLACE_RETENTION_DAYS } from './known-places.ts'
import type {
  AttemptCounters,
  EmailVerificationStore,
  GoogleFlowStore,
  InvitationStore,
  KnownPlaceStore,
  SessionStore,
} from './ports.ts'

interface RemoveExpiredDeps {
  sessionStore: SessionStore
  googleFlows: GoogleFlowStore
  attemptCounters: AttemptCounters
  places: KnownPlaceStore
  invitations: InvitationStore
  verifications: EmailVerificationStore
  clock: Clock
}

/** Expired rows are never found again; this only keeps the tables small. */
export async function removeExpired(deps: RemoveExpiredDeps): Promise<void> {
  const now = deps.clock.now()
  await deps.sessionStore.removeExpired(now)
  await deps.googleFlows.removeExpired(now)
  await deps.attemptCounters.removeEnded(now)
  await deps.invitations.removeExpired(now)
  await deps.verifications.removeExpired(now)
  await deps.places.removeOld(new Date(now.getTime() - PLACE_RETENTION_DAYS * 86_400_000))
}
