import type { Selectable } from 'kysely'
import type { UserStore } from '../auth/ports.ts'
import type { Account, SignInMethods } from '../auth/user.ts'
import { errorCode } from '../system-error.ts'
import type { Database } from './database.ts'
import type { Tables } from './tables.ts'

const UNIQUE_VIOLATION = '23505'

export function createUserStore(database: Database): UserStore {
  const all = () => database.selectFrom('users').selectAll()
  return {
    async insert({ username, usernameKey, email, emailKey, signIn, createdAt }) {
      const row = await database
        .insertInto('users')
        .values({
          username,
          username_key: usernameKey,
          email,
          email_key: emailKey,
          ...toColumns(signIn),
          created_at: createdAt,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst()
      return toAccount(row)
    },
    find: async (id) => toAccount(await all().where('id', '=', id).executeTakeFirst()),
    async findByLogin(key) {
      const byUsername = await all().where('username_key', '=', key).executeTakeFirst()
      if (byUsername) return toAccount(byUsername)
      const byEmail = await all().where('email_key', '=', key).limit(2).execute()
      return byEmail.length === 1 ? toAccount(byEmail[0]) : null
    },
    findByGoogleSubject: async (subject) =>
      toAccount(await all().where('google_subject', '=', subject).executeTakeFirst()),
    async isKnown(key) {
      const known = await database
        .selectFrom('users')
        .select('id')
        .where((where) => where.or([where('username_key', '=', key), where('email_key', '=', key)]))
        .limit(1)
        .executeTakeFirst()
      return known !== undefined
    },
    async changeSignIn(id, decide) {
      try {
        await changeLocked(database, id, decide)
        return true
      } catch (error) {
        if (errorCode(error) === UNIQUE_VIOLATION) return false
        throw error
      }
    },
    async remove(id) {
      await database.deleteFrom('users').where('id', '=', id).execute()
    },
  }
}

const changeLocked = (database: Database, id: number, decide: (now: SignInMethods) => SignInMethods) =>
  database.transaction().execute(async (transaction) => {
    const row = await transaction
      .selectFrom('users')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const chosen = decide(toSignInMethods(row))
    await transaction.updateTable('users').set(toColumns(chosen)).where('id', '=', id).execute()
  })

type Row = Selectable<Tables['users']>

function toAccount(row: Row | undefined): Account | null {
  if (!row) return null
  const { id, username, email } = row
  return { id, username, email, signIn: toSignInMethods(row) }
}

function toSignInMethods(row: Row): SignInMethods {
  const { google_subject: subject, google_email: email } = row
  return {
    passwordHash: row.password_hash,
    isPasswordEnabled: row.password_enabled,
    google: subject === null ? null : { subject, email: email ?? '' },
  }
}

function toColumns({ passwordHash, isPasswordEnabled, google }: SignInMethods) {
  return {
    password_hash: passwordHash,
    password_enabled: isPasswordEnabled,
    google_subject: google?.subject ?? null,
    google_email: google?.email ?? null,
  }
}
