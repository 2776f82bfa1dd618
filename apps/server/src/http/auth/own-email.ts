import { confirmEmail, getEmail, sendEmailVerification } from '@tradewright/contract/email'
import { confirmEmail as confirm, ownEmail, sendVerification, type VerifyEmailDeps } from '../../auth/verify-email.ts'
import { originOf } from './routes.ts'
import type { Handle } from '../server/handle.ts'
import { mailSiteOf } from '../server/security/site-of.ts'

/** The e-mail address of an account, and the link that proves it. */
export function serveOwnEmail(handle: Handle, services: VerifyEmailDeps, appUrl: string | undefined): void {
  handle(getEmail, async ({ user }) => {
    const { email, isVerified, pending, canVerify } = await ownEmail(services, user.id)
    return { email, verified: isVerified, pending_email: pending, can_verify: canVerify }
  })

  handle(sendEmailVerification, async ({ user, body, request }) => ({
    success: true as const,
    email: await sendVerification(services, user, body.email ?? undefined, mailSiteOf(request, appUrl)),
  }))

  handle(confirmEmail, async ({ body, request }) => ({
    success: true as const,
    email: await confirm(services, body.token, originOf(request)),
  }))
}
