import { Problem } from '@tradewright/core/problem'
import { type PasswordCheckDeps, type PasswordProof, provePassword } from './change-password.ts'
import { beginGoogleFlow, type BegunFlow, type GoogleFlowDeps, requireGoogle } from './google-flow.ts'
import type { GoogleIdentity, UserStore } from './ports.ts'
import { changeSignIn, linkGoogleAccount, signInMethodsOf } from './sign-in-methods.ts'
import { usernameKey } from './username-key.ts'

/** Asks for the password: a stolen session must not add a way to sign in that outlives it. */
export async function beginLinking(
  deps: GoogleFlowDeps & PasswordCheckDeps,
  proof: PasswordProof,
  redirectUri: string,
): Promise<BegunFlow> {
  const { userId } = proof
  requireGoogle(deps)
  const { google } = await signInMethodsOf(deps.users, userId)
  if (google) throw new Problem('conflict', 'google.linked', 'A Google account is already linked. Unlink it first.')
  if (proof.password === '') {
    throw new Problem('invalid', 'password.missing', 'Enter your password to link a Google account.')
  }
  await provePassword(deps, proof)
  return beginGoogleFlow(deps, { kind: 'link', userId }, redirectUri)
}

/**
 * `signedInAs`: the user of the browser when it comes back; undefined when it is signed out, for example because the
 * owner changed the password meanwhile.
 */
export async function finishLinking(
  users: UserStore,
  userId: number,
  signedInAs: number | undefined,
  { subject, email, isEmailVerified }: GoogleIdentity,
): Promise<void> {
  if (signedInAs !== userId) {
    throw new Problem('invalid', 'google.state', 'The session that started the Google sign-in is no longer signed in.')
  }
  await changeSignIn(users, userId, linkGoogleAccount({ subject, email }))
  if (isEmailVerified) await users.verifyEmail(userId, usernameKey(email))
}
