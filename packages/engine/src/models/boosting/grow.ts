import { cancelledProblem, type IsCancelled, throwIfCancelled } from '../cancellation.ts'
import type { KernelMemory } from '../kernels/instantiate.ts'
import { writeRows } from '../kernels/write-rows.ts'
import { type BoostedTree, type BoostingGrowth, type BoostingJob, NODE_LINKS, NODE_NUMBERS } from './job.ts'
import { threadBoostingKernel } from './kernel.ts'
import {
  bestRounds,
  gradientScale,
  LEAST_GAIN,
  logisticLoss,
  sampleRound,
  shouldStopEarly,
  startMargin,
} from './rounds.ts'

const COLUMN_HISTOGRAM_BYTES = 256 * 8
const NODE_BYTES = 32

interface Plan {
  readonly rows: number
  readonly rowBytes: number
  readonly labels: number
  readonly margins: number
  readonly gradients: number
  readonly placesA: number
  readonly placesB: number
  readonly roundColumns: number
  readonly histograms: number
  readonly sortScratch: number
  readonly nodes: number
  readonly end: number
}

/** Every buffer behind the other, 64 bytes aligned. */
function planMemory(job: BoostingJob): Plan {
  const trainCount = job.trainRows.length
  const places = trainCount + job.validationRows.length + job.testRows.length
  const columnCount = job.columns.length
  const rowBytes = Math.ceil(columnCount / 8) * 8
  const mostNodes = Math.min(2 ** (job.settings.maxDepth + 1), 2 * trainCount + 1)
  let at = 64
  const take = (bytes: number) => {
    const start = Math.ceil(at / 64) * 64
    at = start + bytes
    return start
  }
  const list = (count: number) => take(4 * (count + 1))
  const plan = {
    rowBytes,
    rows: take(places * rowBytes),
    labels: take(trainCount + 1),
    margins: take(8 * (places + 1)),
    gradients: take(8 * (trainCount + 1)),
    placesA: list(places),
    placesB: list(places),
    roundColumns: take(2 * columnCount),
    histograms: take((job.settings.maxDepth + 2) * columnCount * COLUMN_HISTOGRAM_BYTES),
    sortScratch: take(2048),
    nodes: take(mostNodes * NODE_BYTES),
  }
  return { ...plan, end: at }
}

/** What the fit takes beside the matrix and the trees that are kept. */
export function boostingBytes(job: BoostingJob): number {
  return planMemory(job).end
}

export function growBoosting(job: BoostingJob, isCancelled: IsCancelled): BoostingGrowth {
  const plan = planMemory(job)
  const { exports, memory, host } = threadBoostingKernel(plan.end)
  host.isCancelled = isCancelled
  exports.clearStop()
  fillRows(memory, job, plan, isCancelled)
  configure(job, plan)
  const trainCount = job.trainRows.length
  const validationCount = job.validationRows.length
  const places = trainCount + validationCount + job.testRows.length
  const baseMargin = startMargin(job)
  const margins = new Float64Array(memory.buffer, plan.margins, places).fill(baseMargin)
  const validationMargins = margins.subarray(trainCount, trainCount + validationCount)
  const lists = new RoundLists(memory, job, plan)
  const trees: BoostedTree[] = []
  const losses: number[] = []
  const early = job.settings.earlyStoppingRounds !== null && validationCount > 0
  let bestMargins: Float64Array | null = null
  let round = 0
  for (; round < job.settings.rounds; round++) {
    const { learned, routed } = lists.fill(round)
    exports.growRound(learned, routed)
    if (exports.wasStopped()) throw cancelledProblem()
    if (job.keepTrees) trees.push(readTree(memory, plan, exports.grownNodes()))
    if (validationCount > 0) losses.push(logisticLoss(validationMargins, job.labels, job.validationRows))
    throwIfCancelled(isCancelled)
    if (early && bestRounds(losses) === losses.length) bestMargins = margins.slice(trainCount + validationCount)
    if (shouldStopEarly(losses, job.settings.earlyStoppingRounds)) break
  }
  const rounds = early ? bestRounds(losses) : job.settings.rounds
  return {
    baseMargin,
    rounds,
    trees: trees.slice(0, rounds),
    testMargins: bestMargins ?? margins.slice(trainCount + validationCount),
    validationLosses: losses,
  }
}

function configure(job: BoostingJob, plan: Plan): void {
  const { exports } = threadBoostingKernel(0)
  const { settings } = job
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
    plan.sortScratch,
    plan.nodes,
  )
  exports.setFit(
    job.trainRows.length,
    job.matrix.codeCount,
    gradientScale(job.trainRows.length, settings.lambda),
    settings.eta,
    settings.lambda,
    Math.max(settings.gamma, LEAST_GAIN),
    settings.minChildWeight,
    settings.maxDepth,
  )
}

function fillRows(memory: KernelMemory, job: BoostingJob, plan: Plan, isCancelled: IsCancelled): void {
  const bytes = new Uint8Array(memory.buffer)
  let to = plan.rows
  for (const rows of [job.trainRows, job.validationRows, job.testRows]) {
    writeRows(job, rows, bytes, to, plan.rowBytes, isCancelled)
    to += rows.length * plan.rowBytes
  }
  job.trainRows.forEach((row, i) => (bytes[plan.labels + i] = job.labels[row]!))
}

/** Writes each round's list of places, those that teach first, and its columns. */
class RoundLists {
  readonly #job: BoostingJob
  readonly #places: Uint32Array
  readonly #columns: Uint16Array

  constructor(memory: KernelMemory, job: BoostingJob, plan: Plan) {
    const places = job.trainRows.length + job.validationRows.length + job.testRows.length
    this.#job = job
    this.#places = new Uint32Array(memory.buffer, plan.placesA, places)
    this.#columns = new Uint16Array(memory.buffer, plan.roundColumns, job.columns.length)
  }

  fill(round: number): { learned: number; routed: number } {
    const { teaches, columns } = sampleRound(this.#job, round)
    this.#columns.set(columns)
    const all = columns.length === this.#job.columns.length
    threadBoostingKernel(0).exports.setRoundColumns(columns.length, Number(all))
    const learned = teaches === null ? this.#listAll() : this.#listSample(teaches)
    return { learned, routed: this.#places.length - learned }
  }

  #listAll(): number {
    for (let place = 0; place < this.#places.length; place++) this.#places[place] = place
    return this.#job.trainRows.length
  }

  #listSample(teaches: Uint8Array): number {
    let learned = 0
    for (let place = 0; place < teaches.length; place++) if (teaches[place] === 1) this.#places[learned++] = place
    let at = learned
    for (let place = 0; place < this.#places.length; place++) if (teaches[place] !== 1) this.#places[at++] = place
    return learned
  }
}

function readTree(memory: KernelMemory, plan: Plan, count: number): BoostedTree {
  const ints = new Int32Array(memory.buffer, plan.nodes, count * (NODE_BYTES / 4))
  const floats = new Float64Array(memory.buffer, plan.nodes, count * (NODE_BYTES / 8))
  const links = new Int32Array(count * NODE_LINKS)
  const numbers = new Float64Array(count * NODE_NUMBERS)
  for (let node = 0; node < count; node++) {
    links.set(ints.subarray(node * 8, node * 8 + NODE_LINKS), node * NODE_LINKS)
    numbers.set(floats.subarray(node * 4 + 2, node * 4 + 4), node * NODE_NUMBERS)
  }
  return { links, numbers }
}
