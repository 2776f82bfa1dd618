import type { ResourceLimits } from 'node:worker_threads'
import { ComputeSlot, type SlotTask } from './compute-slot.ts'
import { type Lane, type LaneLoad, Schedule, type Work } from './schedule.ts'
import type { SharedList } from './thread-messages.ts'

interface OpenList {
  readonly list: SharedList
  readonly owner: ComputeSlot
  readonly helpers: Set<SlotTask>
  /** The list's owner has nothing left to do but to wait for its helpers. */
  isEnding: boolean
}

/** Lends idle threads to tasks that share lists of work, and calls them back when a task of its own waits. */
class HelperThreads {
  readonly #lists: OpenList[] = []
  readonly #yieldFlags = new Map<SlotTask, Int32Array>()

  open(owner: ComputeSlot, list: SharedList): void {
    this.#lists.push({ list, owner, helpers: new Set(), isEnding: false })
  }

  /** The owner's part is done: no further helper joins. */
  end(owner: ComputeSlot, id: number): void {
    const entry = this.#lists.find((one) => one.owner === owner && one.list.id === id)
    if (!entry) return
    entry.isEnding = true
    this.#closeIfAlone(entry)
  }

  /** Whatever the owner shared is over; helpers notice by themselves that the list is empty. */
  forget(owner: ComputeSlot): void {
    for (const entry of this.#lists.filter((one) => one.owner === owner)) this.#remove(entry)
  }

  /** A task for an idle thread: help for the list with the fewest helpers, and the list's owner. */
  helpWanted(isLong: (owner: ComputeSlot) => boolean): { task: SlotTask; owner: ComputeSlot } | undefined {
    const [entry] = this.#lists
      .filter(({ isEnding, list }) => !isEnding && Atomics.load(list.next, 0) < list.payloads.length)
      .sort((a, b) => a.helpers.size - b.helpers.size)
    if (!entry) return undefined
    const ended = () => {
      this.#yieldFlags.delete(task)
      entry.helpers.delete(task)
      this.#closeIfAlone(entry)
    }
    const yieldFlag = new Int32Array(new SharedArrayBuffer(4))
    const task: SlotTask = {
      message: { is: 'help', list: entry.list, yieldFlag, isLong: isLong(entry.owner) },
      transfer: [],
      onProgress: () => {},
      // The owner of a list that was forgotten runs another task by now.
      onHelped: (message) => this.#lists.includes(entry) && entry.owner.tell(message),
      resolve: ended,
      reject: ended,
    }
    this.#yieldFlags.set(task, yieldFlag)
    entry.helpers.add(task)
    return { task, owner: entry.owner }
  }

  /** A task waits: helpers finish the piece they are at and are free. */
  callBack(): void {
    for (const flag of this.#yieldFlags.values()) Atomics.store(flag, 0, 1)
  }

  #closeIfAlone(entry: OpenList): void {
    if (!entry.isEnding || entry.helpers.size > 0 || !this.#lists.includes(entry)) return
    this.#remove(entry)
    entry.owner.tell({ is: 'unshared', id: entry.list.id })
  }

  #remove(entry: OpenList): void {
    const at = this.#lists.indexOf(entry)
    if (at >= 0) this.#lists.splice(at, 1)
  }
}

export interface PoolSettings {
  threads: number
  /** The module that exports the registry of tasks as `tasks`. */
  registry: URL
  /** How many tasks may wait, over all owners. */
  queueLimit?: number
  resourceLimits?: ResourceLimits
  /** How long work of the same lane runs before it gives way to another owner's. */
  quantumMs?: number
  /** Urgent tasks, for which a thread is kept ready while long runs have all others. */
  readyTasks?: readonly string[]
}

/** A task or a helper on its way through the pool. */
export class PoolWork implements Work {
  readonly owner: string
  lane: Lane
  usedMs = 0
  readonly task: SlotTask
  /** The thread that it began on; it goes on there. */
  slot: ComputeSlot | undefined
  hasParked = false

  constructor(owner: string, lane: Lane, task: SlotTask) {
    this.owner = owner
    this.lane = lane
    this.task = task
  }

