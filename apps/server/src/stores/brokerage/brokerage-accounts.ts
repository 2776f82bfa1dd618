import type { BrokerId } from '@tradewright/core/broker-catalogue'
import { mayBeRowId } from '@tradewright/core/row-id'
import type { Selectable } from 'kysely'
import type { BrokerageAccount, NewAccount, Verification, VerificationStatus } from '../../brokerage/account.ts'
import type { AccountRows } from '../../brokerage/ports.ts'
import { type Database, type DatabaseTransaction, withinTransaction } from '../database.ts'
import type { Tables } from '../tables.ts'

export function createAccountRows(database: Database | DatabaseTransaction): AccountRows {
  const owned = (userId: number) => database.selectFrom('brokerage_accounts').selectAll().where('user_id', '=', userId)
  const change = (userId: number, id: number) =>
    database.updateTable('brokerage_accounts').where('user_id', '=', userId).where('id', '=', id)
  return {
    async list(userId) {
      const rows = await owned(userId).orderBy('is_default', 'desc').orderBy('id').execute()
      return rows.map(toAccount)
    },

    async find(userId, id) {
      const row = mayBeRowId(id) ? await owned(userId).where('id', '=', id).executeTakeFirst() : undefined
      return row && toAccount(row)
    },

    insert: (userId, account, at, sealKeys) =>
      withinTransaction(database, async (transaction) => {
        await lockAccountsOf(transaction, userId)
        const isDefault = account.isDefault || !(await hasAccounts(transaction, userId))
        if (isDefault) await clearDefault(transaction, userId)
        const columns = { ...toColumns(account), ...(sealKeys && { sealed_keys: Buffer.alloc(0) }) }
        const values = { ...columns, is_default: isDefault, user_id: userId, created_at: at }
        const insert = transaction.insertInto('brokerage_accounts').values(values).returningAll()
        const inserted = toAccount(await insert.executeTakeFirstOrThrow())
        if (!sealKeys) return inserted
        const sealedKeys = sealKeys(inserted.id)
        await transaction
          .updateTable('brokerage_accounts')
          .set({ sealed_keys: sealedKeys })
          .where('id', '=', inserted.id)
          .execute()
        return { ...inserted, sealedKeys }
      }),

    async rename(userId, id, name) {
      const row = await change(userId, id).set({ name }).returningAll().executeTakeFirst()
      return row && toAccount(row)
    },

    setDefault: (userId, id) =>
      withinTransaction(database, async (transaction) => {
        await lockAccountsOf(transaction, userId)
        await clearDefault(transaction, userId)
        return makeDefault(transaction, userId, id)
      }),

    async setVerification(userId, id, verified, sealedKeys) {
      const keys = sealedKeys && { sealed_keys: sealedKeys }
      await change(userId, id)
        .set({ ...verificationColumns(verified), ...keys })
        .execute()
    },

    remove: (userId, id) =>
      withinTransaction(database, async (transaction) => {
        await lockAccountsOf(transaction, userId)
        const removed = await transaction
          .deleteFrom('brokerage_accounts')
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .returning('is_default')
          .executeTakeFirst()
        if (removed?.is_default) await promoteOldest(transaction, userId)
        return removed !== undefined
      }),

    async unverified() {
      const rows = await database
        .selectFrom('brokerage_accounts')
        .selectAll()
        .where('status', '=', 'not_verified')
        .orderBy('id')
        .execute()
      return rows.map(toAccount)
    },
  }
}

/** Which account is the default concerns all accounts of a user, so changes to them come one after the other. */
export async function lockAccountsOf(transaction: DatabaseTransaction, userId: number): Promise<void> {
  await transaction.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
}

async function hasAccounts(transaction: DatabaseTransaction, userId: number): Promise<boolean> {
  const query = transaction.selectFrom('brokerage_accounts').select('id').where('user_id', '=', userId).limit(1)
  return (await query.executeTakeFirst()) !== undefined
}

async function clearDefault(transaction: DatabaseTransaction, userId: number): Promise<void> {
  await transaction
    .updateTable('brokerage_accounts')
    .set({ is_default: false })
    .where('user_id', '=', userId)
    .where('is_default', '=', true)
    .execute()
}

async function makeDefault(transaction: DatabaseTransaction, userId: number, id: number): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('brokerage_accounts')
    .set({ is_default: true })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

async function promoteOldest(transaction: DatabaseTransaction, userId: number): Promise<void> {
  const oldest = await transaction
    .selectFrom('brokerage_accounts')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (oldest) await makeDefault(transaction, userId, oldest.id)
}

const verificationColumns = ({ status, reason, connectedAt, brokerAccountId }: Verification) => ({
  status,
  status_reason: reason,
  ...(connectedAt && { connected_at: connectedAt }),
  ...(brokerAccountId && { broker_account_id: brokerAccountId }),
})

const toColumns = (account: NewAccount) => ({
  name: account.name,
  broker: account.broker,
  is_paper: account.isPaper,
  sealed_keys: account.sealedKeys,
  status: account.status,
  status_reason: account.reason,
  connected_at: account.connectedAt,
  broker_account_id: account.brokerAccountId ?? null,
})

const toAccount = (row: Selectable<Tables['brokerage_accounts']>): BrokerageAccount => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  broker: row.broker as BrokerId,
  isPaper: row.is_paper,
  isDefault: row.is_default,
  sealedKeys: row.sealed_keys,
  status: row.status as VerificationStatus,
  reason: row.status_reason,
  connectedAt: row.connected_at,
  brokerAccountId: row.broker_account_id,
  createdAt: row.created_at,
})
