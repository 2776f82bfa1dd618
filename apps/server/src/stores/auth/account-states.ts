import { sql } from 'kysely'
import type { AccountStateStore } from '../../auth/account-actions.ts'
import type { Actor } from '../../live-trading/actor.ts'
import type { Deployment } from '../../live-trading/deployment.ts'
import { isStoppable } from '../../live-trading/stops/record-stops.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import { announced, isUnfinished, now } from '../jobs/job-rows.ts'
import { createDeploymentStore } from '../live-trading/deployments.ts'
import { createJournalStore } from '../live-trading/journal.ts'
import { SESSION_REVOKED_CHANNEL } from './sessions.ts'

/** Announces the id of a user whose calls under way are to end in every process. */
export const ACCOUNT_CLOSED_CHANNEL = 'account_closed'

const OPERATOR: Actor = { kind: 'system', name: 'the operator of this server', session: null }

export function createAccountStateStore(database: Database): AccountStateStore {
  return {
    suspend: (userId, at) =>
      database.transaction().execute(async (transaction) => {
        // From here on no session of theirs is opened.
        await sql`UPDATE users SET suspended_at = ${at} WHERE id = ${userId} AND suspended_at IS NULL`.execute(
          transaction,
        )
        await sql`
          WITH ended AS (DELETE FROM sessions WHERE user_id = ${userId} RETURNING id)
          SELECT pg_notify(${SESSION_REVOKED_CHANNEL}, id::text) FROM (
            SELECT id FROM ended UNION ALL SELECT id FROM api_keys WHERE user_id = ${userId} AND revoked_at IS NULL
          ) AS credentials`.execute(transaction)
        await sql`SELECT pg_notify(${ACCOUNT_CLOSED_CHANNEL}, ${String(userId)})`.execute(transaction)
        await changeDeployments(transaction, userId, at, ({ status }) => status === 'running', {
          sentence: 'Paused by the operator of this server, who suspended the account; open orders stay open.',
          change: { status: 'paused', statusAt: at, nextRunAt: null, healthProblem: null, runMissedAt: null },
        })
        await transaction
          .updateTable('jobs')
          .set({
            cancel_requested: true,
            updated_at: now,
            state: sql`CASE state WHEN 'queued' THEN 'cancelled' ELSE state END`,
            finished_at: sql`CASE state WHEN 'queued' THEN ${now} END`,
          })
          .where('user_id', '=', userId)
          .where(isUnfinished)
          .returning(announced('cancel'))
          .execute()
      }),
    async lift(userId) {
      await database.updateTable('users').set({ suspended_at: null }).where('id', '=', userId).execute()
    },
    stopDeployments: (userId, at) =>
      database.transaction().execute((transaction) =>
        changeDeployments(transaction, userId, at, isStoppable, {
          sentence: 'Stopped by the operator of this server; open orders are cancelled, positions are kept.',
          change: {
            status: 'stopped',
            statusAt: at,
            nextRunAt: null,
            emergencyStoppedAt: at,
            liquidatingSince: null,
            runMissedAt: null,
          },
        }),
      ),
  }
}

async function changeDeployments(
  transaction: DatabaseTransaction,
  userId: number,
  at: Date,
  which: (deployment: Deployment) => boolean,
  { change, sentence }: { change: Parameters<ReturnType<typeof createDeploymentStore>['change']>[1]; sentence: string },
): Promise<void> {
  const deployments = createDeploymentStore(transaction)
  const journal = createJournalStore(transaction)
  for (const { id } of await deployments.list(userId)) {
    // A start that is under way is waited for.
    const deployment = await deployments.lock(userId, id)
    if (!deployment || !which(deployment)) continue
    await deployments.change(id, change)
    const activity = { type: 'event', level: 'warning', message: sentence, actor: OPERATOR } as const
    await journal.tell([{ deploymentId: id, at, activity }])
  }
}
