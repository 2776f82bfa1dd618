import { mayBeRowId } from '@tradewright/core/row-id'
import type {
  ConstructionItem,
  ConstructionSettings,
  ConstructionOutcome,
  ConstructionStore,
  ConstructionWorkStore,
} from '../construction/construction.ts'
import type { JobFailure, JobProgress, JobState } from '../jobs/job.ts'
import type { Database, DatabaseTransaction } from './database.ts'
import { removeRunForUndo } from './deleted-rows.ts'

type Either = Database | DatabaseTransaction

/** With how their jobs stand. */
const withJobs = (database: Either) =>
  database
    .selectFrom('portfolio_constructions as own')
    .leftJoin('jobs as job', 'job.id', 'own.job_id')
    .select([
      'own.id',
      'own.user_id',
      'own.order',
      'own.job_id',
      'own.ended_as',
      'own.error',
      'own.created_at',
      'own.finished_at',
      'job.state as job_state',
      'job.progress as job_progress',
      'job.error as job_error',
    ])

type Row = Awaited<ReturnType<ReturnType<typeof withJobs>['executeTakeFirstOrThrow']>>

const toItem = (row: Row): ConstructionItem => ({
  id: row.id,
  userId: row.user_id,
  settings: row.order as ConstructionSettings,
  jobId: row.job_id,
  endedAs: row.ended_as as ConstructionItem['endedAs'],
  error: row.error,
  createdAt: row.created_at,
  finishedAt: row.finished_at,
  job:
    row.job_state === null
      ? null
      : {
          state: row.job_state as JobState,
          progress: row.job_progress as JobProgress | null,
          error: row.job_error as JobFailure | null,
        },
})

export function createConstructionStore(database: Either): ConstructionStore {
  return {
    async add(userId, settings, at) {
      const row = await database
        .insertInto('portfolio_constructions')
        .values({
          user_id: userId,
          order: JSON.stringify(settings),
          job_id: null,
          ended_as: null,
          error: null,
          outcome: null,
          created_at: at,
          finished_at: null,
        })
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
