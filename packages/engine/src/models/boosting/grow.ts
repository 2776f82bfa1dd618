import { cancelledProblem, type IsCancelled, throwIfCancelled } from '../cancellation.ts'
import {
  type Booster,
  routedRows,
  allRows,
  CHUNK_ROWS,
  histogramsBytes,
  labelBytes,
  MemoryPlan,
  nodesBytes,
  readTree,
  RoundLists,
  SCRATCH_BYTES,
  setFit,
  writeLabels,
  threadBoostingKernel,
  bestRounds,
  logisticLoss,
  shouldStopEarly,
  startMargin,
  rowSliceOf,
  type BoostedTree,
  type BoostingGrowth,
  type BoostingJob,
  LEAF,
  NODE_LINKS,
  NODE_NUMBERS,
} from './booster.ts'
import { isLarge, largeBooster, largeBytes } from './large-booster.ts'
import { type BoostingThreads, Seat, ThreadGroupBroken, worthwhileThreads } from './thread-group.ts'
import { MISSING_CODE } from '../column-edges.ts'
import { writeRows } from '../coded-matrix.ts'

/** Memory of the fit on so many threads together, beside the matrix and the trees that are kept. */
export function boostingBytes(job: BoostingJob, threads = 1): number {
  return isLarge(job) ? largeBytes(job, worthwhileThreads(job, threads)) : planSmall(job, routedRows(job).length).end
}

/** The trees so far: enough to continue elsewhere. */
interface Grown {
  readonly trees: BoostedTree[]
  readonly losses: number[]
  bestMargins: Float64Array | null
}

const nothingGrown = (): Grown => ({ trees: [], losses: [], bestMargins: null })

/**
 * Grows with a group together with the helpers that join it; the result is the same. When a helper leaves, the owner
 * goes on alone.
 */
export function growBoosting(job: BoostingJob, isCancelled: IsCancelled, group?: BoostingThreads): BoostingGrowth {
  if (group === undefined) return growAlone(job, isCancelled)
  const seat = Seat.take(group, isCancelled)
  const grown = nothingGrown()
  try {
    return seat.members === 1 ? growAlone(job, isCancelled) : growTogether(job, seat, grown)
  } catch (error) {
    if (!seat.isOver && !(error instanceof ThreadGroupBroken)) throw error
    throwIfCancelled(isCancelled)
    // Whatever a lost thread may still do, it does in memory of its own.
    return growAlone(job, isCancelled, grown)
  } finally {
    seat.end()
  }
}

function growAlone(job: BoostingJob, isCancelled: IsCancelled, grown = nothingGrown()): BoostingGrowth {
  const baseMargin = startMargin(job)
  const booster = isLarge(job)
    ? largeBooster(job, allRows(job), 0, baseMargin, isCancelled)
    : smallBooster(job, baseMargin, isCancelled)
  addTrees(job, grown.trees, job.trainRows, booster.trainMargins, isCancelled)
  addTrees(job, grown.trees, routedRows(job), booster.routedMargins, isCancelled)
  return growRounds(job, booster, baseMargin, isCancelled, grown, job.keepTrees)
}

function growTogether(job: BoostingJob, seat: Seat, grown: Grown): BoostingGrowth {
  const baseMargin = startMargin(job)
  const booster = boosterOf(job, seat, baseMargin)
  const growRound = (round: number) => {
    seat.beginRound(round)
    booster.growRound(round)
  }
  return growRounds(job, { ...booster, growRound }, baseMargin, seat.shouldStop, grown, true)
}

function boosterOf(job: BoostingJob, seat: Seat, baseMargin: number): Booster {
  const slice = rowSliceOf(job, seat)
  const booster = largeBooster(job, slice, seat.members - 1, baseMargin, seat.shouldStop)
  const { memory, host } = threadBoostingKernel(0)
  const bytes = new Uint8Array(memory.buffer)
  host.exchange = (own, size, others) => seat.exchange(bytes, own, size, others)
  return booster
}

/**
 * Joins the group, if it is not too late, until its owner is done or this thread has to leave. Gives no result: the owner
 * has it.
 */
