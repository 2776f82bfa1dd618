import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../test-support/test-database.ts'
import { createAttemptCounters } from './attempt-counters.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.close())

const at = (minute: number) => new Date(Date.UTC(2026, 2, 2, 12, minute))

it('counts attempts that come at the same moment', async () => {
  const counters = createAttemptCounters(test.database)
  await Promise.all(Array.from({ length: 20 }, () => counters.add('a', at(0), at(15))))
  expect(await counters.read('a', at(1))).toEqual({ attempts: 20, windowEndsAt: at(15) })
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
