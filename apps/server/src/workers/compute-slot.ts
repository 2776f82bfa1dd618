import { Worker, type ResourceLimits } from 'node:worker_threads'
import {
  letGoOn,
  requestPark,
  type HelpedMessage,
  type HelpMessage,
  type LoadMessage,
  type SharedList,
  type TaskMessage,
  type ThreadMessage,
  toError,
} from './thread-messages.ts'

/** A cancelled task that has not stopped by then is ended together with its thread. */
const STOP_WITHIN_MS = 100

export interface SlotTask {
  message: TaskMessage | HelpMessage
  transfer: readonly ArrayBuffer[]
  onProgress: (fraction: number, note: string | undefined) => void
  onHelped?: (message: HelpedMessage) => void
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

type Outcome = { result: unknown } | { error: Error }

interface SlotEvents {
  onFree: (slot: ComputeSlot) => void
  /** The task is parked and has given its processor up; the thread is still its own. */
  onPark: (slot: ComputeSlot) => void
  /** The task offers a part of its work to idle threads. */
  onShare: (slot: ComputeSlot, list: SharedList) => void
  onUnshare: (slot: ComputeSlot, id: number) => void
  onEnd: (slot: ComputeSlot) => void
}

interface ThreadProgram {
  /** The address of the module that exports `tasks`. */
  registry: string
  /** Threads of the whole pool. */
  threads: number
  resourceLimits: ResourceLimits | undefined
}

/**
 * A thread for one task at a time, which can be parked in the middle. The thread starts with the first task and is
 * replaced when it dies; a dead thread costs only the task that it was running.
 */
export class ComputeSlot {
  readonly #program: ThreadProgram
  readonly #events: SlotEvents
  #thread: Worker | undefined
  #isEnding = false
  #current: SlotTask | undefined
  #cancelReason: Error | undefined
  #patience: NodeJS.Timeout | undefined
  readonly #parkFlag = new Int32Array(new SharedArrayBuffer(4))
  #isParked = false
  #hasLowPriority = false

  constructor(program: ThreadProgram, events: SlotEvents) {
    this.#program = program
    this.#events = events
  }

  get isFree(): boolean {
    return this.#current === undefined
  }

  get isParked(): boolean {
    return this.#isParked
  }

  get hasThread(): boolean {
    return this.#thread !== undefined
  }

  /** Long runs have lowered it, for good. */
  get hasLowPriority(): boolean {
    return this.#hasLowPriority
  }

  run(task: SlotTask): void {
    this.#current = task
    this.#hasLowPriority ||= task.message.isLong
    this.#thread ??= this.#startThread()
    this.#thread.ref()
    try {
      this.#thread.postMessage(task.message, task.transfer)
    } catch (error) {
      // The payload cannot travel (a function in it, a buffer already handed over): the caller's mistake.
      this.#finish({ error: error as Error })
    }
  }

  /** Starts the thread and lets it load these tasks. */
  load(tasks: readonly string[]): void {
    this.#thread ??= this.#startThread()
    this.#thread.postMessage({ is: 'load', tasks } satisfies LoadMessage, [])
    this.#thread.unref()
  }

  /** Raises the task's flag. Its promise settles only when no thread can write to its buffers. */
  cancel(task: SlotTask, reason: Error): void {
    if (task !== this.#current || this.#cancelReason || task.message.is === 'help') return
    this.#cancelReason = reason
    Atomics.store(task.message.cancelFlag, 0, 1)
    this.resume()
    this.#patience = setTimeout(() => void this.#endThread(), STOP_WITHIN_MS)
  }

  /** The task is parked as soon as it asks whether it is cancelled, which tasks do every few milliseconds. */
  park(): void {
    requestPark(this.#parkFlag)
  }

  resume(): void {
    this.#isParked = false
    letGoOn(this.#parkFlag)
  }

  /** Hands a helper's message to a task that shares work. */
  tell(message: HelpedMessage): void {
    if (!this.#isEnding) this.#thread?.postMessage(message)
  }

  close(): Promise<void> {
    return this.#endThread()
  }

  async #endThread(): Promise<void> {
    this.#isEnding = true
    await this.#thread?.terminate()
  }

  #startThread(): Worker {
    const { registry, threads, resourceLimits } = this.#program
    const thread = new Worker(new URL('./compute-thread.ts', import.meta.url), {
      workerData: { registry, threads, parkFlag: this.#parkFlag },
      name: 'compute',
      ...(resourceLimits && { resourceLimits }),
    })
    let death = new Error('the compute thread ended in the middle of its task')
    thread.on('error', (error) => (death = new Error('the compute thread crashed', { cause: error })))
    thread.on('message', (message: ThreadMessage) => this.#hear(message))
    thread.on('exit', () => {
      this.#thread = undefined
      this.#hasLowPriority = false
      this.#isEnding = false
      this.#finish({ error: death })
    })
    return thread
  }

  #hear(message: ThreadMessage): void {
    // Nothing counts that a dying thread still says; its exit frees the slot.
    if (this.#isEnding) return
    if (message.is === 'progress') this.#current?.onProgress(message.fraction, message.note)
    else if (message.is === 'parked') this.#heldStill(message.request)
    else if (message.is === 'share') this.#events.onShare(this, message.list)
    else if (message.is === 'unshare') this.#events.onUnshare(this, message.id)
    else if (message.is === 'helped') this.#current?.onHelped?.(message)
    else if (message.is === 'done') this.#finish({ result: message.result })
    else this.#finish({ error: toError(message.failure) })
  }

  /** It may have been cancelled, and so told to go on, while the message was under way. */
  #heldStill(request: number): void {
    if (Atomics.load(this.#parkFlag, 0) !== request) return
    this.#isParked = true
    this.#events.onPark(this)
  }

  #finish(outcome: Outcome): void {
    const task = this.#current
    const reason = this.#cancelReason
    clearTimeout(this.#patience)
    this.#current = undefined
    this.#cancelReason = undefined
    this.resume()
    // An idle thread does not keep the process alive.
    this.#thread?.unref()
    if (task && reason) task.reject(reason)
    else if (task && 'error' in outcome) task.reject(outcome.error)
    else if (task) task.resolve((outcome as { result: unknown }).result)
    this.#events.onEnd(this)
    this.#events.onFree(this)
  }
}
