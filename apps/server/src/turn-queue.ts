import { Problem } from '@tradewright/core/problem'

/** Who asks for a turn. */
export interface Asker {
  readonly account: string
  /** Empty where it does not matter. */
  readonly address: string
  /** Comes before those that are not, and is not crowded out by them. */
  readonly isKnown: boolean
}

interface QueueLimits {
  /** Work of all together. */
  readonly atOnce: number
  readonly waiting: number
  readonly perAccount: {
    readonly atOnce: number | ((account: string) => number)
    readonly waiting: number
  }
  readonly waitingPerAddress?: number
  /** The refusal of one who has too many waiting; `count` are under way. */
  readonly tooMany: (count: number) => Error
}

interface Waiting extends Asker {
  readonly begin: () => void
  readonly refuse: (problem: Problem) => void
}

type Leave = () => void

/** Accounts and addresses whose last turn is known, for the order among those that wait. */
const MAX_TOLD = 10_000

/**
 * Work that takes turns: so much at once, and so much of one account. Known askers come first; then addresses take turns, and
 * within one the accounts: an account that asks five hundred times waits for itself. When everything is full, the address with the
 * most gives way, not the newcomer.
 */
export class TurnQueue {
  readonly #limits: QueueLimits
  readonly #running = new Map<string, number>()
  #count = 0
  /** Those of one account, address and kind wait in the order in which they came. */
  readonly #waiting = new Map<string, Waiting[]>()
  readonly #waitingOfAccount = new Map<string, number>()
  readonly #waitingOfAddress = new Map<string, number>()
  #waitingCount = 0
  readonly #servedAt = new Map<string, number>()
  #serves = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  async run<Result>(asker: Asker, work: () => Promise<Result>): Promise<Result> {
    const leave = await this.enter(asker)
    try {
      return await work()
    } finally {
      leave()
    }
  }

  /** Resolves when it is this one's turn, with what ends it. Throws a Problem where too many wait. */
  async enter(asker: Asker): Promise<Leave> {
    const { account, address, isKnown } = asker
    const ofAccount = this.#waitingOfAccount.get(account) ?? 0
    if (ofAccount === 0 && this.#count < this.#limits.atOnce && this.#hasPlace(account)) {
      this.#start(asker)
    } else {
      const { perAccount, waitingPerAddress = Number.POSITIVE_INFINITY, tooMany } = this.#limits
      const ofAddress = isKnown ? 0 : (this.#waitingOfAddress.get(address) ?? 0)
      if (ofAccount >= perAccount.waiting || ofAddress >= waitingPerAddress) {
        throw tooMany(ofAccount + this.#runningOf(account))
      }
      this.#makeRoom()
      await new Promise<void>((begin, refuse) => this.#wait({ ...asker, begin, refuse }))
    }
    let isThere = true
    return () => {
      if (!isThere) return
      isThere = false
      this.#leave(account)
    }
  }

  /** Whether anything of an account runs or waits. */
  has(account: string): boolean {
    return this.#running.has(account) || this.#waitingOfAccount.has(account)
  }

  /** Begins whatever may: after a leave, and where the limits have changed. */
  startReady(): void {
    while (this.#waitingCount > 0 && this.#count < this.#limits.atOnce) {
      const next = this.#next()
      if (!next) return
      this.#take(next)
      this.#start(next)
      next.begin()
    }
  }

  #runningOf(account: string): number {
    return this.#running.get(account) ?? 0
  }

  #hasPlace(account: string): boolean {
    const { atOnce } = this.#limits.perAccount
    return this.#runningOf(account) < (typeof atOnce === 'number' ? atOnce : atOnce(account))
  }

  #next(): Waiting | undefined {
    let chosen: Waiting | undefined
    for (const [first] of this.#waiting.values()) {
      if (this.#hasPlace(first!.account) && (!chosen || this.#comesBefore(first!, chosen))) chosen = first
    }
    return chosen
  }

  #comesBefore(a: Asker, b: Asker): boolean {
    if (a.isKnown !== b.isKnown) return a.isKnown
    const last = (key: string) => this.#servedAt.get(key) ?? 0
    const byAddress = last(`address ${a.address}`) - last(`address ${b.address}`)
    return byAddress === 0 ? last(`account ${a.account}`) < last(`account ${b.account}`) : byAddress < 0
  }

  #start({ account, address }: Asker): void {
    this.#count += 1
    this.#running.set(account, this.#runningOf(account) + 1)
    this.#served(`address ${address}`)
    this.#served(`account ${account}`)
  }

  #served(key: string): void {
    this.#serves += 1
    this.#servedAt.delete(key)
    this.#servedAt.set(key, this.#serves)
    if (this.#servedAt.size > MAX_TOLD) this.#servedAt.delete(this.#servedAt.keys().next().value!)
  }

  #leave(account: string): void {
    this.#count -= 1
    add(this.#running, account, -1)
    this.startReady()
  }

  #wait(one: Waiting): void {
    const group = groupOf(one)
    const queue = this.#waiting.get(group)
    if (queue) queue.push(one)
    else this.#waiting.set(group, [one])
    add(this.#waitingOfAccount, one.account, 1)
    add(this.#waitingOfAddress, one.address, 1)
    this.#waitingCount += 1
    // The account that everything waits for may be at its own limit, with places free for others.
    this.startReady()
  }

  #take(one: Waiting): void {
    const group = groupOf(one)
    const queue = this.#waiting.get(group)!
    queue.splice(queue.indexOf(one), 1)
    if (queue.length === 0) this.#waiting.delete(group)
    add(this.#waitingOfAccount, one.account, -1)
    add(this.#waitingOfAddress, one.address, -1)
    this.#waitingCount -= 1
  }

  /** Makes room by refusing the newest of the address that has the most. */
  #makeRoom(): void {
    if (this.#waitingCount < this.#limits.waiting) return
    const all = [...this.#waiting.values()].flat()
    const strangers = all.filter(({ isKnown }) => !isKnown)
    const groups = Map.groupBy(strangers.length > 0 ? strangers : all, ({ address }) => address)
    const largest = [...groups.values()].reduce((a, b) => (b.length > a.length ? b : a), [])
    const last = largest.at(-1)
    if (!last) throw busy()
    this.#take(last)
    last.refuse(busy())
  }
}

const groupOf = ({ account, address, isKnown }: Asker): string => [account, address, isKnown].join('\n')

function add(counts: Map<string, number>, key: string, one: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + one
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}

const busy = () =>
  new Problem('unavailable', 'server.busy', 'The server is busy. Please try again in a moment.', {
    retryAfterSeconds: 5,
  })

interface ConcurrencyLimit {
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Lets a few works run at once and a bounded number wait; callers after that are told to come back. */
export function limitConcurrency(atOnce: number, waiting: number): ConcurrencyLimit {
  const perAccount = { atOnce, waiting }
  const queue = new TurnQueue({ atOnce, waiting: Number.POSITIVE_INFINITY, perAccount, tooMany: busy })
  return { run: (work) => queue.run({ account: '', address: '', isKnown: true }, work) }
}

/** Does a user's work when their earlier ones are done. */
type Turns = <Result>(userId: number, work: () => Promise<Result>) => Promise<Result>

/** For calls whose answers take much memory: each user has one at a time, and a few that wait. */
export function turnsPerUser(waiting: number): Turns {
  const without = Number.POSITIVE_INFINITY
  const tooMany = (count: number) => {
    const sentence = `You have ${count} such requests under way. Please wait until they are answered.`
    return new Problem('limited', 'request.turns', sentence, { retryAfterSeconds: 5 })
  }
  const queue = new TurnQueue({ atOnce: without, waiting: without, perAccount: { atOnce: 1, waiting }, tooMany })
  return (userId, work) => queue.run({ account: String(userId), address: '', isKnown: true }, work)
}
