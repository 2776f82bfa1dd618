import { Problem, type ProblemKind } from '@tradewright/core/problem'

/** To a thread: one task at a time. */
export interface TaskMessage {
  task: string
  payload: unknown
  /** One Int32 on shared memory. */
  cancelFlag: Int32Array
}

/** From a thread. */
export type ThreadMessage =
  | { is: 'progress'; fraction: number; note: string | undefined }
  | { is: 'done'; result: unknown }
  | { is: 'failed'; failure: TaskFailure }

/** An error as it crosses between threads, where classes are lost. */
export type TaskFailure =
  | { is: 'problem'; kind: ProblemKind; code: string; message: string }
  | { is: 'error'; message: string; stack: string | undefined }

export function toFailure(error: unknown): TaskFailure {
  if (error instanceof Problem) {
    return { is: 'problem', kind: error.kind, code: error.code, message: error.message }
  }
  if (error instanceof Error) return { is: 'error', message: error.message, stack: error.stack }
  return { is: 'error', message: String(error), stack: undefined }
}

export function toError(failure: TaskFailure): Error {
  if (failure.is === 'problem') return new Problem(failure.kind, failure.code, failure.message)
  const error = new Error(failure.message)
  if (failure.stack) error.stack = failure.stack
  return error
}
