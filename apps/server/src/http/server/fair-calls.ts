import { Problem } from '@tradewright/core/problem'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { isLoopback, network } from '../../auth/network.ts'
import { TurnQueue } from '../../turn-queue.ts'

/** A token bucket: so much at once, and so much more per second. */
interface Allowance {
  readonly capacity: number
  readonly perSecond: number
}

interface CallLimits {
  /** Calls of one account, and of one address, which a company may share. */
  readonly accountCalls: Allowance
  readonly addressCalls: Allowance
  /** Milliseconds of the thread that answers, of one account or of one visitor's address. */
  readonly threadTime: Allowance
}

/** A screen asks ten things at once; a script that keeps one call going makes some twenty a second. */
export const callLimits = (callsPerMinute: number, threadPct: number): CallLimits => ({
  accountCalls: { capacity: callsPerMinute / 2, perSecond: callsPerMinute / 60 },
  addressCalls: { capacity: callsPerMinute * 2, perSecond: callsPerMinute / 15 },
  threadTime: { capacity: threadPct >= 100 ? Number.POSITIVE_INFINITY : 5_000, perSecond: threadPct * 10 },
})

/** Calls of one account that begin at the same moment, or of visitors at one address; further ones wait for their turn. */
const AT_ONCE = 4
/** Who has used so much of the thread lately begins one call at a time: others then wait for one piece of its work, not four. */
const LIGHT_MS = 1_000
const MAX_WAITING = 200
/** A call that goes on after this waits for something else than the thread: a provider, a broker, a computation. */
const BEGINNING_MS = 250
const SAMPLE_MS = 50
const MAX_TOLD = 10_000
/** A stop holds up others at most so long, and then they have as long for themselves. */
const STOP_FIRST_MS = 500

const STOP = 'stop of '

interface Party {
  /** Calls that may be using the thread: they begin, or their answer is being written. */
  atWork: number
  calls: Bucket
  time: Bucket
}

interface Bucket {
  left: number
  at: number
}

/** A call that was let in, until it is answered. */
interface CallTurn {
  /** The answer begins to be written, which may take a while. */
  answering(): void
  end(): void
}

/**
 * Divides the thread that answers among those who call. It runs one thing at a time, so that forty calls of one user at once
 * hold up everybody for as long as all of them take. Of one account (and of one visitor's address) few begin at the same
 * moment, and each has a number of calls and an amount of the thread's time.
 */
