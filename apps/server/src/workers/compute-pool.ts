import { Problem } from '@tradewright/core/problem'
import { defaultLane, type Lane, type LaneLoad } from './schedule.ts'
import { type PoolSettings, PoolWork, SharedThreads } from './shared-threads.ts'
import type { PayloadOf, ResultOf, TaskRegistry } from './task.ts'

interface RunOptions {
  /** Whose work it is, for example a user: owners take turns by the thread time they use. */
  owner: string
  /** How urgent it is; left out, as its task usually is. */
  lane?: Lane
  signal?: AbortSignal
  /** From 0 to 1, with the task's own words where it has some. */
  onProgress?: (fraction: number, note?: string) => void
  /** Buffers that move to the thread; they are empty here afterwards. Shared buffers need no mention. */
  transfer?: readonly ArrayBuffer[]
}

/** Computation on threads of its own, so that the thread that answers requests never waits for it. */
export interface ComputePool<Tasks extends TaskRegistry> {
  readonly threads: number
  run<Name extends keyof Tasks & string>(
    task: Name,
    payload: PayloadOf<Tasks, Name>,
    options: RunOptions,
  ): Promise<ResultOf<Tasks, Name>>
  /** Starts a thread that loads these tasks, so that the first of them does not wait for it. */
  prepare(tasks: readonly (keyof Tasks & string)[]): void
  load(): LaneLoad[]
  close(): Promise<void>
}

const QUEUE_LIMIT = 10_000

export function createComputePool<Tasks extends TaskRegistry>(settings: PoolSettings): ComputePool<Tasks> {
  const { threads, queueLimit = QUEUE_LIMIT } = settings
  const threadsInUse = new SharedThreads(settings)
  let isClosed = false

  function run(task: string, payload: unknown, options: RunOptions): Promise<unknown> {
    const { owner, signal, onProgress = () => {}, transfer = [], lane = defaultLane(task) } = options
    signal?.throwIfAborted()
    if (isClosed) throw new Error('the compute pool is closed')
    if (threadsInUse.waiting >= queueLimit) throw tooMuchWaiting()
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const cancelFlag = new Int32Array(new SharedArrayBuffer(4))
    const message = { is: 'task', task, payload, cancelFlag, isLong: lane === 'long' } as const
    const work = new PoolWork(owner, lane, { message, transfer, onProgress, resolve, reject })
    const onAbort = () => threadsInUse.cancel(work, signal?.reason as Error)
    signal?.addEventListener('abort', onAbort)
    threadsInUse.add(work)
    return promise.finally(() => signal?.removeEventListener('abort', onAbort))
  }

  return {
    threads,
    run: async (task, payload, options) => (await run(task, payload, options)) as never,
    prepare(names) {
      if (!isClosed) threadsInUse.prepare(names)
    },
    load: () => threadsInUse.load(),
    async close() {
      isClosed = true
      await threadsInUse.close(new Error('the compute pool is closed'))
    },
  }
}

function tooMuchWaiting(): Problem {
  const sentence = 'Too much work is waiting to be computed. Please try again in a minute.'
  return new Problem('limited', 'compute.busy', sentence, { retryAfterSeconds: 60 })
}
