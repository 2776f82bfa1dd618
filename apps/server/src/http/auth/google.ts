import {
  GOOGLE_CALLBACK_PATH,
  GOOGLE_LOGIN_PATH,
  linkGoogle,
  type GoogleLinkError,
  type GoogleLoginError,
} from '@tradewright/contract/auth'
import { isReturnPath } from '@tradewright/contract/screens'
import { Problem } from '@tradewright/core/problem'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { beginGoogleFlow, finishGoogleFlow, purposeOfState, type GoogleFlowDeps } from '../../auth/google-flow.ts'
import { beginLinking, finishLinking } from '../../auth/google-link.ts'
import { type GoogleSignInDeps, userOfGoogleAccount } from '../../auth/google-sign-in.ts'
import { invitationHashOf } from '../../auth/admission.ts'
import type { PasswordCheckDeps } from '../../auth/change-password.ts'
import { beginSecondStep, type SecondFactorStore } from '../../auth/second-factor.ts'
import type { Sessions } from '../../auth/sessions.ts'
import { originOf, setSignInCookies, setTicketCookie, visitOf } from './routes.ts'
import type { Authenticate, Handle } from '../server/handle.ts'
import type { CookieScope } from '../server/security/session-cookie.ts'
import { siteOf } from '../server/security/site-of.ts'
import type { GooglePurpose } from '../../auth/ports.ts'

interface GoogleServices extends GoogleFlowDeps, GoogleSignInDeps, PasswordCheckDeps {
  sessions: Sessions
  factors: SecondFactorStore
}

interface GoogleRoutes {
  app: FastifyInstance
  handle: Handle
  authenticate: Authenticate
  appUrl: string | undefined
  scope: CookieScope
}

const BROWSER_COOKIE = 'tradewright_google'
const BROWSER_COOKIE_SECONDS = 600

/** Sign in with Google, and link a Google account: the browser goes to Google and comes back to the callback. */
export function serveGoogle(routes: GoogleRoutes, services: GoogleServices): void {
  const { app, handle, authenticate, appUrl, scope } = routes
  const cookie = { path: '/api/auth/google', httpOnly: true, sameSite: 'lax', secure: scope.secure } as const
  const rememberBrowser = (reply: FastifyReply, secret: string) =>
    reply.setCookie(BROWSER_COOKIE, secret, { ...cookie, maxAge: BROWSER_COOKIE_SECONDS })
  const redirectUri = (request: FastifyRequest) => siteOf(request, appUrl) + GOOGLE_CALLBACK_PATH

  app.get(GOOGLE_LOGIN_PATH, browserLink('Redirect to Google to sign in.'), async (request, reply) => {
    void reply.header('cache-control', 'no-store')
    try {
      const { url, browserSecret } = await beginGoogleFlow(services, loginPurpose(request), redirectUri(request))
      return await rememberBrowser(reply, browserSecret).redirect(url)
    } catch (error) {
      logFailure(request, error)
      return reply.redirect(googleFailed('login', error))
    }
  })

  handle(linkGoogle, async ({ user, session, body, request, reply }) => {
    const proof = {
      userId: user.id,
      sessionId: session.id,
      password: body.password ?? '',
      from: originOf(request),
    }
    const { url, browserSecret } = await beginLinking(services, proof, redirectUri(request))
    rememberBrowser(reply, browserSecret)
    return { redirect_url: url }
  })

  app.get(GOOGLE_CALLBACK_PATH, browserLink('Return from the sign-in at Google.'), async (request, reply) => {
    void reply.header('cache-control', 'no-store').clearCookie(BROWSER_COOKIE, cookie)
    const callbackUrl = new URL(request.url, siteOf(request, appUrl))
    const caller = await authenticate(request).catch(() => null)
    try {
      const browserSecret = request.cookies[BROWSER_COOKIE]
      const { purpose, identity } = await finishGoogleFlow(services, { callbackUrl, browserSecret })
      if (purpose.kind === 'link') {
        await finishLinking(services.users, purpose.userId, caller?.user.id, identity)
        const about = { userId: purpose.userId, from: originOf(request), detail: identity.email }
        await services.securityLog.record('google.linked', about)
        return await reply.redirect(GOOGLE_LINKED)
      }
      const user = await userOfGoogleAccount(services, identity, purpose.invitationHash)
      const returnPath = purpose.returnPath ?? null
      const ticket = await beginSecondStep(services, user, { returnPath })
      if (ticket !== undefined) {
        setTicketCookie(reply, scope, ticket)
        return await reply.redirect(GOOGLE_SECOND_STEP)
      }
      setSignInCookies(reply, scope, await services.sessions.open(user, visitOf(request)))
      return await reply.redirect(returnPath ?? GOOGLE_SIGNED_IN)
    } catch (error) {
      logFailure(request, error)
      const purpose = purposeOfState(callbackUrl.searchParams.get('state')) ?? (caller ? 'link' : 'login')
      return reply.redirect(googleFailed(purpose, error))
    }
  })
}

function loginPurpose(request: FastifyRequest) {
  const { invite, return: wanted } = request.query as { invite?: unknown; return?: unknown }
  return {
    kind: 'login',
    invitationHash: typeof invite === 'string' ? invitationHashOf(invite) : undefined,
    // A link with anything else was not made by our own page: it leads Home.
    returnPath: typeof wanted === 'string' && isReturnPath(wanted) ? wanted : undefined,
  } as const
}

const browserLink = (summary: string) => ({
  schema: { summary, tags: ['Sign-in'], response: { 302: { type: 'null' } } },
})

/** The visitor sees a code in the address; the reason is for the operator. */
function logFailure(request: FastifyRequest, error: unknown): void {
  if (!(error instanceof Problem)) request.log.error({ err: error }, 'sign-in with Google failed unexpectedly')
  else request.log.warn({ code: error.code, ...(error.cause !== undefined && { err: error.cause }) }, error.message)
}

/** Where a browser goes on after it came back from Google, or could not be sent there. */
const GOOGLE_LINKED = '/settings?success=google_linked'
const GOOGLE_SIGNED_IN = '/'
const GOOGLE_SECOND_STEP = '/login?step=2'

const LOGIN_ERRORS: Record<string, GoogleLoginError> = {
  'google.unavailable': 'google_unavailable',
  'google.state': 'invalid_state',
  'google.response': 'invalid_oauth_response',
  'google.denied': 'access_denied',
  'google.email-taken': 'email_taken',
  'registration.closed': 'registration_closed',
  'registration.invitation': 'invitation_needed',
  'registration.invitation-ended': 'invitation_ended',
}
const LINK_ERRORS: Record<string, GoogleLinkError> = {
  'google.state': 'invalid_state',
  'google.response': 'invalid_oauth_response',
  'google.denied': 'invalid_oauth_response',
  'google.linked-elsewhere': 'google_account_already_linked',
}

function googleFailed(purpose: GooglePurpose['kind'], error: unknown): string {
  const code = error instanceof Problem ? error.code : ''
  if (purpose === 'link') return `/settings?error=${LINK_ERRORS[code] ?? 'linking_failed'}`
  return `/login?error=${LOGIN_ERRORS[code] ?? 'login_failed'}`
}
