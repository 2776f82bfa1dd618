import type { Database } from '../src/stores/database.ts'

/** A user row that owns test data; it cannot sign in. */
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
