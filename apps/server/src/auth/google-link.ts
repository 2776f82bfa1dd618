import { Problem } from '@tradewright/core/problem'
import { beginGoogleFlow, type BegunFlow, type GoogleFlowDeps } from './google-flow.ts'
import type { GoogleIdentity, UserStore } from './ports.ts'
import { changeSignIn, linkGoogleAccount, signInMethodsOf } from './sign-in-methods.ts'

export async function beginLinking(
  deps: GoogleFlowDeps & { users: UserStore },
  userId: number,
  redirectUri: string,
): Promise<BegunFlow> {
  const { google } = await signInMethodsOf(deps.users, userId)
  if (google) throw new Problem('conflict', 'google.linked', 'A Google account is linked already. Unlink it first.')
  return beginGoogleFlow(deps, { kind: 'link', userId }, redirectUri)
}

/** `signedInAs`: who the browser belongs to when it comes back, if anybody. */
export async function finishLinking(
  users: UserStore,
  userId: number,
  signedInAs: number | undefined,
  { subject, email }: GoogleIdentity,
): Promise<void> {
  if (signedInAs !== undefined && signedInAs !== userId) {
    throw new Problem('invalid', 'google.state', 'Another user signed in while Google was asked.')
  }
  await changeSignIn(users, userId, linkGoogleAccount({ subject, email }))
}
