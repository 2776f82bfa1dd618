import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '@tradewright/core/problem'
import type pg from 'pg'

/** One writer of a store at a time, over all processes that can reach it. Readers never wait. */
export interface WriterLock {
  /** Runs `work` under a lock of this name. */
  exclusive<T>(name: string, work: () => Promise<T>): Promise<T>
}

/** A lock within this process only. */
export function processLock(): WriterLock {
  const tails = new Map<string, Promise<unknown>>()
  return {
    async exclusive(name, work) {
      const before = tails.get(name) ?? Promise.resolve()
      const mine = before.then(work, work)
      const tail = mine.catch(() => {})
      tails.set(name, tail)
      try {
        return await mine
      } finally {
        if (tails.get(name) === tail) tails.delete(name)
      }
    },
  }
}

/** Another process may be writing for minutes. */
const PATIENCE_MS = 600_000
const POLL_INTERVAL_MS = 30

/**
 * One writer over all processes that share our database. It spares a writer the second attempt and is not what keeps
 * a store whole: a connection that breaks gives its locks back, and the catalogue takes one of two changes only.
 *
 * All locks of a process are held by one connection. A connection for each writer would let as many writers as there
 * are connections wait for each other, since each needs another one to commit.
 */
export function postgresLock(pool: pg.Pool, within: WriterLock, patienceMs = PATIENCE_MS): WriterLock {
  const session = sharedSession(pool)
  return {
    exclusive: (name, work) =>
      // A session may take a lock twice, so that writers of this process keep each other out first.
      within.exclusive(name, () =>
        session.use(async (query) => {
          await acquire(query, name, patienceMs)
          try {
            return await work()
          } finally {
            // A connection that broke has given it back by itself.
            await query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', name).catch(() => {})
          }
        }),
      ),
  }
}

type Query = (text: string, name: string) => Promise<boolean>

async function acquire(query: Query, name: string, patienceMs: number): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!(await query('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS answer', name))) {
    if (performance.now() > deadline) {
      throw new Problem('conflict', 'store.busy', 'Another process has been writing to this data store for too long.')
    }
    await pause(POLL_INTERVAL_MS)
  }
}

/** One connection for all who need one now; it goes back to the pool with the last of them. */
class Session {
  readonly #client: Promise<pg.PoolClient>
  readonly #onEnd: () => void
  #users = 0
  #isBroken = false

  constructor(pool: pg.Pool, onEnd: () => void) {
    this.#onEnd = onEnd
    this.#client = pool.connect()
    this.#client.then((client) => client.on('error', this.#breaks), this.#breaks)
  }

  async use<T>(work: (query: Query) => Promise<T>): Promise<T> {
    this.#users++
    try {
      const client = await this.#client
      return await work(async (text, name) => {
        const { rows } = await client.query<{ answer?: boolean }>(text, [name])
        return rows[0]?.answer === true
      })
    } finally {
      this.#users--
      if (this.#users === 0) await this.#release()
    }
  }

  async #release(): Promise<void> {
    this.#onEnd()
    const client = await this.#client.catch(() => undefined)
    client?.removeListener('error', this.#breaks)
    client?.release(this.#isBroken)
  }

  /** The connection is lost: further work gets another one. */
  readonly #breaks = (): void => {
    this.#isBroken = true
    this.#onEnd()
  }
}

function sharedSession(pool: pg.Pool): Pick<Session, 'use'> {
  let shared: Session | undefined
  return {
    use(work) {
      if (!shared) {
        const session: Session = new Session(pool, () => {
          if (shared === session) shared = undefined
        })
        shared = session
      }
      return shared.use(work)
    },
  }
}
