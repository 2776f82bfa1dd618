import { codeColumns } from '@tradewright/engine/models/coded-matrix'
import { forestPredictJobs, forestProbabilities } from '@tradewright/engine/models/forest/fit'
import { growForest } from '@tradewright/engine/models/forest/grow'
import type { ForestGrowth, ForestJob } from '@tradewright/engine/models/forest/job'
import { defaultForestSettings } from '@tradewright/engine/models/forest/settings'
import { rowRange } from '@tradewright/engine/models/row-range'
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

/** The jobs of every (evaluation, window), coding each window's columns once for all evaluations. */
function jobLists({ table, windows, picks, trees, leaf, split, seed }: ForestWork): ForestJob[][] {
  const coded = windows.map(([from, to, end]) => {
    const trainRows = rowRange(from, to)
    return { trainRows, testRows: rowRange(to, end), matrix: codeColumns(table.columns, trainRows) }
  })
  const settings = { ...defaultForestSettings, trees, minSamplesLeaf: leaf, minSamplesSplit: split, seed }
  const all = rowRange(0, table.columns.length)
  return (picks ?? [all]).flatMap((columns) =>
    coded.map(({ trainRows, testRows, matrix }) =>
      forestPredictJobs({ matrix, labels: table.labels, columns, trainRows, settings }, testRows),
    ),
  )
}

const never = () => false

function joined(lists: readonly (readonly ForestJob[])[], growths: readonly ForestGrowth[]): Float64Array {
  let at = 0
  const parts = lists.map((jobs) => [...forestProbabilities(jobs, growths.slice(at, (at += jobs.length)))])
  return Float64Array.from(parts.flat())
}

/** Probabilities of all test rows of all windows of all evaluations, on this thread. */
export function runForest(work: ForestWork): Float64Array {
  const lists = jobLists(work)
  return joined(
    lists,
    lists.flat().map((job) => growForest(job, never)),
  )
}

export async function runForestOn(pool: ThreadPool, work: ForestWork): Promise<Float64Array> {
  const lists = jobLists(work)
  const results = await pool.run(lists.flat().map((job) => ({ kind: 'forest', job })))
  return joined(
    lists,
    results.flatMap((result) => (result.kind === 'forest' ? [result.growth] : [])),
  )
}
