/** How the work on one large model is divided among the threads of a group. */
import { COLUMN_HISTOGRAM_BYTES, routedRows, type RowSlice } from './booster.ts'
import type { BoostingJob } from './job.ts'

/** The cost of a row that is only predicted, relative to a training row. */
const ROUTED_COST = 0.3

/** Bytes of two histograms per thread. */
export function threadGroupBytes({ columns }: BoostingJob, threads: number): number {
  return 2 * threads * columns.length * COLUMN_HISTOGRAM_BYTES
}

/** The owner, who has all rows that are only predicted, learns from fewer. */
export function rowSliceOf(job: BoostingJob, { rank, members }: { rank: number; members: number }): RowSlice {
  const count = job.trainRows.length
  const routed = rank === 0 ? routedRows(job) : new Int32Array(0)
  const cost = (job.validationRows.length + job.testRows.length) * ROUTED_COST
  const ofOwner = Math.max(0, Math.floor((count + cost) / members - cost))
  if (rank === 0) return { from: 0, to: ofOwner, routed }
  const boundary = (helper: number) => ofOwner + Math.floor(((count - ofOwner) * helper) / (members - 1))
  return { from: boundary(rank - 1), to: boundary(rank), routed }
}
