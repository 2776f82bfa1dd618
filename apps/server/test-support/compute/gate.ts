import { threadId } from 'node:worker_threads'

export interface Gate {
  /** 0 while closed; each thread that passes adds one to `passed`. */
  open: Int32Array
  arrived: Int32Array
  number: number
  /** A thread other than this one dies here. */
  onlyOn?: number
}

/** Waits at a gate that the test opens; answers which thread it was. */
export function run({ open, arrived, number, onlyOn }: Gate): { number: number; thread: number } {
  Atomics.add(arrived, 0, 1)
  Atomics.notify(arrived, 0)
  if (onlyOn !== undefined && onlyOn !== threadId) process.exit(3)
  Atomics.wait(open, 0, 0)
  return { number, thread: threadId }
}
