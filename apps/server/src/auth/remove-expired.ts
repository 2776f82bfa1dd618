import type { Clock } from '@tradewright/core/clock'
import { KEY_RETENTION_DAYS } from './api-keys.ts'
import { PLACE_RETENTION_DAYS } from './known-places.ts'
import type {
  ApiKeyStore,
  AttemptCounters,
  EmailVerificationStore,
  GoogleFlowStore,
  InvitationStore,
  KnownPlaceStore,
  SessionStore,
} from './ports.ts'
import type { SecondFactorStore } from './second-factor.ts'
import type { SecurityLog } from './security-log.ts'

interface RemoveExpiredDeps {
  sessionStore: SessionStore
  googleFlows: GoogleFlowStore
  attemptCounters: AttemptCounters
  places: KnownPlaceStore
  apiKeys: Pick<ApiKeyStore, 'removeEnded'>
  invitations: InvitationStore
  verifications: EmailVerificationStore
  clock: Clock
  securityLog: Pick<SecurityLog, 'removeOld'>
  factors: Pick<SecondFactorStore, 'removeExpired'>
}

/** Expired rows are never found again; this only keeps the tables small. */
export async function removeExpired(deps: RemoveExpiredDeps): Promise<void> {
  const now = deps.clock.now()
  await deps.sessionStore.removeExpired(now)
  await deps.googleFlows.removeExpired(now)
  await deps.attemptCounters.removeEnded(now)
  await deps.invitations.removeExpired(now)
  await deps.verifications.removeExpired(now)
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
  await deps.places.removeOld(daysAgo(PLACE_RETENTION_DAYS))
  await deps.apiKeys.removeEnded(daysAgo(KEY_RETENTION_DAYS))
  await deps.securityLog.removeOld()
  await deps.factors.removeExpired(now)
}
