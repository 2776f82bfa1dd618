import type { BrokerId } from '@tradewright/core/broker-catalogue'
import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import type { Seal } from '../secrets/seal.ts'
import type { Verification } from './account.ts'
import { openKeys } from './account-keys.ts'
import type { AccountKeys, AccountRows, CheckKeysAt, KeyCheck } from './ports.ts'

interface CheckDeps {
  readonly checkKeys: CheckKeysAt
  readonly clock: Clock
}

/** Keys the broker refuses are not saved; those it could not be asked about are, as not verified. */
export async function checkedKeys(
  { checkKeys, clock }: CheckDeps,
  broker: BrokerId,
  keys: AccountKeys,
  isPaper: boolean,
) {
  const check = await checkKeys(broker, keys, isPaper)
  if (check.outcome === 'rejected') throw new Problem('invalid', 'account.keys-rejected', check.reason)
  return verificationOf(check, clock.now())
}

/** `connectedAt` null leaves the last time it worked as it is. */
export function verificationOf(check: KeyCheck, now: Date): Verification {
  if (check.outcome === 'accepted') {
    return { status: 'verified', reason: null, connectedAt: now, brokerAccountId: check.brokerAccountId }
  }
  const status = check.outcome === 'rejected' ? 'rejected' : 'not_verified'
  return { status, reason: check.reason, connectedAt: null }
}

/** Asks again about accounts of all users whose broker could not be reached when they were saved. */
export async function recheckUnverified({
  rows,
  checkKeys,
  seal,
  clock,
}: CheckDeps & { rows: AccountRows; seal: Seal }): Promise<void> {
  const failures: unknown[] = []
  for (const account of await rows.unverified()) {
    try {
      const check = await checkKeys(account.broker, openKeys(seal, account), account.isPaper)
      if (check.outcome === 'unreachable') continue
      await rows.setVerification(account.userId, account.id, verificationOf(check, clock.now()))
    } catch (error) {
      // Such as keys sealed under another secret: they must not keep the others from being checked.
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} accounts could not be checked`)
}
