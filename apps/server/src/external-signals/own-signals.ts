import { kindNamed } from '@tradewright/core/strategy-kinds'
import type { Clock } from '@tradewright/core/clock'
import {
  boundedTarget,
  type ReceivedSignal,
  type SignalBounds,
  type SignalTarget,
  targetKey,
  targetName,
  timeOf,
} from '@tradewright/core/external-signal'
import { Problem } from '@tradewright/core/problem'
import { MINUTE } from '@tradewright/core/time'
import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { AttemptCounters } from '../auth/ports.ts'
import { hashSecret, looksLikeSecret, newSecret } from '../auth/secret.ts'
import { tooMany } from '../auth/throttle.ts'
import type { Seal, SealedPlace } from '../secrets/seal.ts'
import type { Strategy } from '../strategies/strategy.ts'
import { findStrategy, type StrategyDeps } from '../strategies/own-strategies.ts'

export interface SignalDeps extends Pick<StrategyDeps, 'strategies'> {
  readonly signals: SignalStore
  readonly seal: Seal
  readonly counters: Pick<AttemptCounters, 'add'>
  readonly clock: Clock
  /** The bounds of a saved strategy; a Problem where it has none. */
  readonly boundsOf: (strategy: Strategy) => SignalBounds
}

/** A signal that was sent further from now than this, in either direction, is refused: a replayed copy is useless. */
const SIGNAL_WINDOW_MS = 5 * MINUTE
const CALLS_A_MINUTE = 60
/** How late a signal is, in a sentence; from here on it is only said to be later. */
const MINUTES_TOLD = 120
const SHOWN = 100

const placeOf = (strategyId: number, userId: number): SealedPlace => ({
  table: 'signal_addresses',
  row: strategyId,
  userId,
})

/** Told here and never again. */
export async function createAddress(
  deps: SignalDeps,
  userId: number,
  strategyId: number,
): Promise<{ address: string; secret: string }> {
  const strategy = await findStrategy(deps, userId, strategyId)
  deps.boundsOf(strategy)
  const [address, secret] = [newSecret(), newSecret()]
  const sealedSecret = deps.seal.seal(placeOf(strategyId, userId), secret)
  const isSaved = await deps.signals.saveAddress(userId, strategyId, {
    hash: hashSecret(address),
    sealedSecret,
    at: deps.clock.now(),
  })
  if (!isSaved) throw new Problem('missing', 'strategy.missing', 'There is no such strategy.')
  return { address, secret }
}

export async function removeAddress(deps: SignalDeps, userId: number, strategyId: number): Promise<void> {
  await findStrategy(deps, userId, strategyId)
  if (await deps.signals.removeAddress(userId, strategyId)) return
  throw new Problem('missing', 'signal-address.missing', 'This strategy has no address for signals.')
}

export type SignalLogDeps = Pick<SignalDeps, 'strategies' | 'signals' | 'clock'>

export async function signalsOf(deps: SignalLogDeps, userId: number, strategyId: number) {
  await findStrategy(deps, userId, strategyId)
  const [address, entries, accepted, [current]] = await Promise.all([
    deps.signals.address(userId, strategyId),
    deps.signals.entries(userId, strategyId, SHOWN),
    deps.signals.countAccepted(strategyId),
    deps.signals.record(userId, strategyId, deps.clock.now(), 1),
  ])
  return { address, entries, accepted, current: current ? targetName(current.target) : null }
}

interface SentSignal {
  readonly address: string
  /** As it was received: what was signed. */
  readonly rawBody: string
  readonly timestamp: string | undefined
  readonly signature: string | undefined
  readonly body: {
    readonly id?: string | undefined
    readonly allocation?: string | undefined
    readonly weights?: Readonly<Record<string, number>> | undefined
    readonly secret?: string | undefined
    readonly time?: string | undefined
  }
}

