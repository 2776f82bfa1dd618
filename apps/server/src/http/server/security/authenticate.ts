import { checkApiKey, isApiKey } from '../../../auth/api-keys.ts'
import type { Sessions } from '../../../auth/sessions.ts'
import type { Credential, Session } from '../../../auth/ports.ts'
import type { Authenticate, CallerSession } from '../handle.ts'
import { refuseForeignOrigin } from './origin-check.ts'
import { bearerTokenOf, sessionCookieOf } from './session-cookie.ts'

/**
 * An API key counts alone, whatever cookie is beside it: the call has its rights and no more. Then the cookie: a bearer
 * token beside it may be left over from an earlier sign-in. A key or token is only ever sent by a program or page that
 * holds it, so it needs no check of where the call comes from.
 */
export function createAuthenticate(
  sessions: Sessions,
  keys: Parameters<typeof checkApiKey>[0],
  appUrl: string | undefined,
): Authenticate {
  return async (request, scope, options) => {
    const bearer = bearerTokenOf(request)
    if (bearer !== undefined && isApiKey(bearer)) {
      const { id, user, createdAt, name, scopes, expiresAt } = await checkApiKey(
        keys,
        bearer,
        { address: request.ip, userAgent: request.headers['user-agent'] ?? '' },
        scope,
        options,
      )
      return { id, user, credential: 'key', signedInAt: createdAt, factorAt: null, key: { name, scopes, expiresAt } }
    }
    const byCookie = await sessions.find('cookie', sessionCookieOf(request))
    const token = byCookie ? undefined : bearer
    if (token === undefined) refuseForeignOrigin(request, appUrl)
    if (byCookie) return toCaller(byCookie, 'cookie')
    const byToken = await sessions.find('bearer', token)
    return byToken && toCaller(byToken, 'bearer')
  }
}

const toCaller = ({ id, user, createdAt, factorAt }: Session, credential: Credential): CallerSession => ({
  id,
  user,
  credential,
  signedInAt: createdAt,
  factorAt,
})
