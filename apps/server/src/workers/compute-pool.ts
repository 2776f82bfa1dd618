import { Problem } from '@tradewright/core/problem'
import type { ResourceLimits } from 'node:worker_threads'
import { ComputeSlot, type SlotEvents, type SlotTask } from './compute-slot.ts'
import { Lending } from './lending.ts'
import { OwnerQueues } from './owner-queues.ts'
import type { PayloadOf, ResultOf, TaskRegistry } from './task.ts'

export interface RunOptions {
  /** Whose work it is, for example a user: owners take turns. */
  owner: string
  signal?: AbortSignal
  /** From 0 to 1, with the task's own words where it has some. */
  onProgress?: (fraction: number, note?: string) => void
}

export interface TransferOptions extends RunOptions {
  /** Buffers that move to the thread; they are empty here afterwards. Shared buffers need no mention. */
  transfer?: readonly ArrayBuffer[]
}

/** Computation on threads of its own, so that the thread that answers requests never waits for it. */
export interface ComputePool<Tasks extends TaskRegistry> {
  readonly threads: number
  run<Name extends keyof Tasks & string>(
    task: Name,
    payload: PayloadOf<Tasks, Name>,
    options: TransferOptions,
  ): Promise<ResultOf<Tasks, Name>>
  /** Runs a task for each payload over all threads; results come in the payloads' order. The first failure cancels the rest. */
  map<Name extends keyof Tasks & string>(
    task: Name,
    payloads: readonly PayloadOf<Tasks, Name>[],
    options: RunOptions,
  ): Promise<ResultOf<Tasks, Name>[]>
  close(): Promise<void>
}

export interface PoolSettings {
  threads: number
  /** The module that exports the registry of tasks as `tasks`. */
  registry: URL
  /** How many tasks may wait, over all owners. */
  queueLimit?: number
  resourceLimits?: ResourceLimits
}

const QUEUE_LIMIT = 10_000

interface Waiting extends SlotTask {
  owner: string
}

export function createComputePool<Tasks extends TaskRegistry>(settings: PoolSettings): ComputePool<Tasks> {
  const { threads, registry, queueLimit = QUEUE_LIMIT, resourceLimits } = settings
  const queues = new OwnerQueues<Waiting>()
  const program = { registry: registry.href, threads, resourceLimits }
  const lending = new Lending()
  const events: SlotEvents = {
    onFree: startNext,
    onShare(slot, list) {
      lending.open(slot, list)
      startNext()
    },
    onUnshare: (slot, id) => lending.end(slot, id),
    onEnd: (slot) => lending.forget(slot),
  }
  const slots = Array.from({ length: threads }, () => new ComputeSlot(program, events))
  let isClosed = false

  function startNext(): void {
    for (const slot of slots) {
      if (isClosed || !slot.isFree) continue
      const task = queues.takeNext()
      if (task) slot.run(task)
      else if (!lending.lend(slot)) return
    }
  }

  function cancel(task: Waiting, reason: Error): void {
    if (queues.remove(task.owner, task)) task.reject(reason)
    else for (const slot of slots) slot.cancel(task, reason)
  }

  function run(task: string, payload: unknown, options: TransferOptions): Promise<unknown> {
    const { owner, signal, onProgress = () => {}, transfer = [] } = options
    signal?.throwIfAborted()
    if (isClosed) throw new Error('the compute pool is closed')
    if (queues.length >= queueLimit) throw tooMuchWaiting()
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const cancelFlag = new Int32Array(new SharedArrayBuffer(4))
    const waiting: Waiting = {
      owner,
      message: { is: 'task', task, payload, cancelFlag },
      transfer,
      onProgress,
      resolve,
      reject,
    }
    const onAbort = () => cancel(waiting, signal?.reason as Error)
    signal?.addEventListener('abort', onAbort)
    queues.add(owner, waiting)
    startNext()
    if (queues.length > 0) lending.callBack()
    return promise.finally(() => signal?.removeEventListener('abort', onAbort))
  }

  return {
    threads,
    run: async (task, payload, options) => (await run(task, payload, options)) as never,
    map: async (task, payloads, options) =>
      (await mapOver(payloads, threads, options, (payload, one) => run(task, payload, one))) as never,
    async close() {
      isClosed = true
      const closing = new Error('the compute pool is closed')
      for (let task = queues.takeNext(); task; task = queues.takeNext()) task.reject(closing)
      await Promise.all(slots.map((slot) => slot.close()))
    },
  }
}

function tooMuchWaiting(): Problem {
  const sentence = 'Too much work is waiting to be computed. Please try again in a minute.'
  return new Problem('limited', 'compute.busy', sentence, { retryAfterSeconds: 60 })
}

/** Keeps every thread busy and one task more each in the queue, however many payloads there are. */
async function mapOver<Payload>(
  payloads: readonly Payload[],
  threads: number,
  { signal, onProgress, owner }: RunOptions,
  run: (payload: Payload, options: RunOptions) => Promise<unknown>,
): Promise<unknown[]> {
  const failure = new AbortController()
  const either = signal ? AbortSignal.any([signal, failure.signal]) : failure.signal
  const results = Array.from<unknown>({ length: payloads.length })
  let next = 0
  let done = 0
  const lane = async () => {
    while (next < payloads.length) {
      const at = next++
      results[at] = await run(payloads[at]!, { owner, signal: either })
      onProgress?.(++done / payloads.length)
    }
  }
  const lanes = Array.from({ length: Math.min(2 * threads, payloads.length) }, () =>
    lane().catch((error: unknown) => {
      failure.abort(error)
      throw error
    }),
  )
  // All lanes end before this does, so that nobody touches the payloads' buffers afterwards.
  const ended = await Promise.allSettled(lanes)
  either.throwIfAborted()
  const failed = ended.find((lane) => lane.status === 'rejected')
  if (failed) throw failed.reason
  return results
}