/** Each refusal has an answer of its own and stands in the strategy's log. */
export async function receiveSignal(
  deps: SignalDeps,
  sent: SentSignal,
): Promise<{ id: string; doubled: boolean; target: SignalTarget }> {
  const now = deps.clock.now()
  const address = looksLikeSecret(sent.address) ? await deps.signals.findAddress(hashSecret(sent.address)) : undefined
  if (!address) throw new Problem('missing', 'signal.unknown-address', 'There is no address for signals here.')
  try {
    const eventId = await counted(deps, address, now, sent)
    const target = await targetOf(deps, address, sent)
    const id = eventId ?? derivedId(sent.body.time!, target)
    const outcome = await deps.signals.accept(address, { eventId: id, target, receivedAt: now })
    if (outcome === 'full') throw new Problem('conflict', 'signal.full', FULL)
    if (outcome === 'other') throw new Problem('conflict', 'signal.other', OTHER)
    if (outcome === 'doubled')
      await log(deps, address, 'doubled', 'It had already been received; nothing was done twice.', id)
    return { id, doubled: outcome === 'doubled', target }
  } catch (error) {
    // Calls beyond the limit are not logged one by one.
    if (error instanceof Problem && error.kind !== 'limited') {
      const outcome = OUTCOMES[error.code] ?? 'unreadable'
      await log(deps, address, outcome, error.message, sent.body.id ?? null)
    }
    throw error
  }
}

/**
 * Refused and repeated ones have a count of their own: a flood of forged ones, or of a recording, does not keep the real ones out.
 * Answers the sender's id of it, where it has one.
 */
async function counted(deps: SignalDeps, address: SignalAddress, now: Date, sent: SentSignal) {
  const countAs = async (subject: string) => {
    const ends = new Date(now.getTime() + MINUTE)
    const calls = await deps.counters.add(`${subject} ${address.strategyId}`, now, ends)
    if (calls.attempts > CALLS_A_MINUTE) throw tooMany('signals', calls.windowEndsAt, now)
  }
  let eventId: string | undefined
  try {
    eventId = authentic(deps, address, sent, now)
  } catch (error) {
    await countAs('refused-signals')
    throw error
  }
  const isRepeated = eventId !== undefined && (await deps.signals.isKnown(address.strategyId, eventId))
  await countAs(isRepeated ? 'refused-signals' : 'signals')
  return eventId
}

/** Refusals whose outcome in the log has a name of its own. */
const OUTCOMES: Readonly<Record<string, SignalOutcome>> = {
  'signal.late': 'late',
  'signal.forged': 'forged',
  'signal.other': 'doubled',
  'signal.unknown-target': 'unknown_target',
}

const OTHER = 'Another signal with this id was received before. Give each signal its own id.'
const FULL = 'This strategy has reached the limit of stored signals. Save it under another name to continue.'

const log = (
  deps: SignalDeps,
  address: SignalAddress,
  outcome: SignalOutcome,
  reason: string,
  eventId: string | null,
) => deps.signals.logRefused(address, { outcome, reason, eventId, receivedAt: deps.clock.now() })

/** Answers the sender's id of it, where it has one. */
function authentic(deps: SignalDeps, address: SignalAddress, sent: SentSignal, now: Date): string | undefined {
  const secret = deps.seal.open(placeOf(address.strategyId, address.userId), address.sealedSecret)
  const { body, signature, timestamp } = sent
  if (signature !== undefined) {
    const expected = `sha256=${createHmac('sha256', secret)
      .update(`${timestamp ?? ''}.${sent.rawBody}`)
      .digest('hex')}`
    if (!isSame(signature, expected)) throw forged('The signature does not match the secret of this strategy.')
    if (!/^\d{1,12}$/.test(timestamp ?? '')) throw late('X-Tradewright-Timestamp must be a Unix time in seconds.')
    refuseLate(Number(timestamp) * 1000, now)
    if (body.id === undefined) throw new Problem('invalid', 'signal.id', 'A signed signal needs an id of its own.')
    return body.id
  }
  if (body.secret === undefined) {
    throw forged('Sign the signal with X-Tradewright-Timestamp and X-Tradewright-Signature, or send secret and time.')
  }
  if (!isSame(body.secret, secret)) throw forged('The secret does not match that of this strategy.')
  const at = timeOf(body.time ?? '')
  if (at === undefined) throw late('time must say when the signal was sent, like 2026-03-04T20:55:00Z.')
  refuseLate(at, now)
  return body.id
}

const forged = (sentence: string) => new Problem('denied', 'signal.forged', sentence)
const late = (sentence: string) => new Problem('invalid', 'signal.late', sentence)

