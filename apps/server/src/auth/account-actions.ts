import type { AccountAction } from '@tradewright/core/account-actions'
import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { randomBytes } from 'node:crypto'
import type {
  ApiKeyStore,
  EmailVerificationStore,
  GoogleFlowStore,
  KnownPlaceStore,
  PasswordHasher,
  SessionStore,
  UserFiles,
  UserStore,
} from './ports.ts'
import type { SecondFactorStore } from './second-factor.ts'
import type { SecurityLog } from './security-log.ts'
import { changeSignIn } from './sign-in-methods.ts'
import { toBase32 } from './totp.ts'

export interface AccountStateStore {
  /** Ends sessions, tells processes to end calls and streams, pauses deployments and cancels jobs: all of it, or nothing. */
  suspend(userId: number, at: Date): Promise<void>
  lift(userId: number): Promise<void>
  /** The process that runs them cancels their orders within seconds. */
  stopDeployments(userId: number, at: Date): Promise<void>
}

export interface AccountActionDeps {
  readonly users: Pick<UserStore, 'find' | 'remove' | 'changeSignIn'>
  readonly accounts: AccountStateStore
  readonly sessionStore: Pick<SessionStore, 'revokeAll'>
  readonly apiKeys: Pick<ApiKeyStore, 'revokeAll'>
  readonly factors: Pick<SecondFactorStore, 'removeAll'>
  readonly places: Pick<KnownPlaceStore, 'forget'>
  readonly googleFlows: Pick<GoogleFlowStore, 'removeOf'>
  readonly verifications: Pick<EmailVerificationStore, 'removeChanges'>
  readonly hasher: Pick<PasswordHasher, 'hash'>
  readonly files: UserFiles
  readonly securityLog: SecurityLog
  readonly clock: Clock
}

/** A deployment in one of these states trades nothing, and is removed with its user. */
const REMOVABLE_STATES = ['created', 'stopped']

/** By the operator alone. Answers the new password where there is one. */
export async function actOnAccount(
  deps: AccountActionDeps,
  userId: number,
  action: AccountAction,
): Promise<string | null> {
  const { users, accounts, sessionStore, securityLog, clock } = deps
  const account = await users.find(userId)
  if (!account) throw new Problem('missing', 'user.missing', 'There is no such account.')
  const record = () => securityLog.record(`operator.${action}`, { userId, from: undefined })
  switch (action) {
    case 'sign-out':
      await sessionStore.revokeAll(userId, undefined)
      break
    case 'suspend':
      await accounts.suspend(userId, clock.now())
      break
    case 'resume':
      await accounts.lift(userId)
      break
    case 'stop':
      await accounts.stopDeployments(userId, clock.now())
      break
    case 'reset-password': {
      const password = await resetPassword(deps, userId)
      await record()
      return password
    }
    case 'reset-factors':
      await deps.factors.removeAll(userId)
      await sessionStore.revokeAll(userId, undefined)
      break
    case 'remove':
      await remove(deps, userId)
      await securityLog.record('operator.remove', { userId: null, from: undefined, detail: account.username })
      return null
  }
  await record()
  return null
}

/** As after a change by the owner: what a visitor with the old password began or made ends. */
async function resetPassword(deps: AccountActionDeps, userId: number): Promise<string> {
  const password = toBase32(randomBytes(10))
    .toLowerCase()
    .replaceAll(/(.{4})(?=.)/g, '$1-')
  const passwordHash = await deps.hasher.hash(password)
  await changeSignIn(deps.users, userId, (now) => ({ ...now, passwordHash, isPasswordEnabled: true }))
  await deps.sessionStore.revokeAll(userId, undefined)
  await deps.apiKeys.revokeAll(userId, deps.clock.now())
  await deps.googleFlows.removeOf(userId)
  await deps.verifications.removeChanges(userId)
  await deps.places.forget(userId, undefined)
  return password
}

async function remove(deps: AccountActionDeps, userId: number): Promise<void> {
  const removeFiles = await deps.files.of(userId)
  const trading = await deps.users.remove(userId, REMOVABLE_STATES)
  if (trading.length > 0) {
    const sentence = `${trading.length === 1 ? 'A deployment' : `${trading.length} deployments`} of the account must be stopped first.`
    throw new Problem('conflict', 'user.trading', sentence)
  }
  await removeFiles()
}
