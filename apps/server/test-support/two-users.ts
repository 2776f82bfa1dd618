import { afterAll, beforeAll } from 'vitest'
import { z } from 'zod'
import { createTestDatabase, type TestDatabase } from './test-database.ts'
import { createTestUser } from './test-user.ts'

interface TwoUsers extends TestDatabase {
  ann: number
  bob: number
}

/** A database with two users, for the tests of one file; filled before the first of them. */
export function withTwoUsers(): TwoUsers {
  const world = {} as TwoUsers
  beforeAll(async () => {
    const test = await createTestDatabase()
    const [ann, bob] = [await createTestUser(test.database, 'ann'), await createTestUser(test.database, 'bob')]
    Object.assign(world, test, { ann, bob })
  })
  afterAll(() => world.close())
  return world
}

/** For kinds of jobs that need no input. */
export const Nothing = z.object({})
export const nothing = { userId: 0, subject: 'a test', input: {} }
