import type { Clock } from '@tradewright/core/clock'
import { changePassword, getAuthMethods, setPassword, togglePassword, unlinkGoogle } from '@tradewright/contract/auth'
import { changePassword as changeProvenPassword, type ChangePasswordDeps } from '../../auth/change-password.ts'
import { requireFreshSignIn } from '../../auth/fresh-sign-in.ts'
import {
  changeSignIn,
  setPassword as setFirstPassword,
  signInMethodsOf,
  switchPassword,
  unlinkGoogleAccount,
} from '../../auth/sign-in-methods.ts'
import type { SignInMethods } from '../../auth/user.ts'
import { deviceCookieOf } from '../server/security/device-cookie.ts'
import { originOf } from './routes.ts'
import type { Handle } from '../server/handle.ts'

export function serveSignInMethods(handle: Handle, services: ChangePasswordDeps & { clock: Clock }): void {
  const { users, securityLog } = services

  handle(getAuthMethods, async ({ user }) => toWire(await signInMethodsOf(users, user.id)))

  handle(togglePassword, async ({ user, body, request }) => {
    await changeSignIn(users, user.id, switchPassword(body.enable))
    const kind = body.enable ? 'password.on' : 'password.off'
    await securityLog.record(kind, { userId: user.id, from: originOf(request) })
    return { success: true as const }
  })

  handle(setPassword, async ({ user, session, body, request }) => {
    requireFreshSignIn(session.signedInAt, services.clock.now())
    await setFirstPassword(services, user, body.password)
    await securityLog.record('password.set', { userId: user.id, from: originOf(request) })
    return { success: true as const }
  })

  handle(changePassword, async ({ user, session, body, request }) => {
    const proof = {
      userId: user.id,
      sessionId: session.id,
      password: body.current_password,
      names: [user.username, user.email],
      device: deviceCookieOf(request),
      from: originOf(request),
    }
    await changeProvenPassword(services, proof, body.new_password)
    return { success: true as const }
  })

  handle(unlinkGoogle, async ({ user, request }) => {
    await changeSignIn(users, user.id, unlinkGoogleAccount)
    await securityLog.record('google.unlinked', { userId: user.id, from: originOf(request) })
    return { success: true as const }
  })
}

const toWire = ({ passwordHash, isPasswordEnabled, google }: SignInMethods) => ({
  password_enabled: isPasswordEnabled,
  google_linked: google !== null,
  google_email: google?.email ?? null,
  oauth_provider: google ? 'google' : null,
  has_password: passwordHash !== null,
})
