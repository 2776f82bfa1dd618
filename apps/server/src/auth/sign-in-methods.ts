import { Problem } from '@tradewright/core/problem'
import type { PasswordPolicy } from './password-policy.ts'
import { ownSession, type Passwords } from './passwords.ts'
import type { UserStore } from './ports.ts'
import type { GoogleAccount, SignInMethods, User } from './user.ts'

/** Each decision below gets the methods a user has and chooses new ones, or says why not. */
type Decide = (now: SignInMethods) => SignInMethods

export const switchPassword =
  (enable: boolean): Decide =>
  (now) => {
    if (enable && !now.passwordHash) {
      throw new Problem('invalid', 'password.unset', 'You have no password yet. Set a password first.')
    }
    if (!enable && !now.google) {
      throw new Problem(
        'invalid',
        'password.needed',
        'Cannot disable password authentication without linking Google account first',
      )
    }
    return { ...now, isPasswordEnabled: enable }
  }

/** Changing a password would have to ask for the old one; this sets the first. */
export const setFirstPassword =
  (passwordHash: string): Decide =>
  (now) => {
    if (now.passwordHash) throw new Problem('conflict', 'password.set', 'A password is already set for this account.')
    return { ...now, passwordHash, isPasswordEnabled: true }
  }

export const linkGoogleAccount =
  (google: GoogleAccount): Decide =>
  (now) => {
    if (now.google && now.google.subject !== google.subject) {
      throw new Problem('conflict', 'google.linked', 'Another Google account is already linked. Unlink it first.')
    }
    return { ...now, google }
  }

export const unlinkGoogleAccount: Decide = (now) => {
  if (!now.google) throw new Problem('invalid', 'google.unlinked', 'No Google account is linked.')
  if (!now.isPasswordEnabled) {
    const first = now.passwordHash ? 'Enable password sign-in first.' : 'Set a password first.'
    throw new Problem('invalid', 'google.needed', `Google is the only way to sign in to this account. ${first}`)
  }
  return { ...now, google: null }
}

export const changeSignIn = async (
  users: Pick<UserStore, 'changeSignIn'>,
  userId: number,
  decide: Decide,
): Promise<void> => {
  if (await users.changeSignIn(userId, decide)) return
  throw new Problem('conflict', 'google.linked-elsewhere', 'This Google account is already linked to another user.')
}

export async function setPassword(
  { users, passwords, passwordPolicy }: { users: UserStore; passwords: Passwords; passwordPolicy: PasswordPolicy },
  user: User,
  password: string,
): Promise<void> {
  passwordPolicy.check(password, [user.username, user.email])
  const passwordHash = await passwords.turns.run(ownSession(user.id), () => passwords.hash(password))
  await changeSignIn(users, user.id, setFirstPassword(passwordHash))
}

export async function signInMethodsOf(users: UserStore, userId: number): Promise<SignInMethods> {
  const account = await users.find(userId)
  if (!account) throw new Problem('missing', 'user.missing', 'This account no longer exists.')
  return account.signIn
}
