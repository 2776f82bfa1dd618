import { mayBeRowId } from '@tradewright/core/row-id'
import type {
  ConstructionItem,
  ConstructionSettings,
  ConstructionOutcome,
  ConstructionStore,
  ConstructionWorkStore,
} from '../../construction/construction.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import { removeRunForUndo } from '../deletions/deleted-rows.ts'
import { JOB_ITEM_COLUMNS, newJobItem, toJobItem } from '../jobs/job-rows.ts'

type Either = Database | DatabaseTransaction

/** Constructions joined with the states of their jobs. */
const withJobs = (database: Either) =>
  database
    .selectFrom('portfolio_constructions as own')
    .leftJoin('jobs as job', 'job.id', 'own.job_id')
    .select([...JOB_ITEM_COLUMNS, 'own.order'])

type Row = Awaited<ReturnType<ReturnType<typeof withJobs>['executeTakeFirstOrThrow']>>

const toItem = (row: Row): ConstructionItem => ({ ...toJobItem(row), settings: row.order as ConstructionSettings })

export function createConstructionStore(database: Either): ConstructionStore {
  return {
    async add(userId, settings, at) {
      const row = await database
        .insertInto('portfolio_constructions')
        .values(newJobItem(userId, settings, at))
        .returning('id')
        .executeTakeFirstOrThrow()
      return row.id
    },

    async setJob(id, jobId) {
      await database.updateTable('portfolio_constructions').set({ job_id: jobId }).where('id', '=', id).execute()
    },

    async list(userId) {
      const rows = await withJobs(database)
        .where('own.user_id', '=', userId)
        .orderBy('own.created_at', 'desc')
        .orderBy('own.id', 'desc')
        .execute()
      return rows.map(toItem)
    },

    async find(userId, id) {
      if (!mayBeRowId(id)) return undefined
      const row = await withJobs(database)
        .select('own.outcome')
        .where('own.id', '=', id)
        .where('own.user_id', '=', userId)
        .executeTakeFirst()
      return row && { ...toItem(row), outcome: row.outcome as ConstructionOutcome | null }
    },

    remove: (userId, id) => removeRunForUndo(database, 'construction', userId, id),
  }
}

/** Reads and writes of workers. */
export function createConstructionWorkStore(database: Database): ConstructionWorkStore {
  return {
    async settings(id, jobId) {
      const row = await database
        .selectFrom('portfolio_constructions')
        .select('order')
        .where('id', '=', id)
        .where('job_id', '=', jobId)
        .where('ended_as', 'is', null)
        .executeTakeFirst()
      return row?.order as ConstructionSettings | undefined
    },

    async end(id, jobId, { as, error, outcome, at }) {
      await database
        .updateTable('portfolio_constructions')
        .set({ ended_as: as, error, outcome: outcome && JSON.stringify(outcome), finished_at: at })
        .where('id', '=', id)
        .where('job_id', '=', jobId)
        .where('ended_as', 'is', null)
        .execute()
    },
  }
}
