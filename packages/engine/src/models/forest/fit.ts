import type { ModelKind } from '@tradewright/core/model-catalogue'
import { type IsCancelled, neverCancelled } from '../cancellation.ts'
import { checkRows, checkTrainRows, type CodedMatrix, codeTable } from '../coded-matrix.ts'
import {
  refuseMissing,
  type Model,
  checkLabels,
  labelledRows,
  type ModelDefinition,
  type TrainingData,
} from '../model.ts'
import { rowRange } from '../splits.ts'
import {
  type ForestGrowth,
  type ForestJob,
  NODE_SIZE,
  joinArrays,
  GrowthSoFar,
  treesPerSum,
  sumCount,
  sumAt,
  TEN_MILLISECONDS,
  isTaken,
} from './job.ts'
import { prepareRows, growLargeForest, isSmallJob, growSmallForest } from './compiled-fit.ts'
import { forestModel, loadForest } from './model.ts'
import {
  candidateColumns,
  checkForestSettings,
  type ForestSettings,
  leafRows,
  type ModelSettings,
} from '../settings.ts'
import { growRandomCuts } from './random-cuts.ts'

export interface ForestRequest {
  readonly matrix: CodedMatrix
  /** As `encodeLabels` gives them; training rows whose label is unknown are left out. */
  readonly labels: Int8Array
  readonly trainRows: Int32Array
  readonly settings: ForestSettings
  /** Which columns of the matrix, in which order; all when absent. */
  readonly columns?: Int32Array
  /** See `ForestJob`. */
  readonly cuts?: ForestJob['cuts'] | undefined
}

let preparedCount = 0

/** A whole forest; `forestSlices` divides it among threads. */
function forestJob(
  request: ForestRequest,
  parts: Pick<ForestJob, 'testRows' | 'keepTrees' | 'outOfBag'>,
  isCancelled: IsCancelled,
): ForestJob {
  const { matrix, settings } = request
  checkForestSettings(settings)
  if (request.cuts && settings.bootstrap) throw new RangeError('random cuts are drawn without bootstrap')
  checkLabels(request.labels, matrix.rowCount)
  checkTrainRows(request.trainRows, matrix.rowCount)
  checkRows(parts.testRows, matrix.rowCount)
  const trainRows = labelledRows(request.trainRows, request.labels)
  checkTrainRows(trainRows, matrix.rowCount)
  const columns = request.columns ?? rowRange(0, matrix.columnCount)
  checkRows(columns, matrix.columnCount)
  refuseMissing(matrix, columns, trainRows, parts.testRows)
  const job: ForestJob = {
    ...parts,
    matrix: codeTable(matrix),
    labels: request.labels,
    columns,
    trainRows,
    candidates: candidateColumns(settings.maxFeatures, columns.length),
    minSamplesLeaf: leafRows(settings.minSamplesLeaf, trainRows.length),
    minSamplesSplit: settings.minSamplesSplit,
    bootstrap: settings.bootstrap,
    ...(request.cuts ? { cuts: request.cuts } : {}),
    seed: settings.seed,
    treeFrom: 0,
    treeTo: settings.trees,
    treesPerSum: treesPerSum(trainRows.length, settings.trees),
  }
  if (job.cuts || isSmallJob(job)) return job
  return { ...job, prepared: prepareRows(job, `${preparedCount++}-${settings.seed}`, isCancelled) }
}

/** The job of a model that is kept; `forestFrom` makes it out of its growths. */
export function forestFitJob(request: ForestRequest, isCancelled = neverCancelled): ForestJob {
  const outOfBag = request.settings.bootstrap
  return forestJob(request, { testRows: new Int32Array(0), keepTrees: true, outOfBag }, isCancelled)
}

/** The job of the probabilities of test rows alone; no tree is stored. */
export function forestPredictJob(
  request: ForestRequest,
  testRows: Int32Array,
  isCancelled = neverCancelled,
): ForestJob {
  return forestJob(request, { testRows, keepTrees: false, outOfBag: false }, isCancelled)
}

interface OutOfBag {
  /** Per training row the mean over the trees that did not see it; null where every tree saw it. */
  readonly probabilities: (number | null)[]
  /** Accuracy over the rows that have one; null when there is none. */
  readonly score: number | null
}

interface FittedForest {
  readonly model: Model
  /** Null without bootstrap: then every tree sees every row. */
  readonly outOfBag: OutOfBag | null
}

export function forestFrom(
  matrix: CodedMatrix,
  job: ForestJob,
  growths: readonly ForestGrowth[],
  kind: ModelKind = 'forest',
): FittedForest {
  const { nodes, treeSizes, ...sums } = joinGrowths(job, growths)
  const edges = Array.from(job.columns, (column) => matrix.edges[column]!)
  const model = forestModel({ kind, edges, nodes, treeSizes, treesPerSum: job.treesPerSum })
  return { model, outOfBag: job.outOfBag ? outOfBagOf(job, sums.outOfBagSums, sums.outOfBagCounts) : null }
}

