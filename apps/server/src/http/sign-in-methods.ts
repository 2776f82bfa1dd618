import { getAuthMethods, setPassword, togglePassword, unlinkGoogle } from '@tradewright/contract/auth'
import type { Passwords } from '../auth/passwords.ts'
import type { UserStore } from '../auth/ports.ts'
import {
  changeSignIn,
  setPassword as setFirstPassword,
  signInMethodsOf,
  switchPassword,
  unlinkGoogleAccount,
} from '../auth/sign-in-methods.ts'
import type { SignInMethods } from '../auth/user.ts'
import type { Handle } from './handle.ts'

export function serveSignInMethods(handle: Handle, services: { users: UserStore; passwords: Passwords }): void {
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

  handle(unlinkGoogle, async ({ user }) => {
    await changeSignIn(users, user.id, unlinkGoogleAccount)
    return { success: true as const }
  })
}

const toWire = ({ isPasswordEnabled, google }: SignInMethods) => ({
  password_enabled: isPasswordEnabled,
  google_linked: google !== null,
  google_email: google?.email ?? null,
  oauth_provider: google ? 'google' : null,
})
