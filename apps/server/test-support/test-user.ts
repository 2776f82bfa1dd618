import type { Database } from '../src/stores/database.ts'

/** A user row for what belongs to somebody; nobody signs in with it. */
export async function createTestUser(database: Database, username: string): Promise<number> {
  const { id } = await database
    .insertInto('users')
    .values({
      username,
      username_key: username.toLowerCase(),
      email: '',
      email_key: '',
      password_hash: 'none',
      password_enabled: true,
      created_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