function outOfBagOf(job: ForestJob, sums: Float64Array, counts: Float64Array): OutOfBag {
  const probabilities = Array.from(sums, (sum, i) => (counts[i] === 0 ? null : sum / counts[i]!))
  let right = 0
  let known = 0
  probabilities.forEach((probability, i) => {
    if (probability === null) return
    known += 1
    if (probability > 0.5 === (job.labels[job.trainRows[i]!] === 1)) right += 1
  })
  return { probabilities, score: known === 0 ? null : right / known }
}

export function forestProbabilities(job: ForestJob, growths: readonly ForestGrowth[]): Float64Array {
  return joinGrowths(job, growths).testSums.map((sum) => sum / job.treeTo)
}

/** Fits on this thread. */
export function fitForest(request: ForestRequest, isCancelled: IsCancelled = neverCancelled): FittedForest {
  const job = forestFitJob(request, isCancelled)
  return forestFrom(request.matrix, job, growOnThisThread(job, isCancelled))
}

/** Probabilities of the test rows, equal to those of the fitted model, without ever storing a tree. */
export function fitAndPredictForest(
  request: ForestRequest,
  testRows: Int32Array,
  isCancelled: IsCancelled = neverCancelled,
): Float64Array {
  const job = forestPredictJob(request, testRows, isCancelled)
  return forestProbabilities(job, growOnThisThread(job, isCancelled))
}

/** A forest as one thread would have grown it. */
interface GrownForest {
  /** Per test row, over all trees. */
  readonly testSums: Float64Array
  /** Per training row, over the trees whose bag misses it, and how many those are. */
  readonly outOfBagSums: Float64Array
  readonly outOfBagCounts: Float64Array
  readonly nodes: Int32Array
  readonly treeSizes: Int32Array
}

/** The growths may come in any order, and each with any of the forest's sums. */
function joinGrowths(job: ForestJob, growths: readonly ForestGrowth[]): GrownForest {
  const places = findSums(job, growths)
  // The whole work of the optimizer.
  if (places.growth.length === 1 && growths.length === 1) return growths[0]!
  const outOfBagCounts = new Float64Array(job.outOfBag ? job.trainRows.length : 0)
  for (const growth of growths) add(outOfBagCounts, growth.outOfBagCounts, 0)
  const testSums = new Float64Array(job.testRows.length)
  const outOfBagSums = new Float64Array(outOfBagCounts.length)
  for (let sum = 0; sum < places.growth.length; sum++) {
    const growth = growths[places.growth[sum]!]!
    const place = places.within[sum]!
    add(testSums, growth.testSums, place * testSums.length)
    add(outOfBagSums, growth.outOfBagSums, place * outOfBagSums.length)
  }
  return { testSums, outOfBagSums, outOfBagCounts, ...treesInOrder(job, growths, places) }
}

/** For each sum of the forest: the growth that has it, and at which place. */
interface Places {
  readonly growth: Int32Array
  readonly within: Int32Array
}

function findSums(job: ForestJob, growths: readonly ForestGrowth[]): Places {
  const places = { growth: new Int32Array(sumCount(job)).fill(-1), within: new Int32Array(sumCount(job)) }
  growths.forEach(({ firstTrees }, growth) => {
    for (let within = 0; within < firstTrees.length; within++) {
      const sum = (firstTrees[within]! - job.treeFrom) / job.treesPerSum
      if (places.growth[sum] !== -1) throw new Error('trees that the forest has already, or that are not its own')
      places.growth[sum] = growth
      places.within[sum] = within
    }
  })
  if (places.growth.includes(-1)) throw new Error('the forest lacks some of its trees')
  return places
}

function add(sums: Float64Array, values: Float64Array, from: number): void {
  for (let i = 0; i < sums.length; i++) sums[i]! += values[from + i]!
}

function treesInOrder(job: ForestJob, growths: readonly ForestGrowth[], places: Places) {
  if (growths.length === 1) return { nodes: growths[0]!.nodes, treeSizes: growths[0]!.treeSizes }
  if (!job.keepTrees) return { nodes: new Int32Array(0), treeSizes: new Int32Array(0) }
  const trees = growths.map((growth) => treesOf(job, growth))
  const inOrder = Array.from(places.growth, (growth, sum) => trees[growth]![places.within[sum]!]!)
  return {
    nodes: joinArrays(inOrder.map(({ nodes }) => nodes)),
    treeSizes: joinArrays(inOrder.map(({ treeSizes }) => treeSizes)),
  }
}

