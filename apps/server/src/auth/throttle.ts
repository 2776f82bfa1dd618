import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { hash } from 'node:crypto'
import { isLoopback, network } from './network.ts'
import type { AttemptCount, AttemptCounters } from './ports.ts'

interface Limit {
  attempts: number
  minutes: number
}

/** Enough for a forgetful user, too few to guess a password. */
const FAILURES_PER_ACCOUNT: Limit = { attempts: 10, minutes: 15 }
/** Many people may share an address; somebody who tries one password on many accounts does, too. */
const FAILURES_PER_ADDRESS: Limit = { attempts: 50, minutes: 15 }
const REGISTRATIONS_PER_ADDRESS: Limit = { attempts: 100, minutes: 60 }

export interface Throttle {
  /** Throws while the account or the address has failed too often. */
  checkSignIn(account: string, address: string): Promise<void>
  countFailure(account: string, address: string): Promise<void>
  /** A success clears the account, not the address: an attacker's own account must not buy new attempts. */
  forgive(account: string): Promise<void>
  countRegistration(address: string): Promise<void>
}

export function createThrottle(counters: AttemptCounters, clock: Clock): Throttle {
  const add = (subject: string, limit: Limit) => {
    const now = clock.now()
    return counters.add(subject, now, new Date(now.getTime() + limit.minutes * 60_000))
  }

  return {
    async checkSignIn(account, address) {
      const now = clock.now()
      const limits: [string, Limit][] = [
        [accountSubject(account), FAILURES_PER_ACCOUNT],
        [addressSubject(address), FAILURES_PER_ADDRESS],
      ]
      for (const [subject, limit] of limits) {
        const count = await counters.read(subject, now)
        if (count && count.attempts >= limit.attempts) throw tooMany('failed sign-ins', count, now)
      }
    },

    async countFailure(account, address) {
      await add(accountSubject(account), FAILURES_PER_ACCOUNT)
      await add(addressSubject(address), FAILURES_PER_ADDRESS)
    },

    forgive: (account) => counters.clear(accountSubject(account)),

    async countRegistration(address) {
      // Whoever sits at the machine owns it; and its own tests and benchmarks register by the hundred.
      if (isLoopback(address)) return
      const count = await add(`registrations ${network(address)}`, REGISTRATIONS_PER_ADDRESS)
      if (count.attempts > REGISTRATIONS_PER_ADDRESS.attempts) throw tooMany('registrations', count, clock.now())
    },
  }
}

function tooMany(what: string, { windowEndsAt }: AttemptCount, now: Date): Problem {
  const seconds = Math.max(1, Math.ceil((windowEndsAt.getTime() - now.getTime()) / 1000))
  const minutes = Math.ceil(seconds / 60)
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
  return new Problem('limited', 'attempts.exceeded', `Too many ${what}. Please try again in ${wait}.`, {
    retryAfterSeconds: seconds,
  })
}

/** Hashed: people type their password into the wrong field, and it must not end up in a table. */
function accountSubject(account: string): string {
  return `account ${hash('sha256', account, 'base64url')}`
}

function addressSubject(address: string): string {
  return `address ${network(address)}`
}
