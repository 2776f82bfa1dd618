import * as contract from '@tradewright/contract/second-factor'
import { Problem } from '@tradewright/core/problem'
import type { FastifyRequest } from 'fastify'
import {
  addPasskey,
  addTotp,
  askedAtSignIn,
  askedInSession,
  beginPasskey,
  beginTotp,
  type Factor,
  makeRecoveryCodes,
  passkeySiteOf,
  proveFactor,
  questionFor,
  removeFactor,
  type SecondFactorDeps,
  secondStepOf,
} from '../../auth/second-factor.ts'
import type { Sessions } from '../../auth/sessions.ts'
import type { CallerSession, Handle } from '../server/handle.ts'
import type { CookieScope } from '../server/security/session-cookie.ts'
import { siteOf } from '../server/security/site-of.ts'
import { originOf, setSignInCookies, TICKET_COOKIE, ticketAttributes, visitOf } from './routes.ts'

type Services = SecondFactorDeps & { readonly sessions: Sessions }

/** A second factor beside the password: at sign-in, in Settings, and before what deserves to be asked for again. */
export function serveSecondFactor(
  handle: Handle,
  services: Services,
  scope: CookieScope & { appUrl: string | undefined },
) {
  const siteFor = (request: FastifyRequest) => passkeySiteOf(siteOf(request, scope.appUrl))
  const ownerOf = (session: CallerSession, request: FastifyRequest, password: string | null | undefined) => ({
    sessionId: session.id,
    signedInAt: session.signedInAt,
    factorAt: session.factorAt,
    password: password ?? '',
    from: originOf(request),
  })

  handle(contract.getSecondStep, async ({ request }) => {
    const ticket = request.cookies[TICKET_COOKIE]
    const { userId } = await secondStepOf(services, ticket)
    return questionToWire(
      await questionFor(services, askedAtSignIn(userId, ticket!, siteFor(request), originOf(request))),
    )
  })

  handle(contract.signInWithFactor, async ({ body, request, reply }) => {
    const ticket = request.cookies[TICKET_COOKIE]
    const { userId, passwordHash, returnPath } = await secondStepOf(services, ticket)
    const asked = askedAtSignIn(userId, ticket!, siteFor(request), originOf(request))
    await proveFactor(services, asked, body)
    // When two come with the same attempt, one of them signs in.
    await services.factors.endChallenge(asked.key)
    const user = await services.users.find(userId)
    if (!user) throw new Problem('unauthenticated', 'session.missing', 'Please sign in first.')
    const signedIn = await services.sessions.open(user, visitOf(request), {
      passwordHash: passwordHash ?? undefined,
      factorAt: services.clock.now(),
    })
    void reply.clearCookie(TICKET_COOKIE, ticketAttributes(scope))
    setSignInCookies(reply, scope, signedIn)
    const { id, username, email } = signedIn.user
    return { id, username, email, token: signedIn.bearerToken, return_path: returnPath }
  })

  handle(contract.listFactors, async ({ user, request }) => ({
    success: true as const,
    factors: (await services.factors.list(user.id)).map(toWire),
    recovery_codes: await services.factors.recoveryCodesLeft(user.id),
    passkeys_work: siteFor(request) !== undefined,
  }))

  handle(contract.beginTotp, async ({ user, session, body, request }) => ({
    success: true as const,
    ...(await beginTotp(services, user, ownerOf(session, request, body.password))),
  }))

  handle(contract.addTotp, async ({ user, session, body, request }) => {
    const { password, ...app } = body
    return addedToWire(await addTotp(services, user, app, ownerOf(session, request, password)))
  })

  handle(contract.beginPasskey, async ({ user, session, body, request }) => {
    const owner = ownerOf(session, request, body.password)
    return { success: true as const, options: { ...(await beginPasskey(services, user, siteFor(request), owner)) } }
  })

  handle(contract.addPasskey, async ({ user, session, body, request }) => {
    const asked = { site: siteFor(request), sessionId: session.id, from: originOf(request) }
    return addedToWire(await addPasskey(services, user, body, asked))
  })

  handle(contract.removeFactor, async ({ user, params, request }) => {
    await removeFactor(services, user.id, params.id, originOf(request))
    return { success: true as const }
  })

  handle(contract.makeRecoveryCodes, async ({ user, request }) => ({
    success: true as const,
    recovery_codes: await makeRecoveryCodes(services, user.id, originOf(request)),
  }))

  handle(contract.getFactorQuestion, async ({ user, session, request }) =>
    questionToWire(await questionFor(services, askedInSession(user, session.id, siteFor(request), originOf(request)))),
  )

  handle(contract.confirmFactor, async ({ user, session, body, request }) => {
    await proveFactor(services, askedInSession(user, session.id, siteFor(request), originOf(request)), body)
    await services.sessions.confirmFactor(session.id)
    return { success: true as const }
  })
}

const toWire = ({ id, kind, name, createdAt, lastUsedAt }: Factor): contract.Factor => ({
  id,
  kind,
  name,
  created_at: createdAt.toISOString(),
  last_used_at: lastUsedAt?.toISOString() ?? null,
})

const addedToWire = ({ factor, recoveryCodes }: Awaited<ReturnType<typeof addTotp>>) => ({
  success: true as const,
  factor: toWire(factor),
  recovery_codes: recoveryCodes,
})

const questionToWire = ({ methods, passkeyOptions }: Awaited<ReturnType<typeof questionFor>>) => ({
  methods,
  passkey_options: passkeyOptions && { ...passkeyOptions },
})
