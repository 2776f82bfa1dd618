import { mayBeRowId } from '@tradewright/core/row-id'
import type { OptimizationRunStore } from '../../optimizer/ports.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import { removeRunForUndo } from '../deletions/deleted-rows.ts'
import { listedOutcome, runsWithJobs, talliesOf, toGeneration, toItem, toRun } from './optimization-rows.ts'

export function createOptimizationRunStore(database: Database | DatabaseTransaction): OptimizationRunStore {
  const find = async (userId: number, id: number, isLocked: boolean) => {
    if (!mayBeRowId(id)) return undefined
    const query = runsWithJobs(database)
      .select(['run.candidates', 'run.outcome'])
      .where('run.id', '=', id)
      .where('run.user_id', '=', userId)
    const row = await (isLocked ? query.forUpdate('run') : query).executeTakeFirst()
    return row && toRun(row, (await talliesOf(database, [id])).get(id) ?? null)
  }
  const change = (id: number, values: { paused?: boolean; cancel_requested?: boolean; job_id?: string }) =>
    database.updateTable('optimization_runs').set(values).where('id', '=', id).execute()
  const generations = (userId: number, id: number) =>
    database
      .selectFrom('optimization_generations as generation')
      .innerJoin('optimization_runs as run', 'run.id', 'generation.run_id')
      .select([
        'generation.number',
        'generation.members',
        'generation.diversity',
        'generation.new_evaluations',
        'generation.seconds',
      ])
      .where('run.id', '=', id)
      .where('run.user_id', '=', userId)
      .orderBy('generation.number')

  return {
    async add(userId, { settings, candidates, createdAt }) {
      const row = await database
        .insertInto('optimization_runs')
        .values({
          user_id: userId,
          order: JSON.stringify(settings),
          client_run_id: settings.clientRunId,
          candidates: JSON.stringify(candidates),
          job_id: null,
          paused: false,
          cancel_requested: false,
          ended_as: null,
          error: null,
          error_code: null,
          outcome: null,
          synthetic: null,
          created_at: createdAt,
          finished_at: null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      return row?.id
    },

    async list(userId) {
      const rows = await runsWithJobs(database)
        .select(listedOutcome)
        .where('run.user_id', '=', userId)
        .orderBy('run.created_at', 'desc')
        .orderBy('run.id', 'desc')
        .execute()
      const tallies = await talliesOf(
        database,
        rows.map(({ id }) => id),
      )
      return rows.map((row) => toItem(row, row.listed, tallies.get(row.id) ?? null))
    },

    find: (userId, id) => find(userId, id, false),
    lock: (userId, id) => find(userId, id, true),

    async findByClientId(userId, clientRunId) {
      const row = await runsWithJobs(database)
        .select(listedOutcome)
        .where('run.user_id', '=', userId)
        .where('run.client_run_id', '=', clientRunId)
        .where('run.ended_as', 'is', null)
        .executeTakeFirst()
      return row && toItem(row, row.listed, (await talliesOf(database, [row.id])).get(row.id) ?? null)
    },

    setJob: async (id, jobId) => void (await change(id, { job_id: jobId })),
    setPaused: async (id, paused) => void (await change(id, { paused })),
    requestCancel: async (id) => void (await change(id, { cancel_requested: true })),

    async end(id, { as, error, errorCode, at }) {
      await database
        .updateTable('optimization_runs')
        .set({ ended_as: as, finished_at: at, error, error_code: errorCode })
        .where('id', '=', id)
        .execute()
      await database.deleteFrom('optimization_data').where('run_id', '=', id).execute()
    },

    remove: (userId, id) => removeRunForUndo(database, 'optimization-run', userId, id),

    async generations(userId, id, after = 0) {
      const rows = await generations(userId, id).where('generation.number', '>', after).execute()
      return rows.map(toGeneration)
    },

    async generation(userId, id, number) {
      if (!mayBeRowId(id) || !mayBeRowId(number)) return undefined
      const row = await generations(userId, id).where('generation.number', '=', number).executeTakeFirst()
      return row && toGeneration(row)
    },
  }
}
