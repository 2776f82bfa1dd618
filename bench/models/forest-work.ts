import { codeColumns } from '@tradewright/engine/models/coded-matrix'
import { forestPredictJob, forestProbabilities, growOnThisThread } from '@tradewright/engine/models/forest/fit'
import type { ForestJob } from '@tradewright/engine/models/forest/job'
import { defaultForestSettings } from '@tradewright/engine/models/settings'
import { rowRange } from '@tradewright/engine/models/splits'
import { forestTasks } from '@tradewright/engine/models/tasks'
import type { Table, Window } from './market-data.ts'
import type { ThreadPool } from './thread-pool.ts'

export interface ForestWork {
  readonly table: Table
  readonly windows: readonly Window[]
  /** Column lists, one per evaluation; null for a single evaluation of all columns. */
  readonly picks: readonly Int32Array[] | null
  readonly trees: number
  readonly leaf: number
  readonly split: number
  readonly seed: number
}

/**
 * The forest of every (evaluation, window), window after window, coding each window's columns once for all evaluations.
 * Given one by one, so that threads have something to do while the next window is coded.
 */
function* forests({ table, windows, picks, trees, leaf, split, seed }: ForestWork): Generator<ForestJob> {
  const settings = { ...defaultForestSettings, trees, minSamplesLeaf: leaf, minSamplesSplit: split, seed }
  const all = rowRange(0, table.columns.length)
  for (const [from, to, end] of windows) {
    const trainRows = rowRange(from, to)
    const matrix = codeColumns(table.columns, trainRows)
    for (const columns of picks ?? [all]) {
      yield forestPredictJob({ matrix, labels: table.labels, columns, trainRows, settings }, rowRange(to, end))
    }
  }
}

const never = () => false

/** The probabilities of each forest's test rows. */
type Probabilities = Float64Array[]

/** Probabilities of all test rows of all evaluations of all windows, on this thread. */
export function runForest(work: ForestWork): Probabilities {
  return Array.from(forests(work), (job) => forestProbabilities(job, growOnThisThread(job, never)))
}

export function runForestOn(pool: ThreadPool, work: ForestWork): Promise<Probabilities> {
  return Promise.all(
    Array.from(forests(work), async (job) => {
      const results = await pool.run(forestTasks(job, pool.threads))
      return forestProbabilities(
        job,
        results.flatMap((result) => (result.kind === 'forest' ? [result.growth] : [])),
      )
    }),
  )
}
