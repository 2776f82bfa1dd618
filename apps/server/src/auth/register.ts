import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import type { Passwords } from './passwords.ts'
import type { UserStore } from './ports.ts'
import type { Sessions, SignedIn, Visit } from './sessions.ts'
import type { Throttle } from './throttle.ts'
import { usernameKey } from './username-key.ts'

export interface RegisterDeps {
  users: UserStore
  sessions: Sessions
  passwords: Passwords
  throttle: Throttle
  clock: Clock
}

export interface Registration {
  username: string
  /** The username when it is not given. */
  email?: string | null | undefined
  password: string
}

export async function register(
  { users, sessions, passwords, throttle, clock }: RegisterDeps,
  registration: Registration,
  visit: Visit,
): Promise<SignedIn> {
  const username = registration.username.trim()
  const email = registration.email?.trim() || username
  const keys = { usernameKey: usernameKey(username), emailKey: usernameKey(email) }
  await throttle.countRegistration(visit.address)
  const passwordHash = await passwords.turns.run(() => passwords.hash(registration.password))
  const signIn = { passwordHash, isPasswordEnabled: true, google: null }
  // The database decides between two who come at the same moment.
  const user = await users.insert({ username, email, ...keys, signIn, createdAt: clock.now() })
  if (!user) throw new Problem('conflict', 'username.taken', 'This username is already taken.')
  return sessions.open(user, visit)
}
