import { mayBeRowId } from '@tradewright/core/row-id'
import { type Selectable, sql } from 'kysely'
import type { ProposalStore } from '../../proposals/own-proposals.ts'
import type { Description, StoredProposal } from '../../proposals/proposal.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import { putEvent } from '../alerts/outgoing-events.ts'
import type { Tables } from '../tables.ts'

/** Carries the id of the user whose proposals changed. */
export const PROPOSALS_CHANNEL = 'proposal_changes'

export function createProposalStore(database: Database): ProposalStore {
  return {
    add: (userId, proposal, most) =>
      database.transaction().execute(async (transaction) => {
        // Two at the same moment are counted one after the other.
        await transaction.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
        if ((await countOpen(transaction, userId, proposal.createdAt)) >= most.open) return undefined
        const { id } = await transaction
          .insertInto('proposals')
          .values({
            user_id: userId,
            kind: proposal.kind,
            content: JSON.stringify(proposal.content),
            description: JSON.stringify(proposal.description),
            reason: proposal.reason,
            origin: proposal.origin,
            key_id: proposal.keyId,
            state: 'open',
            created_at: proposal.createdAt,
            expires_at: proposal.expiresAt,
          })
          .returning('id')
          .executeTakeFirstOrThrow()
        await removeOld(transaction, userId, proposal.createdAt, most.answered)
        await putEvent(transaction, userId, {
          event: 'proposal.made',
          key: `proposal.made:${id}`,
          subject: `Proposal: ${proposal.description.title}`,
          text: 'A proposal waits for you in Tradewright.',
          data: { proposal_id: id, kind: proposal.kind, origin: proposal.origin, title: proposal.description.title },
        })
        await announce(transaction, userId)
        return id
      }),
    async list(userId) {
      const rows = await database
        .selectFrom('proposals')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .execute()
      return rows.map(toProposal)
    },
    async find(userId, id) {
      if (!mayBeRowId(id)) return undefined
      const row = await database
        .selectFrom('proposals')
        .selectAll()
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .executeTakeFirst()
      return row && toProposal(row)
    },
    countOpen: (userId, now) => countOpen(database, userId, now),
    begin: (userId, id, now, description) =>
      changed(database, userId, (transaction) =>
        transaction
          .updateTable('proposals')
          .set({ state: 'accepting', answered_at: now, description: JSON.stringify(description) })
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .where('state', '=', 'open')
          .where('expires_at', '>', now)
          .executeTakeFirst(),
      ),
    answer: (userId, id, { state, at, outcome, link }) =>
      changed(database, userId, (transaction) =>
        transaction
          .updateTable('proposals')
          .set({ state, answered_at: at, outcome, link })
          .where('user_id', '=', userId)
          .where('id', '=', id)
          .where('state', '=', state === 'declined' ? 'open' : 'accepting')
          .executeTakeFirst(),
      ),
  }
}

const changed = (
  database: Database,
  userId: number,
  change: (transaction: DatabaseTransaction) => Promise<{ numUpdatedRows: bigint }>,
): Promise<boolean> =>
  database.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await change(transaction)
    if (numUpdatedRows > 0n) await announce(transaction, userId)
    return numUpdatedRows > 0n
  })

const announce = (transaction: DatabaseTransaction, userId: number) =>
  sql`SELECT pg_notify(${PROPOSALS_CHANNEL}, ${String(userId)})`.execute(transaction)

async function countOpen(database: Database | DatabaseTransaction, userId: number, now: Date): Promise<number> {
  const { count } = await database
    .selectFrom('proposals')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('user_id', '=', userId)
    .where('state', '=', 'open')
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Answered and expired ones past the newest. */
async function removeOld(transaction: DatabaseTransaction, userId: number, now: Date, most: number): Promise<void> {
  await sql`
    DELETE FROM proposals WHERE user_id = ${userId} AND id IN (
      SELECT id FROM proposals
      WHERE user_id = ${userId} AND state <> 'accepting' AND (state <> 'open' OR expires_at <= ${now})
      ORDER BY id DESC OFFSET ${most})`.execute(transaction)
}

const toProposal = (row: Selectable<Tables['proposals']>): StoredProposal => ({
  id: row.id,
  userId: row.user_id,
  kind: row.kind,
  content: row.content,
  description: row.description as Description,
  reason: row.reason,
  origin: row.origin,
  keyId: row.key_id,
  state: row.state as StoredProposal['state'],
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  answeredAt: row.answered_at,
  outcome: row.outcome,
  link: row.link,
})