export class FairCalls {
  readonly #limits: CallLimits
  readonly #parties = new Map<string, Party>()
  readonly #now: () => number
  readonly #atWork = new Set<Party>()
  readonly #queue = new TurnQueue({
    atOnce: Number.POSITIVE_INFINITY,
    waiting: Number.POSITIVE_INFINITY,
    perAccount: { atOnce: (key) => this.#atOnceOf(key), waiting: MAX_WAITING },
    tooMany: tooManyAtOnce,
  })
  /** Stops under way, and until when they come before everything else. */
  #stops = 0
  #stopsFirst = { from: 0, until: 0 }
  readonly #timer: NodeJS.Timeout
  #utilization = performance.eventLoopUtilization()

  constructor(limits: CallLimits, now: () => number = () => performance.now()) {
    this.#limits = limits
    this.#now = now
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS)
    this.#timer.unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** Throws a Problem where an address has no call left. Its accounts take turns by themselves. */
  countAddress(address: string): void {
    const key = `address ${address}`
    const party = this.#partyOf(key, this.#limits.addressCalls)
    this.#forget(key, party)
    this.#count(party, this.#limits.addressCalls)
  }

  /** Waits until a call of this account may begin. Throws a Problem where there are too many. */
  enterAccount(userId: number): Promise<CallTurn> {
    return this.#enter(`account ${userId}`, this.#limits.accountCalls, true)
  }

  /** Lets a visitor in, who has no account: the share is that of the address. */
  enterVisitor(address: string, { isCounted }: { isCounted: boolean }): Promise<CallTurn> {
    return this.#enter(`visitor ${address}`, undefined, isCounted)
  }

  /** No other call begins while a stop is under way, for a while; many stops of one account wait for one another. */
  async enterUrgent(userId: number): Promise<CallTurn> {
    const turn = await this.#enter(`${STOP}${userId}`, this.#limits.accountCalls, false)
    this.#stops += 1
    const now = this.#now()
    if (now >= this.#stopsFirst.until + (this.#stopsFirst.until - this.#stopsFirst.from)) {
      this.#stopsFirst = { from: now, until: now + STOP_FIRST_MS }
      setTimeout(() => this.#queue.startReady(), STOP_FIRST_MS).unref()
    }
    let isUnderWay = true
    const end = () => {
      if (!isUnderWay) return
      isUnderWay = false
      this.#stops -= 1
      if (this.#stops === 0) this.#othersGoOn()
      turn.end()
    }
    return { answering: () => turn.answering(), end }
  }

  #othersGoOn(): void {
    const { from, until } = this.#stopsFirst
    this.#stopsFirst = { from, until: Math.min(until, this.#now()) }
    this.#queue.startReady()
  }

  #atOnceOf(key: string): number {
    if (key.startsWith(STOP)) return AT_ONCE
    if (this.#now() < this.#stopsFirst.until) return 0
    const { capacity } = this.#limits.threadTime
    const left = this.#parties.get(key)?.time.left ?? capacity
    return capacity - left > LIGHT_MS ? 1 : AT_ONCE
  }

  #count(party: Party, calls: Allowance): void {
    if (this.#refilled(party.calls, calls) < 1) throw tooMany((1 - party.calls.left) / calls.perSecond)
    party.calls.left -= 1
  }

  async #enter(key: string, calls: Allowance | undefined, paysForTime: boolean): Promise<CallTurn> {
    const party = this.#partyOf(key, calls)
    const { threadTime } = this.#limits
    if (paysForTime && this.#refilled(party.time, threadTime) < 0) {
      throw tooLong((threadTime.capacity / 10 - party.time.left) / threadTime.perSecond)
    }
    if (calls) this.#count(party, calls)
    const leave = await this.#queue.enter({ account: key, address: '', isKnown: true })
    return this.#begin(party, paysForTime, () => {
      leave()
      this.#forget(key, party)
    })
  }

  #begin(party: Party, paysForTime: boolean, leave: () => void): CallTurn {
    let isBeginning = true
    let isAtWork = false
    const work = (does: boolean) => {
      if (does === isAtWork || !paysForTime) return
      isAtWork = does
      party.atWork += does ? 1 : -1
      if (party.atWork > 0) this.#atWork.add(party)
      else this.#atWork.delete(party)
    }
    const begun = () => {
      if (!isBeginning) return
      isBeginning = false
      work(false)
      leave()
    }
    work(true)
    const timer = setTimeout(begun, BEGINNING_MS)
    timer.unref()
    return {
      answering: () => work(true),
      end: () => {
        clearTimeout(timer)
        begun()
        work(false)
      },
    }
  }

  /** What the thread did since the last look is shared by those whose calls were at work. */
  #sample(): void {
    const now = performance.eventLoopUtilization()
    const { active } = performance.eventLoopUtilization(now, this.#utilization)
    this.#utilization = now
    const calls = [...this.#atWork].reduce((sum, { atWork }) => sum + atWork, 0)
    for (const party of this.#atWork) {
      this.#refilled(party.time, this.#limits.threadTime)
      party.time.left -= (active * party.atWork) / calls
    }
  }

  #partyOf(key: string, calls: Allowance | undefined): Party {
    const known = this.#parties.get(key)
    if (known) return known
    const at = this.#now()
    const { capacity } = this.#limits.threadTime
    const party: Party = {
      atWork: 0,
      calls: { left: calls?.capacity ?? 0, at },
      time: { left: capacity, at },
    }
    this.#parties.set(key, party)
    return party
  }

  #refilled(bucket: Bucket, { capacity, perSecond }: Allowance): number {
    const now = this.#now()
    bucket.left = Math.min(capacity, bucket.left + ((now - bucket.at) / 1000) * perSecond)
    bucket.at = now
    return bucket.left
  }

  /** Forgets a party that has not called for a while: it would have its whole allowance again, so nothing is lost. */
  #forget(key: string, party: Party): void {
    this.#parties.delete(key)
    this.#parties.set(key, party)
    for (const oldest of this.#parties.keys()) {
      if (this.#parties.size <= MAX_TOLD || this.#queue.has(oldest)) break
      this.#parties.delete(oldest)
    }
  }
}

const limited = (code: string, sentence: string, seconds: number) => {
  const retryAfterSeconds = Math.max(1, Math.ceil(seconds))
  const wait = retryAfterSeconds === 1 ? 'a second' : `${retryAfterSeconds} seconds`
  return new Problem('limited', code, `${sentence} Please try again in ${wait}.`, { retryAfterSeconds })
}

