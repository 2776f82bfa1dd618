import type { IsCancelled } from '../cancellation.ts'
import { writeRows } from '../write-rows.ts'
import {
  type Booster,
  CHUNK_ROWS,
  histogramsBytes,
  labelBytes,
  MemoryPlan,
  nodesBytes,
  readTree,
  RoundLists,
  SCRATCH_BYTES,
  setFit,
  allRows,
  writeLabels,
} from './booster.ts'
import type { BoostingJob } from './job.ts'
import { threadBoostingKernel } from './kernel.ts'

/** The buffers of layout.ts of the kernel. */
export function planSmall(job: BoostingJob, routedCount: number) {
  const trainCount = job.trainRows.length
  const places = trainCount + routedCount
  const plan = new MemoryPlan()
  const rowBytes = Math.ceil(job.columns.length / 8) * 8
  const buffers = {
    rowBytes,
    rows: plan.take(places * rowBytes),
    labels: plan.take(labelBytes(trainCount)),
    margins: plan.take(8 * (places + 3)),
    gradients: plan.take(8 * (trainCount + 3)),
    placesA: plan.take(4 * (places + 3)),
    placesB: plan.take(4 * (places + 3)),
    roundColumns: plan.take(2 * job.columns.length),
    histograms: plan.take(histogramsBytes(job)),
    chunkValues: plan.take(8 * CHUNK_ROWS),
    scratch: plan.take(SCRATCH_BYTES),
    nodes: plan.take(nodesBytes(job)),
  }
  return { ...buffers, end: plan.end }
}

export function smallBooster(job: BoostingJob, startMargin: number, isCancelled: IsCancelled): Booster {
  const slice = allRows(job)
  const { routed } = slice
  const plan = planSmall(job, routed.length)
  const kernel = threadBoostingKernel(plan.end)
  const { exports, memory, host } = kernel
  const trainCount = job.trainRows.length
  host.isCancelled = isCancelled
  exports.clearStop()
  const bytes = new Uint8Array(memory.buffer)
  writeRows(job, job.trainRows, bytes, plan.rows, plan.rowBytes, isCancelled)
  writeRows(job, routed, bytes, plan.rows + trainCount * plan.rowBytes, plan.rowBytes, isCancelled)
  writeLabels(job.labels, job.trainRows, bytes, plan.labels)
  exports.setBuffers(
    plan.rows,
    plan.rowBytes,
    plan.labels,
    plan.margins,
    plan.gradients,
    plan.placesA,
    plan.placesB,
    plan.roundColumns,
    plan.histograms,
    plan.chunkValues,
    plan.scratch,
    plan.nodes,
  )
  setFit(kernel, job, trainCount)
  const margins = new Float64Array(memory.buffer, plan.margins, trainCount + routed.length).fill(startMargin)
  const lists = new RoundLists(kernel, job, slice, plan.placesA, plan.roundColumns)
  return {
    trainMargins: margins.subarray(0, trainCount),
    routedMargins: margins.subarray(trainCount),
    growRound(round) {
      const { learned, routed: followers } = lists.fill(round)
      exports.growRound(learned, followers)
    },
    tree: () => readTree(kernel, plan.nodes),
  }
}
