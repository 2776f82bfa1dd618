import { Problem } from '@tradewright/core/problem'
import type { StudyRequest } from '@tradewright/engine/study/request'
import { randomUUID } from 'node:crypto'
import type { ComputePool } from '../workers/compute-pool.ts'
import type { tasks } from '../workers/tasks.ts'
import type { StudyWorkStore } from './ports.ts'

export type Compute = Pick<ComputePool<typeof tasks>, 'run' | 'threads'>

/** What a thread needs of a study; the prices are shared, not copied. */
export interface PreparedStudy {
  /** Threads that have read the prices of this key have them at hand. */
  readonly key: string
  readonly request: StudyRequest
  readonly data: Uint8Array
}

/** A few at once: the prices of a study may be some ten megabytes. */
const MAX_PREPARED = 3

/** The prices of the studies that this process works on, read once for all its threads. */
export class PreparedStudies {
  readonly #work: StudyWorkStore
  /** The one used last comes last. */
  readonly #studies = new Map<number, Promise<PreparedStudy>>()

  constructor(work: StudyWorkStore) {
    this.#work = work
  }

  get(id: number): Promise<PreparedStudy> {
    const reading = this.#studies.get(id) ?? this.#read(id)
    this.#studies.delete(id)
    this.#studies.set(id, reading)
    reading.catch(() => this.forget(id))
    for (const oldest of [...this.#studies.keys()].slice(0, -MAX_PREPARED)) this.#studies.delete(oldest)
    return reading
  }

  forget(id: number): void {
    this.#studies.delete(id)
  }

  async #read(id: number): Promise<PreparedStudy> {
    const [request, stored] = await Promise.all([this.#work.request(id), this.#work.data(id)])
    if (!request || !stored) throw new Problem('missing', 'study.missing', 'There is no such parameter study.')
    const data = new Uint8Array(new SharedArrayBuffer(stored.length))
    data.set(stored)
    return { key: randomUUID(), request, data }
  }
}
