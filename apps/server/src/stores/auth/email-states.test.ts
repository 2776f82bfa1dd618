import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test-support/test-database.ts'
import { up } from '../migrations/0029-verified-emails.ts'
import { createUserStore } from './users.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
  await sql`ALTER TABLE users DROP COLUMN email_state`.execute(test.database)
  await sql`DROP TABLE email_verifications`.execute(test.database)
})
afterAll(() => test.close())

async function olderUser(username: string, email: string, google?: string): Promise<void> {
  await sql`
    INSERT INTO users (username, username_key, email, email_key, password_hash, password_enabled, google_subject,
                       google_email, created_at)
    VALUES (${username}, ${username}, ${email}, ${email}, 'none', true, ${google ?? null}, ${google ?? null}, now())
  `.execute(test.database)
}

it('keeps every sign-in by e-mail that worked before, and trusts addresses of Google', async () => {
  await olderUser('ann', 'ann@example.com')
  await olderUser('bob', 'shared@example.com')
  await olderUser('carl', 'shared@example.com')
  await olderUser('dora@example.com', 'dora@example.com')
  await olderUser('squatter', 'dora@example.com')
  await olderUser('emil', 'emil@example.com', 'emil@example.com')
  await up(test.database as unknown as Kysely<unknown>)
  const users = createUserStore(test.database)
  const found = async (login: string) => (await users.findByLogin(login)).map((one) => [one.username, one.emailState])
  expect(await found('ann@example.com')).toEqual([['ann', 'accepted']])
  expect(await found('shared@example.com')).toEqual([])
  expect(await found('bob')).toEqual([['bob', 'unverified']])
  expect(await found('dora@example.com')).toEqual([['dora@example.com', 'accepted']])
  expect(await found('emil@example.com')).toEqual([['emil', 'verified']])
})
