import { Problem, type ProblemKind } from '@tradewright/core/problem'

/** Sent to a thread, one task at a time. */
export interface TaskMessage {
  is: 'task'
  task: string
  payload: unknown
  /** One Int32 on shared memory. */
  cancelFlag: Int32Array
  isLong: boolean
}

/** Sent to an idle thread: it loads the code of tasks that will come. */
export interface LoadMessage {
  is: 'load'
  tasks: readonly string[]
}

/**
 * A list of payloads that threads take from together: a thread that adds one to `next` has the payload at its old
 * value.
 */
export interface SharedList {
  id: number
  task: string
  payloads: readonly unknown[]
  /** One Int32 on shared memory. */
  next: Int32Array
  /** The flag of the task that shares the list. */
  cancelFlag: Int32Array
}

/** Sent to an idle thread: take from the list until it is empty, or until `yieldFlag` says that other work waits. */
export interface HelpMessage {
  is: 'help'
  list: SharedList
  yieldFlag: Int32Array
  isLong: boolean
}

/** Sent to the thread that shares a list: what a helper computed, or that no helper is left. */
export type HelpedMessage = { is: 'helped'; id: number; at: number; result: unknown } | { is: 'unshared'; id: number }

/** What a thread sends. */
export type ThreadMessage =
  | { is: 'progress'; fraction: number; note: string | undefined }
  | { is: 'parked'; request: number }
  | { is: 'done'; result: unknown }
  | { is: 'failed'; failure: TaskFailure }
  | { is: 'share'; list: SharedList }
  | { is: 'unshare'; id: number }
  | { is: 'helped'; id: number; at: number; result: unknown }

/** An error as it crosses between threads, where classes are lost. */
type TaskFailure =
  | { is: 'problem'; kind: ProblemKind; code: string; message: string; facts?: Problem['facts'] }
  | { is: 'error'; message: string; stack: string | undefined }

export function toFailure(error: unknown): TaskFailure {
  if (error instanceof Problem) {
    const { kind, code, message, facts } = error
    return { is: 'problem', kind, code, message, ...(facts && { facts }) }
  }
  if (error instanceof Error) return { is: 'error', message: error.message, stack: error.stack }
  return { is: 'error', message: String(error), stack: undefined }
}

export function toError(failure: TaskFailure): Error {
  if (failure.is === 'problem') {
    const { kind, code, message, facts } = failure
    return new Problem(kind, code, message, facts && { facts })
  }
  const error = new Error(failure.message)
  if (failure.stack) error.stack = failure.stack
  return error
}

/**
 * The cell, one per thread, that a task polls whenever it asks whether it is cancelled. It counts: odd is a request to
 * stand still, the even number after it lets the task go on. A thread that was slow to fall asleep sees by the number that
 * a second request came meanwhile, and answers it.
 */
const isParkRequest = (value: number): boolean => (value & 1) === 1

export function requestPark(flag: Int32Array): void {
  const value = Atomics.load(flag, 0)
  if (!isParkRequest(value)) Atomics.store(flag, 0, value + 1)
}

export function letGoOn(flag: Int32Array): void {
  const value = Atomics.load(flag, 0)
  if (isParkRequest(value)) Atomics.store(flag, 0, value + 1)
  Atomics.notify(flag, 0)
}

/** Called on the thread: answers every request, and stands still while the last one holds. */
export function standStill(flag: Int32Array, onParked: (request: number) => void): void {
  for (let value = Atomics.load(flag, 0); isParkRequest(value); value = Atomics.load(flag, 0)) {
    onParked(value)
    Atomics.wait(flag, 0, value)
  }
}