/** The trees of each sum, one sum after the other. */
function treesOf({ treesPerSum }: ForestJob, growth: ForestGrowth) {
  let node = 0
  return Array.from(growth.firstTrees, (_, at) => {
    const treeSizes = growth.treeSizes.subarray(at * treesPerSum, (at + 1) * treesPerSum)
    const end = treeSizes.reduce((sum, size) => sum + size, node)
    const nodes = growth.nodes.subarray(node * NODE_SIZE, end * NODE_SIZE)
    node = end
    return { treeSizes, nodes }
  })
}

type Settings = ModelSettings['trees']

interface TreesOptions {
  readonly kind: ModelKind
  readonly defaults: Settings
  readonly cuts?: ForestRequest['cuts']
}

/** A model that is the mean of trees. */
export function treesDefinition({ kind, defaults, cuts }: TreesOptions): ModelDefinition<Settings> {
  const requestOf = (data: TrainingData, settings: Settings): ForestRequest => ({
    matrix: data.matrix(),
    labels: data.labels,
    trainRows: data.trainRows,
    settings: { ...settings, seed: data.seed },
    cuts,
    ...(data.matrixColumns ? { columns: data.matrixColumns } : {}),
  })
  const fitJob = (data: TrainingData, settings: Settings) => {
    const request = requestOf(data, settings)
    const job = forestFitJob(request, data.isCancelled)
    return { job, modelFrom: (growths: ForestGrowth[]) => forestFrom(request.matrix, job, growths, kind).model }
  }
  const predictJob = (data: TrainingData, settings: Settings, rows: Int32Array) =>
    forestPredictJob(requestOf(data, settings), rows, data.isCancelled)
  return {
    defaults,
    readsCodes: true,
    isGrownInParts: true,
    fit(data, settings) {
      const { job, modelFrom } = fitJob(data, settings)
      return modelFrom(growOnThisThread(job, data.isCancelled))
    },
    predict(data, settings, rows) {
      const job = predictJob(data, settings, rows)
      return forestProbabilities(job, growOnThisThread(job, data.isCancelled))
    },
    onThreads: {
      async fit(data, settings, grow) {
        const { job, modelFrom } = fitJob(data, settings)
        return modelFrom(await grow.growForest(job, data.isCancelled))
      },
      async predict(data, settings, rows, grow) {
        const job = predictJob(data, settings, rows)
        return forestProbabilities(job, await grow.growForest(job, data.isCancelled))
      },
    },
    load: (file) => loadForest(file, kind),
  }
}

/** How threads divide a forest among them. Which thread grows which of its sums does not show in the result. */
/**
 * A small forest in at most so many slices, and fewer where one more is not worth its message and setting up the rows.
 * Threads that have a slice take the next sum from a common list until none is left, so that they end together, however
 * late one of them came or how slow it was. Of a large forest each sum is a job of its own: it takes long enough, and its
 * trees travel as soon as they are grown.
 */
export function forestSlices(job: ForestJob, most: number): ForestJob[] {
  if (!isSmallJob(job)) return Array.from({ length: sumCount(job) }, (_, at) => onlySum(job, at))
  const work = (job.treeTo - job.treeFrom) * job.trainRows.length
  const slices = Math.min(most, sumCount(job), Math.ceil(work / TEN_MILLISECONDS))
  if (slices <= 1) return [job]
  const slice = { ...job, taken: new Int32Array(new SharedArrayBuffer(4)) }
  return Array.from({ length: slices }, () => slice)
}

/** All of it on this thread. */
export function growOnThisThread(job: ForestJob, isCancelled: IsCancelled): ForestGrowth[] {
  return forestSlices(job, 1).map((slice) => growForest(slice, isCancelled))
}

/** The sums that a thread took up and did not bring back. */
export function growMissing(
  job: ForestJob,
  growths: readonly ForestGrowth[],
  isCancelled: IsCancelled,
): ForestGrowth[] {
  const grown = new Set(growths.flatMap(({ firstTrees }) => [...firstTrees]))
  return Array.from({ length: sumCount(job) }, (_, at) => onlySum(job, at))
    .filter(({ treeFrom }) => !grown.has(treeFrom))
    .map((missing) => growForest(missing, isCancelled))
}

function onlySum(job: ForestJob, at: number): ForestJob {
  const { from, to } = sumAt(job, at)
  return { ...job, treeFrom: from, treeTo: to }
}

/**
 * Grows the job's trees on this thread or, of a slice, those that it takes before it is called back. Which tier serves a
 * job changes its speed, never its result.
 */
export function growForest(job: ForestJob, isCancelled: IsCancelled, isCalledBack?: () => boolean): ForestGrowth {
  if (isTaken(job)) return new GrowthSoFar(job).end()
  if (job.cuts === 'random') return growRandomCuts(job, isCancelled, isCalledBack)
  return isSmallJob(job) ? growSmallForest(job, isCancelled, isCalledBack) : growLargeForest(job, isCancelled)
}
