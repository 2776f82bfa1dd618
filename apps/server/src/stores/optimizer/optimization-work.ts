import { sql } from 'kysely'
import { chunkJob } from '../../optimizer/evaluators.ts'
import type { OptimizationSettings, StoredChoice, RunWorkStore } from '../../optimizer/run.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import { generationColumns, runsWithJobs, talliesOf, toGeneration, toRun } from './optimization-runs.ts'

/** Reads and writes of workers. A write of a job that no longer owns the run changes nothing. */
export function createRunWorkStore(database: Database): RunWorkStore {
  return {
    async find(runId, jobId) {
      const row = await runsWithJobs(database)
        .select(['run.candidates', 'run.outcome'])
        .where('run.id', '=', runId)
        .where('run.job_id', '=', jobId)
        .executeTakeFirst()
      return row && toRun(row, (await talliesOf(database, [runId])).get(runId) ?? null)
    },

    async request(runId) {
      const row = await database
        .selectFrom('optimization_runs')
        .select('order')
        .where('id', '=', runId)
        .executeTakeFirst()
      return (row?.order as OptimizationSettings | undefined)?.request
    },

    async data(runId) {
      const row = await database
        .selectFrom('optimization_data')
        .select('data')
        .where('run_id', '=', runId)
        .executeTakeFirst()
      return row?.data
    },

    keepData: (runId, jobId, { data, isSynthetic }) =>
      whereOurs(database, runId, jobId, async (transaction) => {
        await transaction
          .updateTable('optimization_runs')
          .set({ synthetic: isSynthetic })
          .where('id', '=', runId)
          .execute()
        await transaction
          .insertInto('optimization_data')
          .values({ run_id: runId, data: Buffer.from(data) })
          .onConflict((conflict) => conflict.column('run_id').doNothing())
          .execute()
      }).then(() => undefined),

    async generations(runId) {
      const rows = await database
        .selectFrom('optimization_generations')
        .selectAll()
        .where('run_id', '=', runId)
        .orderBy('number')
        .execute()
      return rows.map(toGeneration)
    },

    addGeneration: (runId, jobId, generation) =>
      whereOurs(database, runId, jobId, async (transaction) => {
        await transaction
          .insertInto('optimization_generations')
          .values({ run_id: runId, ...generationColumns(generation) })
          .onConflict((conflict) => conflict.columns(['run_id', 'number']).doNothing())
          .execute()
      }),

    async choices(runId) {
      const row = await database
        .selectFrom('optimization_data')
        .select('nested_choices')
        .where('run_id', '=', runId)
        .executeTakeFirst()
      return (row?.nested_choices as StoredChoice[] | undefined) ?? []
    },

    addChoice: (runId, jobId, choice) =>
      whereOurs(database, runId, jobId, async (transaction) => {
        await transaction
          .updateTable('optimization_data')
          .set({ nested_choices: sql`nested_choices || ${JSON.stringify([choice])}::jsonb` })
          .where('run_id', '=', runId)
          .execute()
      }),

    async end(runId, jobId, { as, error, errorCode, outcome, at }) {
      await whereOurs(database, runId, jobId, async (transaction) => {
        await transaction
          .updateTable('optimization_runs')
          .set({
            ended_as: as,
            error,
            error_code: errorCode,
            outcome: outcome && JSON.stringify(outcome),
            finished_at: at,
          })
          .where('id', '=', runId)
          .execute()
        await transaction.deleteFrom('optimization_data').where('run_id', '=', runId).execute()
        await finishedParts(transaction).where('subject', '=', String(runId)).execute()
      })
    },

    unsettled: () =>
      database
        .selectFrom('optimization_runs as run')
        .leftJoin('jobs as job', 'job.id', 'run.job_id')
        .select(['run.id', 'run.user_id as userId'])
        .where('run.ended_as', 'is', null)
        .where('run.paused', '=', false)
        .where((row) => row.or([row('job.state', 'is', null), row('job.finished_at', 'is not', null)]))
        .execute(),

    async forgetParts() {
      const unfinished = sql<string>`(SELECT id::text FROM optimization_runs WHERE ended_as IS NULL)`
      await finishedParts(database).where('subject', 'not in', unfinished).execute()
    },
  }
}

/** Findings of parts are in the generations of their run; a hundred finished jobs a run would lie about for months. */
const finishedParts = (database: Database | DatabaseTransaction) =>
  database.deleteFrom('jobs').where('kind', '=', chunkJob.kind).where('finished_at', 'is not', null)

/** Does the work under a lock that keeps the run with this job; false where it is not this job's, or has ended. */
function whereOurs(
  database: Database,
  runId: number,
  jobId: string,
  work: (transaction: DatabaseTransaction) => Promise<void>,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const run = await transaction
      .selectFrom('optimization_runs')
      .select('id')
      .where('id', '=', runId)
      .where('job_id', '=', jobId)
      .where('ended_as', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (run) await work(transaction)
    return run !== undefined
  })
}
