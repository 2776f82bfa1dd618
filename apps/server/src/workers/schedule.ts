import type { tasks } from './tasks.ts'

/** Kinds of work by urgency, the first ones first: work of an earlier lane takes the thread of work of a later one. */
const LANES = ['live', 'interactive', 'long'] as const
export type Lane = (typeof LANES)[number]

export interface LaneLoad {
  readonly lane: Lane
  readonly waiting: number
  readonly running: number
}

/** Thread time that one task may use in its lane; what takes longer goes on in the lane of long runs. */
const LANE_BUDGET_MS: Readonly<Record<Lane, number>> = { live: 10_000, interactive: 2_000, long: Infinity }

/** Tasks that are not named here are interactive. */
const TASK_LANES: { readonly [Name in keyof typeof tasks]?: Lane } = {
  'live-trading/signal': 'live',
  'live-trading/fixed-signals': 'live',
  'live-trading/train': 'live',
  'live-trading/retrain': 'live',
  'optimizer/prepare': 'long',
  'optimizer/evaluate': 'long',
  'optimizer/choose': 'long',
  'optimizer/report': 'long',
  'studies/evaluate': 'long',
  'studies/report': 'long',
  'backtests/robustness-parts': 'long',
  'construction/run': 'long',
  'construction/walk': 'long',
}

/** Tasks whose end a caller waits for; prices may have to be made first. */
export const URGENT_TASKS = [
  'backtests/run',
  'live-trading/signal',
  'live-trading/fixed-signals',
  'market-data/sample',
] as const satisfies (keyof typeof tasks)[]

export const defaultLane = (task: string): Lane => (TASK_LANES as Readonly<Record<string, Lane>>)[task] ?? 'interactive'

/** A task, or a helper of one, as the schedule sees it. */
export interface Work {
  readonly owner: string
  /** Changes to `long` when the lane's budget is used up. */
  lane: Lane
  /** Thread time used so far. */
  usedMs: number
}

/** A turn: after it, work of the same lane gives way to an owner who used less thread time. */
const QUANTUM_MS = 250
/** A lane without a thread for this long gets one turn before the interactive lane: about a ninth of a thread. */
const STARVATION_MS = 2_000

interface Stint {
  readonly since: number
  /** Began because its lane was starved: for one turn only live trading takes its thread. */
  readonly isStarved: boolean
}

interface Account {
  usedMs: number
  /** The owner's work that waits or runs. */
  works: number
}

interface Candidate<Item> {
  readonly work: Item
  readonly rank: number
  readonly isStarved: boolean
}

const rankOf = (lane: Lane) => LANES.indexOf(lane)
const INTERACTIVE = rankOf('interactive')

/**
 * Decides which work has a thread: earlier lanes first; within a lane the owner who used the least thread time, and of one
 * owner what came first. Time is passed in, and nothing is measured here.
 */
export class Schedule<Item extends Work> {
  readonly #quantumMs: number
  readonly #waiting = new Map<Lane, Map<string, Item[]>>(LANES.map((lane) => [lane, new Map()]))
  readonly #running = new Map<Item, Stint>()
  readonly #accounts = new Map<string, Account>()
  /** When the lane last had a thread, or nothing to do. */
  readonly #servedAt = new Map<Lane, number>()
  #length = 0

  constructor(quantumMs = QUANTUM_MS) {
    this.#quantumMs = quantumMs
  }

  /** How many wait. */
  get length(): number {
    return this.#length
  }

