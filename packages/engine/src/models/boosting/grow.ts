import { cancelledProblem } from '../cancellation.ts'
import type { KernelMemory } from '../kernels/instantiate.ts'
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
  readonly columns: number
  readonly rows: number
  readonly rowBytes: number
  readonly labels: number
  readonly margins: number
  readonly gradients: number
  readonly learnedA: number
  readonly learnedB: number
  readonly routedA: number
  readonly routedB: number
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
    columns: take(places * columnCount),
    rows: take(places * rowBytes),
    labels: take(trainCount),
    margins: take(8 * places),
    gradients: take(8 * trainCount),
    learnedA: list(trainCount),
    learnedB: list(trainCount),
    routedA: list(places),
    routedB: list(places),
    roundColumns: take(2 * columnCount),
    histograms: take((job.settings.maxDepth + 2) * columnCount * COLUMN_HISTOGRAM_BYTES),
    sortScratch: take(2048),
    nodes: take(mostNodes * NODE_BYTES),
  }
  return { ...plan, end: at }
}

export function growBoosting(job: BoostingJob, isCancelled: () => boolean): BoostingGrowth {
  const plan = planMemory(job)
  const { exports, memory, host } = threadBoostingKernel(plan.end)
  host.isCancelled = isCancelled
  exports.clearStop()
  fillRows(memory, job, plan)
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
    if (exports.wasStopped() || isCancelled()) throw cancelledProblem()
    if (job.keepTrees) trees.push(readTree(memory, plan, exports.grownNodes()))
    if (validationCount > 0) losses.push(logisticLoss(validationMargins, job.labels, job.validationRows))
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
    plan.columns,
    plan.rows,
    plan.rowBytes,
    plan.labels,
    plan.margins,
    plan.gradients,
    plan.learnedA,
    plan.learnedB,
    plan.routedA,
    plan.routedB,
    plan.roundColumns,
    plan.histograms,
    plan.sortScratch,
    plan.nodes,
  )
  exports.setFit(
    job.trainRows.length,
    job.trainRows.length + job.validationRows.length + job.testRows.length,
    job.matrix.codeCount,
    gradientScale(job.trainRows.length),
    settings.eta,
    settings.lambda,
    Math.max(settings.gamma, LEAST_GAIN),
    settings.minChildWeight,
    settings.maxDepth,
  )
}

function fillRows(memory: KernelMemory, job: BoostingJob, plan: Plan): void {
  const bytes = new Uint8Array(memory.buffer)
  const { codes, rowCount } = job.matrix
  const sections = [job.trainRows, job.validationRows, job.testRows]
  let to = plan.columns
  job.columns.forEach((column, index) => {
    const from = column * rowCount
    let toRow = plan.rows + index
    for (const rows of sections) {
      for (let i = 0; i < rows.length; i++, to++, toRow += plan.rowBytes) {
        bytes[to] = bytes[toRow] = codes[from + rows[i]!]!
      }
    }
  })
  job.trainRows.forEach((row, i) => (bytes[plan.labels + i] = job.labels[row]!))
}

/** Writes each round's lists of places and columns; without sampling they are copied from the first round's. */
class RoundLists {
  readonly #job: BoostingJob
  readonly #learned: Uint32Array
  readonly #routed: Uint32Array
  readonly #columns: Uint16Array
  readonly #train: Uint32Array
  readonly #others: Uint32Array

  constructor(memory: KernelMemory, job: BoostingJob, plan: Plan) {
    const trainCount = job.trainRows.length
    const others = job.validationRows.length + job.testRows.length
    this.#job = job
    this.#learned = new Uint32Array(memory.buffer, plan.learnedA, trainCount)
    this.#routed = new Uint32Array(memory.buffer, plan.routedA, trainCount + others)
    this.#columns = new Uint16Array(memory.buffer, plan.roundColumns, job.columns.length)
    this.#train = Uint32Array.from({ length: trainCount }, (_, i) => i)
    this.#others = Uint32Array.from({ length: others }, (_, i) => trainCount + i)
  }

  fill(round: number): { learned: number; routed: number } {
    const sample = sampleRound(this.#job, round)
    this.#columns.set(sample.columns)
    threadBoostingKernel(0).exports.setRoundColumns(sample.columns.length)
    if (sample.teaches === null) {
      this.#learned.set(this.#train)
      this.#routed.set(this.#others)
      return { learned: this.#train.length, routed: this.#others.length }
    }
    let learned = 0
    let routed = 0
    sample.teaches.forEach((teaches, place) => {
      if (teaches === 1) this.#learned[learned++] = place
      else this.#routed[routed++] = place
    })
    this.#routed.set(this.#others, routed)
    return { learned, routed: routed + this.#others.length }
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
