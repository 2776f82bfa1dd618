import { mayBeRowId } from '@tradewright/core/row-id'
import type { VariantResult } from '@tradewright/engine/study/evaluate'
import { sql } from 'kysely'
import type { JobFailure, JobProgress, JobState } from '../jobs/job.ts'
import { pieceJob } from '../studies/piece-job.ts'
import type { StudyStore, StudyWorkStore } from '../studies/ports.ts'
import type { StudyEnd, StudyItem, StudySettings, StudyOutcome } from '../studies/study.ts'
import type { Database, DatabaseTransaction } from './database.ts'
import { removeRunForUndo } from './deleted-rows.ts'

type Either = Database | DatabaseTransaction

/** Studies with how their jobs stand and how far they are. */
const studiesWithJobs = (database: Either) =>
  database
    .selectFrom('parameter_studies as study')
    .leftJoin('jobs as job', 'job.id', 'study.job_id')
    .leftJoin(
      (join) =>
        join
          .selectFrom('parameter_study_results')
          .select((row) => [
            'study_id',
            sql<number>`sum(count)::integer`.as('evaluated'),
            row.fn.sum<number>('seconds').as('seconds'),
          ])
          .groupBy('study_id')
          .as('done'),
      (join) => join.onRef('done.study_id', '=', 'study.id'),
    )
    .select([
      'study.id',
      'study.user_id',
      'study.job_id',
      'study.ended_as',
      'study.error',
      'study.created_at',
      'study.finished_at',
      'job.state as job_state',
      'job.progress as job_progress',
      'job.error as job_error',
      'done.evaluated',
      'done.seconds',
    ])

/** As a list shows it: the whole of a hundred orders would be read on the thread that answers. */
const listedSettings = sql<StudyItem['settings']>`jsonb_build_object(
  'strategyName', study.order -> 'strategyName', 'variants', study.order -> 'variants', 'labels', study.order -> 'labels',
  'request', jsonb_build_object('method', study.order #> '{request,method}', 'backtest', jsonb_build_object(
    'from', study.order #> '{request,backtest,from}', 'to', study.order #> '{request,backtest,to}')))`.as('listed')

type StudyRow = Awaited<ReturnType<ReturnType<typeof studiesWithJobs>['executeTakeFirstOrThrow']>>

const toItem = <Settings>(row: StudyRow, settings: Settings): Omit<StudyItem, 'settings'> & { settings: Settings } => ({
  id: row.id,
  userId: row.user_id,
  settings,
  jobId: row.job_id,
  endedAs: row.ended_as as StudyEnd | null,
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
  evaluated: row.evaluated ?? 0,
  seconds: row.seconds ?? 0,
})

async function resultsOf(database: Either, id: number): Promise<VariantResult[]> {
  const rows = await database
    .selectFrom('parameter_study_results')
    .select('results')
    .where('study_id', '=', id)
    .orderBy('first')
    .execute()
  return rows.flatMap(({ results }) => results as VariantResult[])
}

export function createStudyStore(database: Either): StudyStore {
  return {
    async add(userId, settings, at) {
      const row = await database
        .insertInto('parameter_studies')
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
      await database.updateTable('parameter_studies').set({ job_id: jobId }).where('id', '=', id).execute()
    },

    async list(userId) {
      const rows = await studiesWithJobs(database)
        .select(listedSettings)
        .where('study.user_id', '=', userId)
        .orderBy('study.created_at', 'desc')
        .orderBy('study.id', 'desc')
        .execute()
      return rows.map((row) => toItem(row, row.listed))
    },

    async find(userId, id) {
      if (!mayBeRowId(id)) return undefined
      const row = await studiesWithJobs(database)
        .select(['study.order', 'study.outcome'])
        .where('study.id', '=', id)
        .where('study.user_id', '=', userId)
        .executeTakeFirst()
      return row && { ...toItem(row, row.order as StudySettings), outcome: row.outcome as StudyOutcome | null }
    },

    remove: (userId, id) => removeRunForUndo(database, 'study', userId, id),

    results: (id) => resultsOf(database, id),
  }
}

/** Reads and writes of workers. */
export function createStudyWorkStore(database: Database): StudyWorkStore {
  return {
    async find(id, jobId) {
      const row = await database
        .selectFrom('parameter_studies')
        .select('order')
        .where('id', '=', id)
        .where('job_id', '=', jobId)
        .where('ended_as', 'is', null)
        .executeTakeFirst()
      return row?.order as StudySettings | undefined
    },

    async request(id) {
      const row = await database.selectFrom('parameter_studies').select('order').where('id', '=', id).executeTakeFirst()
      return (row?.order as StudySettings | undefined)?.request
    },

    async data(id) {
      const row = await database
        .selectFrom('parameter_study_data')
        .select('data')
        .where('study_id', '=', id)
        .executeTakeFirst()
      return row?.data
    },

    keepData: (id, jobId, data) =>
      whereOurs(database, id, jobId, async (transaction) => {
        await transaction
          .insertInto('parameter_study_data')
          .values({ study_id: id, data: Buffer.from(data) })
          .onConflict((conflict) => conflict.column('study_id').doNothing())
          .execute()
      }).then(() => undefined),

    results: (id) => resultsOf(database, id),

    addResults: (id, jobId, { first, results, seconds }) =>
      whereOurs(database, id, jobId, async (transaction) => {
        await transaction
          .insertInto('parameter_study_results')
          .values({ study_id: id, first, count: results.length, results: JSON.stringify(results), seconds })
          .execute()
      }),

    async end(id, jobId, { as, error, outcome, at }) {
      await whereOurs(database, id, jobId, async (transaction) => {
        await transaction
          .updateTable('parameter_studies')
          .set({ ended_as: as, error, outcome: outcome && JSON.stringify(outcome), finished_at: at })
          .where('id', '=', id)
          .execute()
        await transaction.deleteFrom('parameter_study_data').where('study_id', '=', id).execute()
        await finishedPieces(transaction).where('subject', '=', String(id)).execute()
      })
    },

    async forgetRemains() {
      const unfinished = database
        .selectFrom('parameter_studies as study')
        .innerJoin('jobs as job', 'job.id', 'study.job_id')
        .where('study.ended_as', 'is', null)
        .where('job.finished_at', 'is', null)
      await database
        .deleteFrom('parameter_study_data')
        .where('study_id', 'not in', unfinished.select('study.id'))
        .execute()
      await finishedPieces(database)
        .where('subject', 'not in', unfinished.select(sql<string>`study.id::text`.as('id')))
        .execute()
    },
  }
}

/** Their results are in the rows of their study. */
const finishedPieces = (database: Either) =>
  database.deleteFrom('jobs').where('kind', '=', pieceJob.kind).where('finished_at', 'is not', null)

/** Does the work under a lock that keeps the study with this job; false where it is not this job's, or has ended. */
function whereOurs(
  database: Database,
  id: number,
  jobId: string,
  work: (transaction: DatabaseTransaction) => Promise<void>,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const study = await transaction
      .selectFrom('parameter_studies')
      .select('id')
      .where('id', '=', id)
      .where('job_id', '=', jobId)
      .where('ended_as', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (study) await work(transaction)
    return study !== undefined
  })
}
