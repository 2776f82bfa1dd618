import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { hash } from 'node:crypto'
import { isLoopback, network } from './network.ts'
import type { AttemptCount, AttemptCounters } from './ports.ts'

interface Limit {
  attempts: number
  minutes: number
}

/** Failures without a delay: enough for a forgetful user. From then on the delay doubles with each failure. */
const FREE_FAILURES = 4
const FIRST_DELAY_SECONDS = 5
const MAX_DELAY_SECONDS = 15 * 60
/** Failures are forgotten this long after the last one. */
const FAILURES_RETENTION_MINUTES = 60
/**
 * Failures on one account from networks and devices it was never used from. Slow, because it can shut out its owner
 * there.
 */
const STRANGERS_PER_ACCOUNT: Limit = { attempts: 100, minutes: 60 }
/** Many people may share an address; an attacker who tries one password on many accounts does, too. */
const FAILURES_PER_ADDRESS: Limit = { attempts: 50, minutes: 15 }
const REGISTRATIONS_PER_ADDRESS: Limit = { attempts: 100, minutes: 60 }

/** Where a password is tried from. Failures of strangers never count against a device that the account knows. */
export type AttemptOrigin =
  /** A browser that signed in to the account before. */
  | { kind: 'device'; device: string }
  | { kind: 'network'; address: string; isKnown: boolean }
  /** A session that asks for the password again, such as to change it. */
  | { kind: 'session'; sessionId: string }

export interface Throttle {
  /** Throws while the next attempt on the account has to wait. */
  checkSignIn(account: string, from: AttemptOrigin): Promise<void>
  countFailure(account: string, from: AttemptOrigin): Promise<void>
  /** A success clears the account at this origin, not the address: an attacker's own account must not buy attempts. */
  forgive(account: string, from: AttemptOrigin): Promise<void>
  countRegistration(visit: { address: string; isForwarded: boolean }): Promise<void>
}

interface ThrottleDeps {
  counters: AttemptCounters
  clock: Clock
  /** Whether registrations from this very machine go uncounted: on an instance that no other machine reaches. */
  exemptsLoopback: boolean
}

export function createThrottle({ counters, clock, exemptsLoopback }: ThrottleDeps): Throttle {
  const endOf = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000)
  const add = (subject: string, { minutes }: Limit) => counters.add(subject, clock.now(), endOf(minutes))

  async function refuseBeyond(subject: string, limit: Limit): Promise<void> {
    const count = await counters.read(subject, clock.now())
    if (count && count.attempts >= limit.attempts) throw tooMany('failed sign-ins', count.windowEndsAt, clock.now())
  }

  return {
    async checkSignIn(account, from) {
      const now = clock.now()
      const failures = await counters.read(originSubject(account, from), now)
      if (failures && delayEnd(failures) > now) throw tooMany('failed sign-ins', delayEnd(failures), now)
      if (from.kind !== 'network') return
      await refuseBeyond(addressSubject(from.address), FAILURES_PER_ADDRESS)
      if (!from.isKnown) await refuseBeyond(strangersSubject(account), STRANGERS_PER_ACCOUNT)
    },

    async countFailure(account, from) {
      await counters.prolong(originSubject(account, from), clock.now(), endOf(FAILURES_RETENTION_MINUTES))
      if (from.kind !== 'network') return
      await add(addressSubject(from.address), FAILURES_PER_ADDRESS)
      if (!from.isKnown) await add(strangersSubject(account), STRANGERS_PER_ACCOUNT)
    },

    forgive: (account, from) => counters.clear(originSubject(account, from)),

    async countRegistration({ address, isForwarded }) {
      // The owner of the machine, its tests and benchmarks register by the hundred. A proxy in front does not count as
      // the owner.
      if (exemptsLoopback && isLoopback(address) && !isForwarded) return
      const count = await add(`registrations ${network(address)}`, REGISTRATIONS_PER_ADDRESS)
      if (count.attempts > REGISTRATIONS_PER_ADDRESS.attempts) {
        throw tooMany('registrations', count.windowEndsAt, clock.now())
      }
    },
  }
}

/** When the next attempt is due. A counter that is prolonged ends a fixed time after its last failure. */
function delayEnd({ attempts, windowEndsAt }: AttemptCount): Date {
  const lastFailure = windowEndsAt.getTime() - FAILURES_RETENTION_MINUTES * 60_000
  return new Date(lastFailure + delaySeconds(attempts) * 1000)
}

function delaySeconds(failures: number): number {
  if (failures <= FREE_FAILURES) return 0
  return Math.min(MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** (failures - FREE_FAILURES - 1))
}

export function tooMany(what: string, until: Date, now: Date): Problem {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000))
  return new Problem('limited', 'attempts.exceeded', `Too many ${what}. Please try again in ${inWords(seconds)}.`, {
    retryAfterSeconds: seconds,
  })
}

function inWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? 'a second' : `${seconds} seconds`
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}

function originSubject(account: string, from: AttemptOrigin): string {
  const key = hashed(account)
  if (from.kind === 'network') return `account ${key} network ${network(from.address)}`
  return from.kind === 'device' ? `account ${key} device ${from.device}` : `account ${key} session ${from.sessionId}`
}

const strangersSubject = (account: string): string => `account ${hashed(account)} strangers`
const addressSubject = (address: string): string => `address ${network(address)}`

/** People type their password into the wrong field, and it must not end up in a table. */
const hashed = (account: string): string => hash('sha256', account, 'base64url')
