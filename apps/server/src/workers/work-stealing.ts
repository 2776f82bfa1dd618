import { parentPort } from 'node:worker_threads'
import type { HelpedMessage, HelpMessage, SharedList, ThreadMessage } from './thread-messages.ts'

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

const send = (message: ThreadMessage) => parentPort!.postMessage(message, [])

/** Works through the payloads beside the helpers. A payload that a helper took and did not finish is done here. */
export async function mapWithHelpers(
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

export function receiveHelp(message: HelpedMessage): void {
  const list = open.get(message.id)
  if (message.is === 'unshared') list?.unshared()
  else list?.results.set(message.at, message.result)
}

/**
 * Work stealing: takes from another thread's list. A payload that fails is left to the owner, which fails with it where
 * it is understood.
 */
export async function helpWith({ list, yieldFlag }: HelpMessage, compute: Compute): Promise<void> {
  const isWanted = () => Atomics.load(yieldFlag, 0) === 0 && Atomics.load(list.cancelFlag, 0) === 0
  while (isWanted()) {
    const at = take(list)
    if (at >= list.payloads.length) return
    send({ is: 'helped', id: list.id, at, result: await compute(list.payloads[at]) })
  }
}

const take = ({ next }: SharedList): number => Atomics.add(next, 0, 1)
