import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { createAttemptCounters } from './attempt-counters.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

async function waitingStatements(client: pg.ClientBase): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  )
  return rows[0]!.count
}

const at = (minute: number) => new Date(Date.UTC(2026, 2, 2, 12, minute))

it('counts attempts that come at the same moment', async () => {
  const counters = createAttemptCounters(test.database)
  await Promise.all(Array.from({ length: 20 }, () => counters.add('a', at(0), at(15))))
  expect(await counters.read('a', at(1))).toEqual({ attempts: 20, windowEndsAt: at(15) })
})

it('counts a flood on one subject over few connections, each attempt with its own number', async () => {
  const counters = createAttemptCounters(test.database)
  const blocker = await test.pool.connect()
  try {
    await counters.add('flood', at(0), at(15))
    await blocker.query('BEGIN')
    await blocker.query("SELECT FROM attempt_counters WHERE subject = 'flood' FOR UPDATE")
    const counted = Array.from({ length: 100 }, () => counters.add('flood', at(1), at(16)))
    // The row is locked: others that ask the database are answered all the same.
    await expect.poll(() => waitingStatements(blocker)).toBe(1)
    await counters.read('other', at(1))
    expect(await waitingStatements(blocker)).toBe(1)
    await blocker.query('COMMIT')
    const numbers = (await Promise.all(counted)).map(({ attempts }) => attempts)
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i + 2))
    expect(await counters.read('flood', at(2))).toEqual({ attempts: 101, windowEndsAt: at(15) })
  } finally {
    blocker.release()
  }
})

it('tells a failure to those who were counted with it, and goes on', async () => {
  const counters = createAttemptCounters(test.database)
  const tooLongAgo = new Date(-8.64e15)
  const failed = await Promise.allSettled([counters.add('c', at(0), tooLongAgo), counters.add('c', at(0), at(15))])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await counters.add('c', at(0), at(15))).toEqual({ attempts: 1, windowEndsAt: at(15) })
})

it('keeps the window that the first attempt began, and begins another after it', async () => {
  const counters = createAttemptCounters(test.database)
  await counters.add('b', at(0), at(15))
  expect(await counters.add('b', at(14), at(29))).toEqual({ attempts: 2, windowEndsAt: at(15) })
  expect(await counters.read('b', at(15))).toBeNull()
  expect(await counters.add('b', at(15), at(30))).toEqual({ attempts: 1, windowEndsAt: at(30) })
})

it('removes windows that have ended, and those alone', async () => {
  const counters = createAttemptCounters(test.database)
  await counters.add('ended', at(0), at(15))
  await counters.add('running', at(0), at(16))
  await counters.removeEnded(at(15))
  const left = await test.database.selectFrom('attempt_counters').select('subject').execute()
  expect(left.map((row) => row.subject)).toContain('running')
  expect(left.map((row) => row.subject)).not.toContain('ended')
})
