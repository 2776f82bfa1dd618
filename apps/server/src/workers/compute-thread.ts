import { parentPort, workerData } from 'node:worker_threads'
import { readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import {
  standStill,
  type HelpedMessage,
  type HelpMessage,
  type LoadMessage,
  toFailure,
  type TaskMessage,
  type ThreadMessage,
  type SharedList,
} from './thread-messages.ts'
import type { TaskContext, TaskRegistry } from './task.ts'

// The program of a compute thread: takes a task, runs it, answers. The pool never sends a second one meanwhile.
const PROGRESS_INTERVAL_MS = 50

const port = parentPort!
const { registry, threads, parkFlag } = workerData as { registry: string; threads: number; parkFlag: Int32Array }
const { tasks } = (await import(registry)) as { tasks: TaskRegistry }

port.on('message', (message: TaskMessage | HelpMessage | HelpedMessage | LoadMessage) => {
  if ('isLong' in message && message.isLong) lowerPriority()
  if (message.is === 'task') void answer(message)
  // A module that cannot be loaded fails again with its first task, which says so.
  else if (message.is === 'load') for (const task of message.tasks) taskNamed(task).catch(() => {})
  else if (message.is === 'help') void help(message)
  else receiveHelp(message)
})

async function answer({ task, payload, cancelFlag }: TaskMessage): Promise<void> {
  const transfers: ArrayBuffer[] = []
  try {
    const run = await taskNamed(task)
    const result = await run(payload as never, contextOf(cancelFlag, transfers))
    send({ is: 'done', result }, transfers)
  } catch (error) {
    send({ is: 'failed', failure: toFailure(error) })
  }
}

async function help(message: HelpMessage): Promise<void> {
  try {
    const run = await taskNamed(message.list.task)
    // A helper's result is copied: the other thread may read it while this one goes on.
    const isCalledBack = () => Atomics.load(message.yieldFlag, 0) === 1
    const context = { ...contextOf(message.list.cancelFlag, []), isCalledBack }
    await helpWith(message, async (payload) => run(payload as never, context))
    send({ is: 'done', result: undefined })
  } catch (error) {
    send({ is: 'failed', failure: toFailure(error) })
  }
}

async function taskNamed(name: string) {
  const load = tasks[name]
  if (!load) throw new Error(`there is no compute task "${name}"`)
  return (await load()).run
}

function contextOf(cancelFlag: Int32Array, transfers: ArrayBuffer[]): TaskContext {
  let reportedAt = 0
  const context: TaskContext = {
    threads,
    isCalledBack: () => false,
    isCancelled() {
      giveWay()
      return Atomics.load(cancelFlag, 0) === 1
    },
    reportProgress(fraction, note) {
      const now = performance.now()
      if (now - reportedAt < PROGRESS_INTERVAL_MS) return
      reportedAt = now
      send({ is: 'progress', fraction, note })
    },
    async mapOnThreads(task, payloads, begun) {
      const run = await taskNamed(task)
      return mapWithHelpers({ task, payloads, cancelFlag, begun }, async (payload) => run(payload as never, context))
    },
    transfer: (buffer) => void transfers.push(buffer),
  }
  return context
}

/** Blocks where it is, however deep in a kernel, until the pool lets the task go on. */
function giveWay(): void {
  standStill(parkFlag, (request) => send({ is: 'parked', request }))
}

function send(message: ThreadMessage, transfers: ArrayBuffer[] = []): void {
  port.postMessage(message, transfers)
}

/** Above what the program was started with. Of two threads on one processor, the one above gets a quarter of the time. */
const NICE = 5

let isLowered = false

/**
 * Lets the other threads of the program and its database run first on processors that long runs keep busy. Linux has a
 * priority per thread, which an ordinary user may lower but not raise again, so that it is for the life of the thread.
 */
function lowerPriority(): void {
  if (isLowered || process.platform !== 'linux') return
  isLowered = true
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, Math.min(constants.priority.PRIORITY_LOW, getPriority(thread) + NICE))
  } catch {
    // Without /proc, or forbidden by a sandbox: the thread goes on with the priority of all.
  }
}

type Compute = (payload: unknown) => Promise<unknown>

interface OwnWork {
  task: string
  payloads: readonly unknown[]
  cancelFlag: Int32Array
  begun?: ((count: number) => void) | undefined
}

interface OpenList {
  results: Map<number, unknown>
  unshared: () => void
}

/** Lists that the task of this thread shares just now. */
const open = new Map<number, OpenList>()
let listCount = 0

/** Works through the payloads beside the helpers. A payload that a helper took and did not finish is done here. */
async function mapWithHelpers(
  { task, payloads, cancelFlag, begun = () => {} }: OwnWork,
  compute: Compute,
): Promise<unknown[]> {
  const { promise: isUnshared, resolve: unshared } = Promise.withResolvers<void>()
  const list: SharedList = {
    id: ++listCount,
    task,
    payloads,
    next: new Int32Array(new SharedArrayBuffer(4)),
    cancelFlag,
  }
  const results = new Map<number, unknown>()
  open.set(list.id, { results, unshared })
  try {
    send({ is: 'share', list })
    for (let at = take(list); at < payloads.length; at = take(list)) {
      begun(at + 1)
      results.set(at, await compute(payloads[at]))
    }
    send({ is: 'unshare', id: list.id })
    await isUnshared
    for (const at of payloads.keys()) if (!results.has(at)) results.set(at, await compute(payloads[at]))
    return payloads.map((_, at) => results.get(at))
  } finally {
    open.delete(list.id)
  }
}

function receiveHelp(message: HelpedMessage): void {
  const list = open.get(message.id)
  if (message.is === 'unshared') list?.unshared()
  else list?.results.set(message.at, message.result)
}

/**
 * Work stealing: takes from another thread's list. A payload that fails is left to the owner, which fails with it where
 * it is understood.
 */
async function helpWith({ list, yieldFlag }: HelpMessage, compute: Compute): Promise<void> {
  const isWanted = () => Atomics.load(yieldFlag, 0) === 0 && Atomics.load(list.cancelFlag, 0) === 0
  while (isWanted()) {
    const at = take(list)
    if (at >= list.payloads.length) return
    send({ is: 'helped', id: list.id, at, result: await compute(list.payloads[at]) })
  }
}

const take = ({ next }: SharedList): number => Atomics.add(next, 0, 1)