function refuseLate(sentAt: number, now: Date): void {
  const apart = now.getTime() - sentAt
  if (Math.abs(apart) <= SIGNAL_WINDOW_MS) return
  const minutes = Math.round(Math.abs(apart) / MINUTE)
  const long = minutes < MINUTES_TOLD ? `${minutes} minutes` : `more than ${MINUTES_TOLD} minutes`
  const where = apart > 0 ? `${long} ago` : `${long} ahead of this server's clock`
  throw late(`The signal was sent ${where}: only ${SIGNAL_WINDOW_MS / MINUTE} minutes are allowed.`)
}

/** Compares in a time that does not tell how much of it is right. */
const isSame = (a: string, b: string): boolean =>
  timingSafeEqual(hash('sha256', a, 'buffer'), hash('sha256', b, 'buffer'))

async function targetOf(deps: SignalDeps, { userId, strategyId }: SignalAddress, { body }: SentSignal) {
  const { allocation, weights } = body
  if ((allocation === undefined) === (weights === undefined)) {
    throw new Problem('invalid', 'signal.target', 'A signal has either an allocation or weights.')
  }
  const bounds = deps.boundsOf(await findStrategy(deps, userId, strategyId))
  return boundedTarget(bounds, allocation === undefined ? { weights: weights! } : { allocation })
}

/** The same message twice has the same one. */
const derivedId = (time: string, target: SignalTarget): string =>
  `at ${hash('sha256', `${time} ${targetKey(target)}`).slice(0, 32)}`

/** The record of a strategy of the user until now. */
export const receivedBy =
  (deps: SignalLogDeps) =>
  async (userId: number, of: number | string): Promise<ReceivedSignal[]> => {
    const strategyId = typeof of === 'number' ? (await findStrategy(deps, userId, of)).id : await idOf(deps, userId, of)
    return strategyId === undefined ? [] : deps.signals.record(userId, strategyId, deps.clock.now())
  }

async function idOf({ strategies }: Pick<SignalDeps, 'strategies'>, userId: number, wanted: string) {
  const own = await strategies.list(userId)
  return own.find(({ name, type }) => name === wanted && kindNamed(type).receivesSignals)?.id
}

export type SignalOutcome = 'accepted' | 'doubled' | 'late' | 'forged' | 'unknown_target' | 'unreadable'

export interface SignalAddress {
  readonly userId: number
  readonly strategyId: number
  readonly sealedSecret: Buffer
  readonly createdAt: Date
}

export interface SignalEntry {
  readonly id: number
  readonly receivedAt: Date
  readonly outcome: SignalOutcome
  readonly reason: string | null
  readonly eventId: string | null
  readonly target: SignalTarget | null
}

interface NewSignal {
  readonly eventId: string
  readonly target: SignalTarget
  readonly receivedAt: Date
}

/** Received signals: accepted ones are the record, refused ones a log that is cut short. */
export interface SignalStore {
  /** `addressHash` names it from now on; the previous one is gone. False where there is no such strategy of the user. */
  saveAddress(
    userId: number,
    strategyId: number,
    address: { hash: Buffer; sealedSecret: Buffer; at: Date },
  ): Promise<boolean>
  address(userId: number, strategyId: number): Promise<SignalAddress | undefined>
  findAddress(hash: Buffer): Promise<SignalAddress | undefined>
  removeAddress(userId: number, strategyId: number): Promise<boolean>
  /** Whether an accepted one has the sender's id. */
  isKnown(strategyId: number, eventId: string): Promise<boolean>
  /**
   * Stores an accepted signal once by the sender's id. `doubled`: it is there already with the same target; `other`: with
   * another one; `full`: there are as many as are kept.
   */
  accept(address: SignalAddress, signal: NewSignal): Promise<'accepted' | 'doubled' | 'other' | 'full'>
  /** Logs a refused signal, which is no part of the record; the newest of a strategy are kept. */
  logRefused(address: SignalAddress, entry: Omit<SignalEntry, 'id' | 'target'>): Promise<void>
  entries(userId: number, strategyId: number, limit: number): Promise<SignalEntry[]>
  countAccepted(strategyId: number): Promise<number>
  /** Accepted ones until an instant, oldest first; with `newest`, so many of the last. */
  record(userId: number, strategyId: number, until: Date, newest?: number): Promise<ReceivedSignal[]>
}
