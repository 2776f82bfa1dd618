import type { Sessions } from '../../auth/sessions.ts'
import type { Credential, Session } from '../../auth/ports.ts'
import type { Authenticate, CallerSession } from './handle.ts'
import { refuseForeignOrigin } from './origin-check.ts'
import { bearerTokenOf, sessionCookieOf } from './session-cookie.ts'

/**
 * The cookie comes first: a bearer token beside it may be left over from an earlier sign-in. A token is only ever
 * sent by a program or page that holds it, so it needs no check of where the call comes from.
 */
export function createAuthenticate(sessions: Sessions, appUrl: string | undefined): Authenticate {
  return async (request) => {
    const byCookie = await sessions.find('cookie', sessionCookieOf(request))
    const token = byCookie ? undefined : bearerTokenOf(request)
    if (token === undefined) refuseForeignOrigin(request, appUrl)
    if (byCookie) return toCaller(byCookie, 'cookie')
    const byToken = await sessions.find('bearer', token)
    return byToken && toCaller(byToken, 'bearer')
  }
}

const toCaller = ({ id, user, createdAt }: Session, credential: Credential): CallerSession => ({
  id,
  user,
  credential,
  signedInAt: createdAt,
})
