import { cancelledProblem, type IsCancelled, throwIfCancelled } from '../cancellation.ts'
import type { Booster } from './booster.ts'
import type { BoostedTree, BoostingGrowth, BoostingJob } from './job.ts'
import { threadBoostingKernel } from './kernel.ts'
import { isLarge, largeBooster, largeBytes } from './large-booster.ts'
import { bestRounds, logisticLoss, shouldStopEarly, startMargin } from './rounds.ts'
import { planSmall, smallBooster } from './small-booster.ts'

/** What the fit takes on one thread, beside the matrix and the trees that are kept. */
export function boostingBytes(job: BoostingJob): number {
  const routed = routedRows(job)
  if (!isLarge(job)) return planSmall(job, routed.length).end
  return largeBytes(job, { from: 0, to: job.trainRows.length, routed }, 0)
}

function routedRows({ validationRows, testRows }: BoostingJob): Int32Array {
  const rows = new Int32Array(validationRows.length + testRows.length)
  rows.set(validationRows)
  rows.set(testRows, validationRows.length)
  return rows
}

export function growBoosting(job: BoostingJob, isCancelled: IsCancelled): BoostingGrowth {
  const routed = routedRows(job)
  const baseMargin = startMargin(job)
  const booster = isLarge(job)
    ? largeBooster(job, { from: 0, to: job.trainRows.length, routed }, 0, baseMargin, isCancelled)
    : smallBooster(job, routed, baseMargin, isCancelled)
  return growRounds(job, booster, baseMargin, isCancelled)
}

function growRounds(job: BoostingJob, booster: Booster, baseMargin: number, isCancelled: IsCancelled): BoostingGrowth {
  const validationCount = job.validationRows.length
  const validationMargins = booster.routedMargins.subarray(0, validationCount)
  const testMargins = booster.routedMargins.subarray(validationCount)
  const trees: BoostedTree[] = []
  const losses: number[] = []
  const early = job.settings.earlyStoppingRounds !== null && validationCount > 0
  let bestMargins: Float64Array | null = null
  for (let round = 0; round < job.settings.rounds; round++) {
    booster.growRound(round)
    if (threadBoostingKernel(0).exports.wasStopped()) throw cancelledProblem()
    if (job.keepTrees) trees.push(booster.tree())
    if (validationCount > 0) losses.push(logisticLoss(validationMargins, job.labels, job.validationRows))
    throwIfCancelled(isCancelled)
    if (early && bestRounds(losses) === losses.length) bestMargins = testMargins.slice()
    if (shouldStopEarly(losses, job.settings.earlyStoppingRounds)) break
  }
  const rounds = early ? bestRounds(losses) : job.settings.rounds
  return {
    baseMargin,
    rounds,
    trees: trees.slice(0, rounds),
    testMargins: bestMargins ?? testMargins.slice(),
    validationLosses: losses,
  }
}
