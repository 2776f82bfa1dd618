import { type Selectable, sql } from 'kysely'
import type { Admission, NewUser, UserStore } from '../../auth/ports.ts'
import type { Account, EmailState, SignInMethods } from '../../auth/user.ts'
import { errorCode } from '../../system-error.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import type { Tables } from '../tables.ts'

export const UNIQUE_VIOLATION = '23505'

export function createUserStore(database: Database): UserStore {
  const all = () => database.selectFrom('users').selectAll()
  return {
    insert: (user, admission) =>
      admission.kind === 'anybody'
        ? insertUser(database, user)
        : database.transaction().execute(async (transaction) => {
            if (!(await isAdmitted(transaction, admission, user.createdAt))) return 'not admitted'
            const inserted = await insertUser(transaction, user)
            if (inserted !== 'taken') await useUp(transaction, admission)
            return inserted
          }),
    hasAny: () => hasAny(database),
    find: async (id) => maybeAccount(await all().where('id', '=', id).executeTakeFirst()),
    async findByLogin(key) {
      const rows = await all()
        .where((where) =>
          where.or([
            where('username_key', '=', key),
            where.and([where('email_key', '=', key), where('email_state', 'in', SIGN_IN_STATES)]),
          ]),
        )
        .execute()
      const claim = (row: Row) =>
        row.email_key === key && row.email_state === 'verified' ? 0 : row.username_key === key ? 1 : 2
      return rows.sort((one, other) => claim(one) - claim(other)).map(toAccount)
    },
    findByGoogleSubject: async (subject) =>
      maybeAccount(await all().where('google_subject', '=', subject).executeTakeFirst()),
    isSignInEmail: (key) => hasEmail(database, key, SIGN_IN_STATES),
    isVerifiedEmail: (key) => hasEmail(database, key, ['verified']),
    async verifyEmail(id, emailKey) {
      try {
        await database
          .updateTable('users')
          .set({ email_state: 'verified' })
          .where('id', '=', id)
          .where('email_key', '=', emailKey)
          .execute()
        return true
      } catch (error) {
        if (errorCode(error) === UNIQUE_VIOLATION) return false
        throw error
      }
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
    async remove(id, removableStates) {
      return database.transaction().execute(async (transaction) => {
        // No deployment of the user is made or started until they are gone.
        await transaction.selectFrom('users').select('id').where('id', '=', id).forUpdate().execute()
        const deployments = await transaction
          .selectFrom('deployments')
          .select(['name', 'status'])
          .where('user_id', '=', id)
          .where('deleted_at', 'is', null)
          .orderBy('id')
          .forUpdate()
          .execute()
        const trading = deployments.filter(({ status }) => !removableStates.includes(status)).map(({ name }) => name)
        if (trading.length === 0) await transaction.deleteFrom('users').where('id', '=', id).execute()
        return trading
      })
    },
  }
}

const SIGN_IN_STATES: readonly EmailState[] = ['accepted', 'verified']
/** Any number will do, as long as no other lock has it. */
const FIRST_ACCOUNT_LOCK = 7_241_944

async function insertUser(database: Database | DatabaseTransaction, user: NewUser): Promise<Account | 'taken'> {
  const row = await database
    .insertInto('users')
    .values({
      username: user.username,
      username_key: user.usernameKey,
      email: user.email,
      email_key: user.emailKey,
      email_state: user.emailState,
      ...toColumns(user.signIn),
      created_at: user.createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  return row ? toAccount(row) : 'taken'
}

async function isAdmitted(transaction: DatabaseTransaction, admission: Admission, now: Date): Promise<boolean> {
  if (admission.kind === 'invitation' && (await lockInvitation(transaction, admission.tokenHash, now))) return true
  // Two first accounts at the same moment: the second waits here, and then is not the first.
  await sql`SELECT pg_advisory_xact_lock(${FIRST_ACCOUNT_LOCK})`.execute(transaction)
  return !(await hasAny(transaction))
}

/** When two use the same invitation at the same moment, the second waits for the first and then finds none. */
async function lockInvitation(transaction: DatabaseTransaction, tokenHash: Buffer, now: Date): Promise<boolean> {
  const row = await transaction
    .selectFrom('invitations')
    .select('token_hash')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

async function useUp(transaction: DatabaseTransaction, admission: Admission): Promise<void> {
  if (admission.kind !== 'invitation') return
  await transaction.deleteFrom('invitations').where('token_hash', '=', admission.tokenHash).execute()
}

async function hasAny(database: Database | DatabaseTransaction): Promise<boolean> {
  return (await database.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

async function hasEmail(database: Database, key: string, states: readonly EmailState[]): Promise<boolean> {
  const found = await database
    .selectFrom('users')
    .select('id')
    .where('email_key', '=', key)
    .where('email_state', 'in', states)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
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

const maybeAccount = (row: Row | undefined): Account | null => (row ? toAccount(row) : null)

const toAccount = (row: Row): Account => ({
  id: row.id,
  username: row.username,
  email: row.email,
  emailState: row.email_state as EmailState,
  signIn: toSignInMethods(row),
})

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
