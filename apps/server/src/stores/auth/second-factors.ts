import { sql } from 'kysely'
import type { Factor, SecondFactorStore } from '../../auth/second-factor.ts'
import { type Seal, type SealedPlace, Unreadable } from '../../secrets/seal.ts'
import type { Database, DatabaseTransaction } from '../database.ts'

const placeOf = (userId: number, id: string): SealedPlace => ({ table: 'second_factors', row: id, userId })

export function createSecondFactorStore(database: Database, seal: Seal): SecondFactorStore {
  return {
    async hasAny(userId) {
      const found = await database
        .selectFrom('second_factors')
        .select('id')
        .where('user_id', '=', userId)
        .limit(1)
        .executeTakeFirst()
      return found !== undefined
    },
    async list(userId) {
      const rows = await database
        .selectFrom('second_factors')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('created_at')
        .execute()
      return rows.map((row): Factor => ({
        id: row.id,
        kind: row.kind === 'totp' ? 'totp' : 'passkey',
        name: row.name,
        createdAt: row.created_at,
        lastUsedAt: row.last_used_at,
        secret: row.sealed_secret === null ? undefined : opened(seal, placeOf(userId, row.id), row.sealed_secret),
        passkey:
          row.credential_id === null
            ? undefined
            : {
                credentialId: row.credential_id,
                publicKey: row.public_key!,
                signCount: row.sign_count!,
                transports: row.transports!,
                domain: row.domain!,
              },
      }))
    },
    insert: (userId, { id, kind, name, createdAt, secret, passkey }, codeHashes, most) =>
      changed(database, userId, async (transaction) => {
        const { count } = await transaction
          .selectFrom('second_factors')
          .select(({ fn }) => fn.countAll<string>().as('count'))
          .where('user_id', '=', userId)
          .executeTakeFirstOrThrow()
        if (Number(count) >= most) return undefined
        await transaction
          .insertInto('second_factors')
          .values({
            id,
            user_id: userId,
            kind,
            name,
            created_at: createdAt,
            sealed_secret: secret === undefined ? null : seal.seal(placeOf(userId, id), secret),
            credential_id: passkey?.credentialId ?? null,
            public_key: passkey?.publicKey ?? null,
            sign_count: passkey?.signCount ?? null,
            transports: passkey ? [...passkey.transports] : null,
            domain: passkey?.domain ?? null,
          })
          .execute()
        if (Number(count) > 0) return false
        await replaceCodes(transaction, userId, codeHashes)
        return true
      }),
    remove: (userId, id) =>
      changed(database, userId, async (transaction) => {
        // Compared as text: an id that is no uuid finds nothing, and is no error.
        const { rows } = await sql<{ name: string }>`
          DELETE FROM second_factors WHERE user_id = ${userId} AND id::text = ${id} RETURNING name`.execute(transaction)
        await sql`
          DELETE FROM recovery_codes WHERE user_id = ${userId}
            AND NOT EXISTS (SELECT FROM second_factors WHERE user_id = ${userId})`.execute(transaction)
        return rows[0]?.name
      }),
    removeAll: (userId) =>
      changed(database, userId, async (transaction) => {
        for (const table of ['second_factors', 'recovery_codes', 'factor_challenges'] as const) {
          await transaction.deleteFrom(table).where('user_id', '=', userId).execute()
        }
      }),
    async useStep(id, step, at) {
      const { numUpdatedRows } = await database
        .updateTable('second_factors')
        .set({ last_step: step, last_used_at: at })
        .where('id', '=', id)
        .where((row) => row.or([row('last_step', 'is', null), row('last_step', '<', step)]))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async usePasskey(id, before, signCount, at) {
      const { numUpdatedRows } = await database
        .updateTable('second_factors')
        .set({ sign_count: signCount, last_used_at: at })
        .where('id', '=', id)
        .where('sign_count', '=', before)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async useRecoveryCode(userId, codeHash) {
      const { numUpdatedRows } = await database
        .updateTable('recovery_codes')
        .set({ used_at: sql<Date>`now()` })
        .where('user_id', '=', userId)
        .where('code_hash', '=', codeHash)
        .where('used_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    async recoveryCodesLeft(userId) {
      const { count } = await database
        .selectFrom('recovery_codes')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('user_id', '=', userId)
        .where('used_at', 'is', null)
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    replaceRecoveryCodes: (userId, codeHashes) =>
      changed(database, userId, (transaction) => replaceCodes(transaction, userId, codeHashes)),
    async saveChallenge(key, { userId, challenge, passwordHash, returnPath }, expiresAt) {
      const values = {
        user_id: userId,
        challenge,
        password_hash: passwordHash,
        return_path: returnPath,
        expires_at: expiresAt,
      }
      await database
        .insertInto('factor_challenges')
        .values({ key_hash: key, ...values })
        .onConflict((conflict) => conflict.column('key_hash').doUpdateSet(values))
        .execute()
    },
    async findChallenge(key, now) {
      const row = await database
        .selectFrom('factor_challenges')
        .selectAll()
        .where('key_hash', '=', key)
        .where('expires_at', '>', now)
        .executeTakeFirst()
      return (
        row && {
          userId: row.user_id,
          challenge: row.challenge,
          passwordHash: row.password_hash,
          returnPath: row.return_path,
        }
      )
    },
    async endChallenge(key) {
      const { numDeletedRows } = await database
        .deleteFrom('factor_challenges')
        .where('key_hash', '=', key)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
    async removeExpired(now) {
      await database.deleteFrom('factor_challenges').where('expires_at', '<=', now).execute()
    },
  }
}

/** An app whose secret cannot be opened any more gives no right code; the others and recovery codes work. */
function opened(seal: Seal, place: SealedPlace, sealed: Buffer): string | undefined {
  try {
    return seal.open(place, sealed)
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

/** Changes of one user come one after the other. */
const changed = <Result>(
  database: Database,
  userId: number,
  change: (transaction: DatabaseTransaction) => Promise<Result>,
): Promise<Result> =>
  database.transaction().execute(async (transaction) => {
    await transaction.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
    return change(transaction)
  })

async function replaceCodes(transaction: DatabaseTransaction, userId: number, hashes: readonly Buffer[]) {
  await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await transaction
    .insertInto('recovery_codes')
    .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash })))
    .execute()
}