export function helpBoosting(
  job: BoostingJob,
  group: BoostingThreads,
  isCancelled: IsCancelled,
  hasToLeave = () => false,
): void {
  try {
    helpUntil(job, group, (visits) => hasToLeave() || isCancelled(visits))
  } catch (error) {
    if (isCancelled() || !hasToLeave()) throw error
  }
}

function helpUntil(job: BoostingJob, group: BoostingThreads, stop: IsCancelled): void {
  const seat = Seat.join(group, stop)
  if (seat === null) return
  try {
    const booster = boosterOf(job, seat, startMargin(job))
    for (let round = 0; round < job.settings.rounds; round++) {
      seat.awaitRound(round)
      booster.growRound(round)
      if (threadBoostingKernel(0).exports.wasStopped()) throw cancelledProblem()
    }
  } catch (error) {
    const endedBefore = seat.isOver
    seat.end()
    // The owner ended it, or goes on alone.
    if (!endedBefore && !(error instanceof ThreadGroupBroken)) throw error
  }
}

function growRounds(
  job: BoostingJob,
  booster: Booster,
  baseMargin: number,
  isCancelled: IsCancelled,
  grown: Grown,
  keepTrees: boolean,
): BoostingGrowth {
  const validationCount = job.validationRows.length
  const validationMargins = booster.routedMargins.subarray(0, validationCount)
  const testMargins = booster.routedMargins.subarray(validationCount)
  const { trees, losses } = grown
  const early = job.settings.earlyStoppingRounds !== null && validationCount > 0
  for (let round = trees.length; round < job.settings.rounds; round++) {
    booster.growRound(round)
    if (threadBoostingKernel(0).exports.wasStopped()) throw cancelledProblem()
    // From here on to the end of the round nothing may fail: the owner may continue alone with the trees grown so far.
    throwIfCancelled(isCancelled)
    if (keepTrees) trees.push(booster.tree())
    if (validationCount > 0) losses.push(logisticLoss(validationMargins, job.labels, job.validationRows))
    if (early && bestRounds(losses) === losses.length) grown.bestMargins = testMargins.slice()
    if (shouldStopEarly(losses, job.settings.earlyStoppingRounds)) break
  }
  const rounds = early ? bestRounds(losses) : job.settings.rounds
  return {
    baseMargin,
    rounds,
    trees: job.keepTrees ? trees.slice(0, rounds) : [],
    testMargins: grown.bestMargins ?? testMargins.slice(),
    validationLosses: losses,
  }
}

/** A few milliseconds of work. */
const ROWS_BETWEEN_QUESTIONS = 65_536

/**
 * Adds what trees say about rows to their log-odds, tree after tree as growing does: the same sums to the last bit.
 */
export function addTrees(
  job: BoostingJob,
  trees: readonly BoostedTree[],
  rows: Int32Array,
  margins: Float64Array,
  isCancelled: IsCancelled,
): void {
  const count = rows.length
  for (const tree of trees) {
    for (let from = 0; from < count; from += ROWS_BETWEEN_QUESTIONS) {
      throwIfCancelled(isCancelled)
      const to = Math.min(count, from + ROWS_BETWEEN_QUESTIONS)
      for (let i = from; i < to; i++) margins[i]! += valueOf(job, tree, rows[i]!)
    }
  }
}

function valueOf({ matrix, columns }: BoostingJob, { links, numbers }: BoostedTree, row: number): number {
  let node = 0
  for (let split = links[0]!; split !== LEAF; split = links[node * NODE_LINKS]!) {
    const code = matrix.codes[columns[split >> 9]! * matrix.rowCount + row]!
    const goesLeft = code === MISSING_CODE ? (split & 0x100) !== 0 : code <= (split & 0xff)
    node = links[node * NODE_LINKS + (goesLeft ? 1 : 2)]!
  }
  return numbers[node * NODE_NUMBERS]!
}

/** The buffers of layout.ts of the kernel. */
function planSmall(job: BoostingJob, routedCount: number) {
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

function smallBooster(job: BoostingJob, startMargin: number, isCancelled: IsCancelled): Booster {
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