  get isHelper(): boolean {
    return this.task.message.is === 'help'
  }
}

/** Interval at which the schedule hands out turns while work waits. */
const TICK_MS = 25
/** A helper that has not left its piece by then is parked in the middle of it. */
const LEAVE_WITHIN_MS = 50
/**
 * A long run may be in a stretch in which it cannot be parked, such as loading its program. Urgent work then begins beside
 * it: a processor has one thread more than usual for that stretch, and the long run's has the lower priority.
 */
const PARK_WITHIN_MS = 25
/**
 * A parked task keeps its thread, at some 30 MB. Most parked tasks per processor when new work of this lane wants to
 * begin; more urgent lanes always find room above that.
 */
const MAX_PARKED_PER_THREAD: Readonly<Record<Lane, number>> = { long: 2, interactive: 4, live: 6 }

/**
 * The threads of a pool. At most `threads` of them run at any time; work that has to give way is parked on a thread of
 * its own, and what takes its place runs on another.
 */
export class SharedThreads {
  readonly #threads: number
  readonly #schedule: Schedule<PoolWork>
  readonly #lending = new HelperThreads()
  readonly #works = new Map<ComputeSlot, PoolWork>()
  readonly #slots: ComputeSlot[] = []
  readonly #newSlot: () => ComputeSlot
  readonly #readyTasks: readonly string[]
  /** Running work that was asked to give way, and when. */
  readonly #leaving = new Map<PoolWork, number>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor({ threads, registry, resourceLimits, quantumMs, readyTasks = [] }: PoolSettings) {
    this.#threads = threads
    this.#readyTasks = readyTasks
    this.#schedule = new Schedule(quantumMs)
    const program = { registry: registry.href, threads, resourceLimits }
    this.#newSlot = () =>
      new ComputeSlot(program, {
        onFree: (slot) => this.#onFree(slot),
        onPark: (slot) => this.#onPark(slot),
        onShare: (slot, list) => {
          this.#lending.open(slot, list)
          this.#arrange()
        },
        onUnshare: (slot, id) => this.#lending.end(slot, id),
        onEnd: (slot) => this.#onEnd(slot),
      })
  }

  get waiting(): number {
    return this.#schedule.length
  }

  load(): LaneLoad[] {
    return this.#schedule.load()
  }

  add(work: PoolWork): void {
    this.#schedule.add(work, performance.now())
    this.#arrange()
  }

  prepare(tasks: readonly string[]): void {
    const spare = this.#slots.find(({ isFree, hasThread }) => isFree && !hasThread) ?? this.#newSlot()
    if (!this.#slots.includes(spare)) this.#slots.push(spare)
    spare.load(tasks)
  }

  cancel(work: PoolWork, reason: Error): void {
    if (!work.slot) {
      if (this.#schedule.end(work, performance.now())) work.task.reject(reason)
      return
    }
    // A parked task goes on at once, to its end: that takes a moment, and no turn.
    if (this.#schedule.isWaiting(work)) this.#schedule.begin(work, performance.now())
    work.slot.cancel(work.task, reason)
  }

  async close(reason: Error): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (let work = this.#nextUnbegun(); work; work = this.#nextUnbegun()) this.cancel(work, reason)
    await Promise.all(this.#slots.map((slot) => slot.close()))
  }

  #nextUnbegun(): PoolWork | undefined {
    return this.#schedule.next(0, ({ slot }) => slot === undefined)
  }

  #arrange(): void {
    if (this.#isClosed) return
    const now = performance.now()
    while (this.#running < this.#threads) {
      const work = this.#schedule.next(now, this.#canBegin)
      if (work) this.#begin(work, now)
      else if (!this.#lend(now)) break
    }
    while (this.#running - this.#late(now) < this.#threads) {
      const urgent = this.#schedule.next(now, (work) => work.lane !== 'long' && this.#canBegin(work))
      if (!urgent) break
      this.#begin(urgent, now)
    }
    if (this.#schedule.length > 0) this.#makeRoom(now)
    this.#keepSpare()
    this.#keepTime()
  }

  get #running(): number {
    return this.#works.size - this.#parked
  }

  /** Long runs that should have been parked by now. */
  #late(now: number): number {
    const isLate = ([work, askedAt]: [PoolWork, number]) => work.lane === 'long' && now - askedAt >= PARK_WITHIN_MS
    return [...this.#leaving].filter(isLate).length
  }

  get #parked(): number {
    return this.#slots.filter(({ isParked }) => isParked).length
  }

  readonly #canBegin = (work: PoolWork): boolean =>
    work.slot !== undefined || this.#parked < MAX_PARKED_PER_THREAD[work.lane] * this.#threads

  #begin(work: PoolWork, now: number): void {
    this.#schedule.begin(work, now)
    if (work.slot) work.slot.resume()
    else this.#start(work)
  }

  #start(work: PoolWork): void {
    work.slot = this.#freeSlot(work.task.message.isLong)
    this.#works.set(work.slot, work)
    work.slot.run(work.task)
  }

  /** A thread that runs already has loaded its program. Long runs take those with a low priority, others the others. */
  #freeSlot(isLong: boolean): ComputeSlot {
    const free = this.#slots.filter((slot) => slot.isFree)
    const ready = free.filter(({ hasThread }) => hasThread)
    const fitting = ready.find(({ hasLowPriority }) => hasLowPriority === isLong)
    const slot = fitting ?? ready[0] ?? free[0] ?? this.#newSlot()
    if (!this.#slots.includes(slot)) this.#slots.push(slot)
    return slot
  }

  #lend(now: number): boolean {
    const wanted = this.#lending.helpWanted((slot) => this.#works.get(slot)!.lane === 'long')
    if (!wanted) return false
    const { owner, lane } = this.#works.get(wanted.owner)!
    const helper = new PoolWork(owner, lane, wanted.task)
    this.#schedule.beginNew(helper, now)
    this.#start(helper)
    return true
  }

