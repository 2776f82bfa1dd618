import { Problem } from '@tradewright/core/problem'
import { type PasswordCheckDeps, provePassword } from './change-password.ts'
import type { RunningDeployments, UserFiles } from './ports.ts'
import type { Origin } from './security-log.ts'
import type { Sessions } from './sessions.ts'
import { signInMethodsOf } from './sign-in-methods.ts'
import type { User } from './user.ts'
import { usernameKey } from './username-key.ts'

export interface DeleteUserDeps extends PasswordCheckDeps {
  sessions: Sessions
  runningDeployments: RunningDeployments
  files: UserFiles
}

interface Farewell {
  /** Typed by hand, to be sure. */
  username: string
  password: string
  sessionId: string
  from: Origin
}

/** A deployment in one of these states trades nothing, and is removed with its user. */
const REMOVABLE_STATES = ['created', 'stopped']

/** Everything that belongs to the user goes with them; what trades with money is never left without its owner. */
export async function deleteUser(deps: DeleteUserDeps, user: User, farewell: Farewell): Promise<void> {
  refuseUnlessNamed(user, farewell.username)
  const { isPasswordEnabled } = await signInMethodsOf(deps.users, user.id)
  if (isPasswordEnabled) await provePassword(deps, { userId: user.id, ...farewell })
  refuseTrading(await deps.runningDeployments(user.id))
  const removeFiles = await deps.files.of(user.id)
  // While their rows are there, other processes are told of sessions that end.
  await deps.sessions.endAllOf(user.id)
  // Asked again where nothing can start meanwhile.
  refuseTrading(await deps.users.remove(user.id, REMOVABLE_STATES))
  await removeFiles()
  await deps.securityLog.record('account.removed', { userId: null, from: farewell.from, detail: user.username })
}

function refuseUnlessNamed({ username }: User, typed: string): void {
  if (usernameKey(typed) === usernameKey(username)) return
  throw new Problem('invalid', 'user.confirmation', 'Type your username exactly to confirm.')
}

function refuseTrading(names: readonly string[]): void {
  if (names.length === 0) return
  const list = names.map((name) => `"${name}"`).join(', ')
  throw new Problem('conflict', 'user.trading', `Stop these deployments before you delete your account: ${list}.`)
}
