import { mayBeRowId } from '@tradewright/core/row-id'
import type { VariantResult } from '@tradewright/engine/study/evaluate'
import { sql } from 'kysely'
import { pieceJob } from '../../studies/study-job.ts'
import type { StudyStore, StudyWorkStore, StudyItem, StudyOutcome, StudySettings } from '../../studies/study.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import { removeRunForUndo } from '../deletions/deleted-rows.ts'
import { JOB_ITEM_COLUMNS, newJobItem, toJobItem } from '../jobs/job-rows.ts'

type Either = Database | DatabaseTransaction

/** Studies with how their jobs stand and how far they are. */
const studiesWithJobs = (database: Either) =>
  database
    .selectFrom('parameter_studies as own')
    .leftJoin('jobs as job', 'job.id', 'own.job_id')
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
      (join) => join.onRef('done.study_id', '=', 'own.id'),
    )
    .select([...JOB_ITEM_COLUMNS, 'done.evaluated', 'done.seconds'])

/** As a list shows it: the whole of a hundred orders would be read on the thread that answers. */
const listedSettings = sql<StudyItem['settings']>`jsonb_build_object(
  'strategyName', own.order -> 'strategyName', 'variants', own.order -> 'variants', 'labels', own.order -> 'labels',
  'request', jsonb_build_object('method', own.order #> '{request,method}', 'backtest', jsonb_build_object(
    'from', own.order #> '{request,backtest,from}', 'to', own.order #> '{request,backtest,to}')))`.as('listed')

type StudyRow = Awaited<ReturnType<ReturnType<typeof studiesWithJobs>['executeTakeFirstOrThrow']>>

const toItem = <Settings>(row: StudyRow, settings: Settings): Omit<StudyItem, 'settings'> & { settings: Settings } => ({
  ...toJobItem(row),
  settings,
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
        .values(newJobItem(userId, settings, at))
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
        .where('own.user_id', '=', userId)
        .orderBy('own.created_at', 'desc')
        .orderBy('own.id', 'desc')
        .execute()
      return rows.map((row) => toItem(row, row.listed))
    },

    async find(userId, id) {
      if (!mayBeRowId(id)) return undefined
      const row = await studiesWithJobs(database)
        .select(['own.order', 'own.outcome'])
        .where('own.id', '=', id)
        .where('own.user_id', '=', userId)
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
