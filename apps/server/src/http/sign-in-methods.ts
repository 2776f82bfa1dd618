import { changePassword, getAuthMethods, setPassword, togglePassword, unlinkGoogle } from '@tradewright/contract/auth'
import { changePassword as changeProvenPassword, type PasswordCheckDeps } from '../auth/change-password.ts'
import type { Sessions } from '../auth/sessions.ts'
import {
  changeSignIn,
  setPassword as setFirstPassword,
  signInMethodsOf,
  switchPassword,
  unlinkGoogleAccount,
} from '../auth/sign-in-methods.ts'
import type { SignInMethods } from '../auth/user.ts'
import type { Handle } from './handle.ts'

export function serveSignInMethods(handle: Handle, services: PasswordCheckDeps & { sessions: Sessions }): void {
  const { users } = services

  handle(getAuthMethods, async ({ user }) => toWire(await signInMethodsOf(users, user.id)))

  handle(togglePassword, async ({ user, body }) => {
    await changeSignIn(users, user.id, switchPassword(body.enable))
    return { success: true as const }
  })

  handle(setPassword, async ({ user, body }) => {
    await setFirstPassword(services, user.id, body.password)
    return { success: true as const }
  })

  handle(changePassword, async ({ user, session, body, request }) => {
    const proof = { userId: user.id, sessionId: session.id, password: body.current_password, address: request.ip }
    await changeProvenPassword(services, proof, body.new_password)
    return { success: true as const }
  })

  handle(unlinkGoogle, async ({ user }) => {
    await changeSignIn(users, user.id, unlinkGoogleAccount)
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
