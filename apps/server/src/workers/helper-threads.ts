import type { ComputeSlot, SlotTask } from './compute-slot.ts'
import type { SharedList } from './thread-messages.ts'

interface OpenList {
  readonly list: SharedList
  readonly owner: ComputeSlot
  readonly helpers: Set<SlotTask>
  /** The list's owner has nothing left to do but to wait for its helpers. */
  isEnding: boolean
}

/** Lends idle threads to tasks that share lists of work, and calls them back when a task of its own waits. */
export class HelperThreads {
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
