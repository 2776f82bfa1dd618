import { Problem } from '@tradewright/core/problem'
import { type AdmissionDeps, admissionOf, invitationHashOf, notAdmitted } from './admission.ts'
import { isEmailAddress } from './email-address.ts'
import type { PasswordPolicy } from './password-policy.ts'
import { network } from './network.ts'
import type { Passwords } from './passwords.ts'
import type { Admission, NewUser, UserStore } from './ports.ts'
import type { Sessions, SignedIn, Visit } from './sessions.ts'
import type { Throttle } from './throttle.ts'
import type { Account, EmailState } from './user.ts'
import { usernameKey } from './username-key.ts'
import { sendVerificationLater, type VerifyEmailDeps } from './verify-email.ts'

export interface RegisterDeps extends AdmissionDeps, VerifyEmailDeps {
  users: UserStore
  sessions: Sessions
  passwords: Passwords
  passwordPolicy: PasswordPolicy
  throttle: Throttle
  /** The name that OPERATOR_USER gives. */
  operatorUser: string | undefined
}

interface Registration {
  username: string
  /** The username when it is not given. */
  email?: string | null | undefined
  password: string
  /** The token of an invitation. */
  invite?: string | null | undefined
}

/** `site`: where the link in the verification mail leads. */
export async function register(
  deps: RegisterDeps,
  registration: Registration,
  visit: Visit,
  site: string | undefined,
): Promise<SignedIn> {
  const username = registration.username.trim()
  const email = registration.email?.trim() || username
  const names = { username, usernameKey: usernameKey(username), email, emailKey: usernameKey(email) }
  refuseForeignAddress(names)
  deps.passwordPolicy.check(registration.password, [username, email])
  await deps.throttle.countRegistration(visit)
  const invitation = invitationHashOf(registration.invite)
  const admission =
    (await operatorAdmission(deps, names.usernameKey, invitation)) ?? (await admissionOf(deps, invitation))
  if (await deps.users.isSignInEmail(names.usernameKey)) throw usernameTaken()
  const asker = { account: names.usernameKey, address: network(visit.address), isKnown: false }
  const passwordHash = await deps.passwords.turns.run(asker, () => deps.passwords.hash(registration.password))
  const signIn = { passwordHash, isPasswordEnabled: true, google: null }
  const user = await insert(deps, { ...names, signIn, createdAt: deps.clock.now() }, admission)
  if (deps.mailer.isConfigured && isEmailAddress(names.emailKey)) sendVerificationLater(deps, user, site)
  return deps.sessions.open(user, visit, { isFirst: true })
}

/**
 * The name that OPERATOR_USER gives: its account operates the instance, so that it is made as the very first account or with an
 * invitation. Undefined for every other name.
 */
async function operatorAdmission(
  deps: RegisterDeps,
  name: string,
  invitationHash: Buffer | undefined,
): Promise<Admission | undefined> {
  const { operatorUser, users, invitations, clock } = deps
  if (operatorUser === undefined || name !== usernameKey(operatorUser)) return undefined
  if (!(await users.hasAny())) return { kind: 'first' }
  if (invitationHash && (await invitations.isValid(invitationHash, clock.now()))) {
    return { kind: 'invitation', tokenHash: invitationHash }
  }
  throw usernameTaken()
}

/** A name with @ reads as an address: it must be the account's own, and so another's cannot be taken as a name. */
function refuseForeignAddress({ usernameKey: name, emailKey }: Pick<NewUser, 'usernameKey' | 'emailKey'>): void {
  if (!name.includes('@') || name === emailKey) return
  throw new Problem('invalid', 'username.address', 'A username with @ must be your own e-mail address.')
}

/** The database decides between two who come at the same moment. */
async function insert(deps: RegisterDeps, user: Omit<NewUser, 'emailState'>, admission: Admission): Promise<Account> {
  const emailState = await emailStateOf(deps, user)
  const inserted = await deps.users.insert({ ...user, emailState }, admission)
  // The address may have become another account's sign-in name meanwhile; the username may still be free.
  const settled =
    inserted === 'taken' && emailState === 'accepted' && user.usernameKey !== user.emailKey
      ? await deps.users.insert({ ...user, emailState: 'unverified' }, admission)
      : inserted
  if (settled === 'taken') throw usernameTaken()
  if (settled === 'not admitted') throw notAdmitted(deps.registration)
  return settled
}

/** Where mail can prove an address, only proof makes it a way to sign in. Elsewhere the first account to name it has it. */
async function emailStateOf(
  { users, mailer }: RegisterDeps,
  { usernameKey: name, emailKey }: Pick<NewUser, 'usernameKey' | 'emailKey'>,
): Promise<EmailState> {
  if (!isEmailAddress(emailKey)) return name === emailKey ? 'accepted' : 'unverified'
  if (mailer.isConfigured) return 'unverified'
  if (name === emailKey) return 'accepted'
  const holders = await users.findByLogin(emailKey)
  return holders.length === 0 ? 'accepted' : 'unverified'
}

const usernameTaken = () => new Problem('conflict', 'username.taken', 'This username is already taken.')