  load(): LaneLoad[] {
    return LANES.map((lane) => ({
      lane,
      waiting: [...this.#waiting.get(lane)!.values()].reduce((count, queue) => count + queue.length, 0),
      running: [...this.#running.keys()].filter((work) => work.lane === lane).length,
    }))
  }

  add(work: Item, now: number): void {
    this.#account(work.owner, now).works += 1
    this.#wait(work, now, 'last')
  }

  /** Takes what has waited out of the queue and counts its time from now on. */
  begin(work: Item, now: number): void {
    const isStarved = this.#isStarved(work.lane, now)
    this.#unqueue(work)
    this.#servedAt.set(work.lane, now)
    this.#running.set(work, { since: now, isStarved })
  }

  /** Begins at once what has not waited. */
  beginNew(work: Item, now: number): void {
    this.#account(work.owner, now).works += 1
    this.#running.set(work, { since: now, isStarved: false })
  }

  /** It gave its thread up and goes on later, before what its owner queued after it. */
  pause(work: Item, now: number): void {
    this.#stopClock(work, now)
    if (work.usedMs >= LANE_BUDGET_MS[work.lane]) work.lane = 'long'
    this.#wait(work, now, 'first')
  }

  /** It has ended, running or waiting. Answers whether it was waiting. */
  end(work: Item, now: number): boolean {
    const hasWaited = this.#unqueue(work)
    if (!hasWaited && !this.#running.has(work)) return false
    this.#stopClock(work, now)
    const account = this.#accounts.get(work.owner)!
    account.works -= 1
    if (account.works === 0) this.#accounts.delete(work.owner)
    return hasWaited
  }

  isWaiting(work: Item): boolean {
    return this.#waiting.get(work.lane)!.get(work.owner)?.includes(work) ?? false
  }

  next(now: number, canBegin: (work: Item) => boolean): Item | undefined {
    for (const { work } of this.#candidates(now)) if (canBegin(work)) return work
    return undefined
  }

  /**
   * Running work that has to give its thread up to work that waits.
   *
   * @param leaving work that was asked already
   * @param provided how many of those that wait get the place of one that leaves
   */
  givingWay(now: number, leaving: ReadonlySet<Item>, provided: number, canBegin: (work: Item) => boolean): Item[] {
    this.#spendBudgets(now)
    const staying = new Set([...this.#running.keys()].filter((work) => !leaving.has(work)))
    const found: Item[] = []
    let placesLeft = provided
    for (const candidate of this.#candidates(now)) {
      if (!canBegin(candidate.work)) continue
      if (placesLeft-- > 0) continue
      const victim = this.#victimOf(candidate, staying, now)
      if (!victim) return found
      staying.delete(victim)
      found.push(victim)
    }
    return found
  }

  /** The first in each owner's queue, in the order in which they would be taken. */
  #candidates(now: number): Candidate<Item>[] {
    const all = LANES.flatMap((lane) => {
      const isStarved = this.#isStarved(lane, now)
      const rank = isStarved ? Math.min(rankOf(lane), INTERACTIVE) : rankOf(lane)
      return [...this.#waiting.get(lane)!.values()].map((queue) => ({ work: queue[0]!, rank, isStarved }))
    })
    const used = new Map(all.map(({ work }) => [work.owner, this.#used(work.owner, now)]))
    return all.sort(
      (a, b) =>
        a.rank - b.rank ||
        Number(b.isStarved) - Number(a.isStarved) ||
        used.get(a.work.owner)! - used.get(b.work.owner)!,
    )
  }

  /** The work that gives way: among what may, that of the latest lane whose owner used most. */
  #victimOf(candidate: Candidate<Item>, staying: ReadonlySet<Item>, now: number): Item | undefined {
    const [victim] = [...staying]
      .filter((work) => this.#givesWayTo(work, candidate, now))
      .sort(
        (a, b) =>
          this.#runningRank(b, now) - this.#runningRank(a, now) || this.#used(b.owner, now) - this.#used(a.owner, now),
      )
    return victim
  }

  #givesWayTo(work: Item, candidate: Candidate<Item>, now: number): boolean {
    const rank = this.#runningRank(work, now)
    if (rank !== candidate.rank) return candidate.rank < rank
    if (now - this.#running.get(work)!.since < this.#quantumMs) return false
    const { owner } = candidate.work
    return candidate.isStarved || (owner !== work.owner && this.#used(owner, now) < this.#used(work.owner, now))
  }

  #runningRank(work: Item, now: number): number {
    const { since, isStarved } = this.#running.get(work)!
    const rank = rankOf(work.lane)
    return isStarved && now - since < this.#quantumMs ? Math.min(rank, INTERACTIVE) : rank
  }

  #isStarved(lane: Lane, now: number): boolean {
    const isServed = [...this.#running.keys()].some((work) => work.lane === lane)
    return !isServed && this.#waiting.get(lane)!.size > 0 && now - this.#servedAt.get(lane)! >= STARVATION_MS
  }

  #spendBudgets(now: number): void {
    for (const [work, { since }] of this.#running) {
      if (work.usedMs + now - since >= LANE_BUDGET_MS[work.lane]) work.lane = 'long'
    }
  }

  #used(owner: string, now: number): number {
    let used = this.#accounts.get(owner)?.usedMs ?? 0
    for (const [work, { since }] of this.#running) if (work.owner === owner) used += now - since
    return used
  }

  /** An owner who comes begins with the others: time in which they asked for nothing is no credit. */
  #account(owner: string, now: number): Account {
    const known = this.#accounts.get(owner)
    if (known) return known
    const least = Math.min(...[...this.#accounts.keys()].map((other) => this.#used(other, now)))
    const account = { usedMs: Number.isFinite(least) ? least : 0, works: 0 }
    this.#accounts.set(owner, account)
    return account
  }

  #wait(work: Item, now: number, place: 'first' | 'last'): void {
    const queues = this.#waiting.get(work.lane)!
    if (queues.size === 0) this.#servedAt.set(work.lane, now)
    const queue = queues.get(work.owner) ?? []
    queues.set(work.owner, queue)
    if (place === 'first') queue.unshift(work)
    else queue.push(work)
    this.#length += 1
  }

  #unqueue(work: Item): boolean {
    const queues = this.#waiting.get(work.lane)!
    const queue = queues.get(work.owner)
    const at = queue?.indexOf(work) ?? -1
    if (!queue || at < 0) return false
    queue.splice(at, 1)
    if (queue.length === 0) queues.delete(work.owner)
    this.#length -= 1
    return true
  }

  #stopClock(work: Item, now: number): void {
    const stint = this.#running.get(work)
    if (!stint) return
    this.#running.delete(work)
    this.#servedAt.set(work.lane, now)
    work.usedMs += now - stint.since
    this.#accounts.get(work.owner)!.usedMs += now - stint.since
  }
}
