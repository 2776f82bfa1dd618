/** A task's context besides its payload, inside a compute thread. */
export interface TaskContext {
  /**
   * Ask often, at least every few milliseconds: a task that does not stop is ended with its thread. While more urgent work
   * has the processor, the call does not return.
   */
  isCancelled(): boolean
  /** Threads of the pool, this one included. */
  threads: number
  /** On a thread that only helps: other work waits for it. A long piece had better be left to the one it belongs to. */
  isCalledBack(): boolean
  /** How far the task is, from 0 to 1, and in words. Cheap: few of many calls travel. */
  reportProgress(fraction: number, note?: string): void
  /**
   * Runs a task of the registry for each payload, on this thread and on those that have nothing else to do. Results
   * come in the payloads' order, whichever thread computed them. `begun` receives how many have been started; an
   * exception in it ends the work.
   */
  mapOnThreads(task: string, payloads: readonly unknown[], begun?: (count: number) => void): Promise<unknown[]>
  /** Hands a buffer over with the result instead of copying it; it is gone from this thread afterwards. */
  transfer(buffer: ArrayBuffer): void
}

/** A module of the registry: plain data in, plain data out. Typed arrays on SharedArrayBuffer are shared, not copied. */
interface TaskModule<Payload = never, Result = unknown> {
  run: (payload: Payload, context: TaskContext) => Result | Promise<Result>
}

/** Names and where to find them: a thread loads a module when its first task comes. */
export type TaskRegistry = Record<string, () => Promise<TaskModule>>

type RunOf<Tasks extends TaskRegistry, Name extends keyof Tasks> = Awaited<ReturnType<Tasks[Name]>>['run']
export type PayloadOf<Tasks extends TaskRegistry, Name extends keyof Tasks> = Parameters<RunOf<Tasks, Name>>[0]
export type ResultOf<Tasks extends TaskRegistry, Name extends keyof Tasks> = Awaited<ReturnType<RunOf<Tasks, Name>>>
