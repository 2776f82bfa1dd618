import { mayBeRowId } from '@tradewright/core/row-id'
import { sql, type Selectable } from 'kysely'
import type { Evaluation } from '@tradewright/engine/optimizer/evaluate'
import type { Member } from '@tradewright/engine/optimizer/search'
import type {
  OptimizationRunStore,
  OptimizationSettings,
  Candidate,
  OptimizationRun,
  RunEnd,
  RunItem,
  RunJob,
  RunOutcome,
  RunTally,
  StoredGeneration,
} from '../../optimizer/run.ts'
import type { Database, DatabaseTransaction } from '../database.ts'
import { removeRunForUndo } from '../deletions/deleted-rows.ts'
import type { JobFailure, JobProgress, JobState } from '../../jobs/job.ts'
import type { Tables } from '../tables.ts'

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

/** Runs with how their jobs stand. */
export const runsWithJobs = (database: Database | DatabaseTransaction) =>
  database
    .selectFrom('optimization_runs as run')
    .leftJoin('jobs as job', 'job.id', 'run.job_id')
    .select([
      'run.id',
      'run.user_id',
      'run.order',
      'run.paused',
      'run.cancel_requested',
      'run.ended_as',
      'run.error',
      'run.error_code',
      'run.synthetic',
      'run.job_id',
      'run.created_at',
      'run.finished_at',
      'job.state as job_state',
      'job.progress as job_progress',
      'job.error as job_error',
    ])

/** As a list shows it: the whole outcomes of a hundred runs would be read on the thread that answers. */
const listedOutcome = sql<RunItem['outcome']>`CASE WHEN run.outcome IS NOT NULL THEN jsonb_build_object(
  'synthetic', run.outcome -> 'synthetic', 'spliced', coalesce(run.outcome -> 'spliced', '[]'), 'report', jsonb_build_object('details', jsonb_build_object(
    'train', run.outcome #> '{report,details,train}', 'test', run.outcome #> '{report,details,test}'))) END`.as(
  'listed',
)

type RunRow = Awaited<ReturnType<ReturnType<typeof runsWithJobs>['executeTakeFirstOrThrow']>>

function toItem<Outcome>(
  row: RunRow,
  outcome: Outcome,
  tally: RunTally | null,
): Omit<RunItem, 'outcome'> & { outcome: Outcome } {
  return {
    id: row.id,
    userId: row.user_id,
    settings: row.order as OptimizationSettings,
    isPaused: row.paused,
    cancelRequested: row.cancel_requested,
    endedAs: row.ended_as as RunEnd | null,
    error: row.error,
    errorCode: row.error_code,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    jobId: row.job_id,
    job: jobOf(row),
    tally,
    isSynthetic: row.synthetic,
    outcome,
  }
}

type WholeRow = RunRow & { candidates: unknown; outcome: unknown }

export const toRun = (row: WholeRow, tally: RunTally | null): OptimizationRun => ({
  ...toItem(row, row.outcome as RunOutcome | null, tally),
  candidates: row.candidates as Candidate[],
})

function jobOf({ job_state: state, job_progress: progress, job_error: error }: RunRow): RunJob | null {
  if (state === null) return null
  return { state: state as JobState, progress: progress as JobProgress | null, error: error as JobFailure | null }
}

/** Sums over the generations of some runs; a run without one is absent. */
export async function talliesOf(
  database: Database | DatabaseTransaction,
  runIds: readonly number[],
): Promise<Map<number, RunTally>> {
  if (runIds.length === 0) return new Map()
  const rows = await database
    .selectFrom('optimization_generations')
    .select((row) => [
      'run_id',
      row.fn.max('number').as('generations'),
      sql<number>`sum(new_evaluations)`.as('evaluations'),
      row.fn.sum<number>('seconds').as('seconds'),
      row.fn.max('best_fitness').as('best'),
      sql<number>`(array_agg(average_fitness ORDER BY number DESC))[1]`.as('average'),
    ])
    .where('run_id', 'in', runIds)
    .groupBy('run_id')
    .execute()
  return new Map(
    rows.map((row) => [
      row.run_id,
      {
        generations: row.generations,
        evaluations: row.evaluations,
        seconds: row.seconds,
        bestFitness: row.best,
        averageFitness: row.average,
      },
    ]),
  )
}

type GenerationRow = Pick<
  Selectable<Tables['optimization_generations']>,
  'number' | 'members' | 'diversity' | 'new_evaluations' | 'seconds'
> & { blocks?: unknown }

type BareMember = Omit<Member, 'evaluation'> & { evaluation: Omit<Evaluation, 'blocks'> }

export function toGeneration(row: GenerationRow): StoredGeneration {
  const blocks = (row.blocks ?? []) as Evaluation['blocks'][]
  return {
    number: row.number,
    members: (row.members as BareMember[]).map(({ target, genes, evaluation }, place) => ({
      target,
      genes,
      evaluation: Object.assign(evaluation, { blocks: blocks[place] ?? null }),
    })),
    diversity: row.diversity,
    newEvaluations: row.new_evaluations,
    seconds: row.seconds,
  }
}

export function generationColumns({ members, ...rest }: StoredGeneration) {
  const bare = members.map(({ target, genes, evaluation }) => ({
    target,
    genes,
    evaluation: { ...evaluation, blocks: undefined },
  }))
  const fitnesses = members.map(({ evaluation }) => evaluation.fitness)
  return {
    number: rest.number,
    members: JSON.stringify(bare),
    blocks: JSON.stringify(members.map(({ evaluation }) => evaluation.blocks)),
    diversity: rest.diversity,
    new_evaluations: rest.newEvaluations,
    best_fitness: fitnesses[0]!,
    average_fitness: fitnesses.reduce((sum, one) => sum + one, 0) / fitnesses.length,
    seconds: rest.seconds,
  }
}