  /** Helpers leave first: their threads were idle. Then the task that the schedule names is parked. */
  #makeRoom(now: number): void {
    this.#lending.callBack()
    for (const work of this.#works.values()) {
      // One that stood still before has its turn, as any other work.
      if (!work.isHelper || work.hasParked) continue
      const askedAt = this.#leaving.get(work) ?? now
      this.#leaving.set(work, askedAt)
      if (now - askedAt >= LEAVE_WITHIN_MS) work.slot!.park()
    }
    // Each that leaves provides for one that waits, unless that one has begun beside it.
    const provided = Math.max(0, this.#leaving.size - Math.max(0, this.#running - this.#threads))
    for (const work of this.#schedule.givingWay(now, new Set(this.#leaving.keys()), provided, this.#canBegin)) {
      this.#leaving.set(work, now)
      work.slot!.park()
    }
  }

  #onPark(slot: ComputeSlot): void {
    const work = this.#works.get(slot)
    if (!work) return
    this.#leaving.delete(work)
    work.hasParked = true
    this.#schedule.pause(work, performance.now())
    this.#arrange()
  }

  #onEnd(slot: ComputeSlot): void {
    const work = this.#works.get(slot)
    if (work) {
      this.#works.delete(slot)
      this.#leaving.delete(work)
      this.#schedule.end(work, performance.now())
    }
    this.#lending.forget(slot)
  }

  /**
   * As many threads as may run stay ready for work that takes another's place, and the spare one beside them: without that,
   * each piece of a long run would end its own thread and begin on the spare one, whose program is not loaded.
   */
  #onFree(slot: ComputeSlot): void {
    this.#arrange()
    const at = this.#slots.indexOf(slot)
    const free = this.#slots.filter(({ isFree }) => isFree)
    const spare = this.#readyTasks.length > 0 ? 1 : 0
    if (at < 0 || !slot.isFree || free.length <= this.#threads + spare) return
    this.#slots.splice(at, 1)
    void slot.close()
  }

  /** While long runs have all threads, one more is ready: to start it and load its program takes longer than a decision. */
  #keepSpare(): void {
    if (this.#running < this.#threads || this.#readyTasks.length === 0) return
    const isLong = [...this.#works.values()].every(({ lane, isHelper }) => lane === 'long' && !isHelper)
    const isReady = ({ isFree, hasThread, hasLowPriority }: ComputeSlot) => isFree && hasThread && !hasLowPriority
    if (!isLong || this.#slots.some(isReady)) return
    this.prepare(this.#readyTasks)
  }

  #keepTime(): void {
    if (this.#schedule.length > 0) this.#timer ??= setInterval(() => this.#arrange(), TICK_MS).unref()
    else {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
  }
}
