import { cancelledProblem, type IsCancelled, throwIfCancelled } from '../cancellation.ts'
import { addTrees } from './add-trees.ts'
import { type Booster, routedRows, allRows } from './booster.ts'
import type { BoostedTree, BoostingGrowth, BoostingJob } from './job.ts'
import { threadBoostingKernel } from './kernel.ts'
import { isLarge, largeBooster, largeBytes } from './large-booster.ts'
import { bestRounds, logisticLoss, shouldStopEarly, startMargin } from './rounds.ts'
import { rowSliceOf } from './row-slice.ts'
import { planSmall, smallBooster } from './small-booster.ts'
import { type BoostingThreads, Seat, ThreadGroupBroken, worthwhileThreads } from './thread-group.ts'

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
