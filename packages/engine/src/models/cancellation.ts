import { Problem } from '@tradewright/core/problem'

/** A flag in shared memory: any thread that has it may set it, and every thread of the fit sees it at once. */
export type CancelFlag = Int32Array<SharedArrayBuffer>

/**
 * Polled by running work. A kernel says how much it did since the last call, in visits: a row of one column, or a bin
 * of a histogram.
 */
export type IsCancelled = (visits?: number) => boolean

export const neverCancelled: IsCancelled = () => false

export function newCancelFlag(): CancelFlag {
  return new Int32Array(new SharedArrayBuffer(4))
}

export function cancel(flag: CancelFlag): void {
  Atomics.store(flag, 0, 1)
}

export function isCancelled(flag: CancelFlag): boolean {
  return Atomics.load(flag, 0) !== 0
}

export function throwIfCancelled(isCancelled: IsCancelled): void {
  if (isCancelled()) throw cancelledProblem()
}

export function cancelledProblem(): Problem {
  return new Problem('conflict', 'model.cancelled', 'Training was cancelled.')
}
