import { endAllSessions, endSession, listSessions } from '@tradewright/contract/sessions'
import { endOwnSession, listOwnSessions, type OwnSession, type OwnSessionsDeps } from '../../auth/own-sessions.ts'
import { forgetOtherPlaces } from '../../auth/known-places.ts'
import type { KnownPlaceStore } from '../../auth/ports.ts'
import type { SecurityLog } from '../../auth/security-log.ts'
import { originOf } from './routes.ts'
import { deviceCookieOf } from '../server/security/device-cookie.ts'
import type { Handle } from '../server/handle.ts'
import { clearSessionCookie, type CookieScope } from '../server/security/session-cookie.ts'

/** Where a user is signed in, and signing out there. */
export function serveOwnSessions(
  handle: Handle,
  services: OwnSessionsDeps & { places: KnownPlaceStore; securityLog: SecurityLog },
  scope: CookieScope,
): void {
  handle(listSessions, async ({ user, session }) => ({
    success: true as const,
    sessions: (await listOwnSessions(services, user.id, session.id)).map(toWire),
    max_age_days: services.maxAgeDays,
  }))

  handle(endSession, async ({ user, session, params, request, reply }) => {
    await endOwnSession(services, user.id, params.id)
    await services.securityLog.record('session.ended', { userId: user.id, from: originOf(request) })
    if (params.id === session.id) clearSessionCookie(reply, scope)
    return { success: true as const }
  })

  handle(endAllSessions, async ({ user, request, reply }) => {
    await services.sessions.endAllOf(user.id)
    await forgetOtherPlaces(services.places, user.id, deviceCookieOf(request))
    await services.securityLog.record('sessions.ended', { userId: user.id, from: originOf(request) })
    clearSessionCookie(reply, scope)
    return { success: true as const }
  })
}

const toWire = ({ id, device, address, createdAt, lastSeenAt, isCurrent }: OwnSession) => ({
  id,
  device,
  address,
  created_at: createdAt.toISOString(),
  last_seen_at: lastSeenAt.toISOString(),
  is_current: isCurrent,
})