const tooMany = (seconds: number) => limited('calls.exceeded', 'Too many requests.', seconds)
const tooLong = (seconds: number) =>
  limited('calls.time', 'Your requests have taken more than their share of the server’s time.', seconds)
const tooManyAtOnce = () => limited('calls.at-once', 'Too many of your requests are waiting for an answer.', 2)

interface Caller {
  /** Undefined for a visitor. */
  readonly userId: number | undefined
  /** The call is a stop. */
  readonly isUrgent: boolean
  /** It waits for its turn elsewhere. */
  readonly hasOwnQueue: boolean
}

/** Lets a call in that the route knows the caller of; it waits for its turn, or is refused. */
export type Admit = (request: FastifyRequest, reply: FastifyReply, caller: Caller) => Promise<void>

interface Turns {
  readonly admit: Admit
  /** Breaks off the calls of an account that are under way here. */
  readonly endCallsOf: (userId: number) => void
}

interface FairSettings {
  readonly callsPerMinute: number
  /** The percentage of the thread's time that one account may take for long; 100 is no limit. */
  readonly threadPct: number
  /** Whether visits from this very machine go uncounted: on an instance that no other machine reaches. */
  readonly exemptsLoopback: boolean
}

/** Paths that are asked to see whether the program is well. */
const NEVER_WAIT: ReadonlySet<string> = new Set(['/health', '/ready'])

/** A program that repeats a refused call at once would be refused a thousand times a second, which takes the thread as well. */
const REFUSAL_MS = 200
const MAX_DELAYED = 1_000

function delayedRefusals(): <Result>(enter: () => Result | Promise<Result>) => Promise<Result> {
  let delayed = 0
  return async (enter) => {
    try {
      return await enter()
    } catch (error) {
      if (delayed < MAX_DELAYED) {
        delayed += 1
        await wait(REFUSAL_MS, undefined, { ref: false }).finally(() => (delayed -= 1))
      }
      throw error
    }
  }
}

/** Every call counts for its address; what the route lets in waits for the turn of its account. */
export function serveInTurns(
  app: FastifyInstance,
  { callsPerMinute, threadPct, exemptsLoopback }: FairSettings,
): Turns {
  const calls = new FairCalls(callLimits(callsPerMinute, threadPct))
  app.addHook('onClose', async () => calls.close())
  const slowly = delayedRefusals()
  const turns = new WeakMap<FastifyRequest, CallTurn>()
  const hold = (request: FastifyRequest, reply: FastifyReply, turn: CallTurn): void => {
    turns.set(request, turn)
    // A client that disconnected while the call waited gets no answer that would end its turn.
    if (reply.raw.destroyed) turn.end()
    else reply.raw.once('close', () => turn.end())
  }
  const isCounted = ({ ip, headers }: FastifyRequest): boolean => {
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers['forwarded'] !== undefined
    return !(exemptsLoopback && isLoopback(ip) && !isForwarded)
  }
  app.addHook('onRequest', async (request) => {
    const { config, url } = request.routeOptions
    if ((config as { isUrgent?: boolean }).isUrgent || NEVER_WAIT.has(url ?? '')) return
    if (isCounted(request)) await slowly(() => calls.countAddress(network(request.ip)))
  })
  app.addHook('onSend', async (request) => turns.get(request)?.answering())
  app.addHook('onResponse', async (request) => turns.get(request)?.end())
  const underWay = new Map<number, Set<FastifyReply['raw']>>()
  const note = (userId: number, { raw }: FastifyReply): void => {
    const own = underWay.get(userId) ?? new Set()
    underWay.set(userId, own.add(raw))
    raw.once('close', () => {
      own.delete(raw)
      if (own.size === 0 && underWay.get(userId) === own) underWay.delete(userId)
    })
  }
  const endCallsOf = (userId: number): void => {
    for (const raw of underWay.get(userId) ?? []) raw.destroy()
  }
  const admit: Admit = async (request, reply, { userId, isUrgent, hasOwnQueue }) => {
    if (userId !== undefined) note(userId, reply)
    if (hasOwnQueue || NEVER_WAIT.has(request.routeOptions.url ?? '')) return
    const turn = await slowly(() =>
      userId === undefined
        ? calls.enterVisitor(network(request.ip), { isCounted: isCounted(request) })
        : isUrgent
          ? calls.enterUrgent(userId)
          : calls.enterAccount(userId),
    )
    hold(request, reply, turn)
  }
  return { admit, endCallsOf }
}
