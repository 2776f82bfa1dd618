import { MISSING_CODE } from '../column-edges.ts'
import {
  logistic,
  type BoostedTree,
  LEAF,
  NODE_LINKS,
  NODE_NUMBERS,
  bestRounds,
  type BoostingGrowth,
  type BoostingJob,
} from './booster.ts'
import {
  codeRows,
  rowsToPredict,
  type Explanation,
  type Model,
  normalised,
  damagedFile,
  float64Of,
  int32Of,
  type ModelFile,
  packColumns,
  unpackColumns,
  valueOf,
  writeModelFile,
  checkLabels,
  labelledRows,
} from '../model.ts'
import { neverCancelled } from '../cancellation.ts'
import { checkRows, checkTrainRows, type CodedMatrix, codeTable } from '../coded-matrix.ts'
import { rowRange } from '../splits.ts'
import { growBoosting } from './grow.ts'
import { type BoostingSettings, checkBoostingSettings } from '../settings.ts'

interface BoostingParts {
  readonly edges: readonly Float64Array[]
  readonly baseMargin: number
  readonly trees: readonly BoostedTree[]
}

function boostingModel(parts: BoostingParts): Model {
  const { edges, trees, baseMargin } = parts
  return {
    kind: 'boosting',
    columnCount: edges.length,
    predict(columns, rows) {
      const wanted = rowsToPredict(columns, rows)
      const codes = codeRows(columns, edges, wanted, true)
      return Float64Array.from(wanted, (_, i) => {
        const row = codes.subarray(i * edges.length, (i + 1) * edges.length)
        let margin = baseMargin
        for (const tree of trees) margin += tree.numbers[leafOf(tree, row) * NODE_NUMBERS]!
        return logistic(margin)
      })
    },
    importances: () => gainImportances(trees, edges.length),
    explain(columns, row) {
      return explainBoosting(parts, codeRows(columns, edges, Int32Array.of(row), true))
    },
    save() {
      const { lengths, values } = packColumns(edges)
      const links = packColumns(trees.map((tree) => Float64Array.from(tree.links)))
      const numbers = packColumns(trees.map((tree) => tree.numbers))
      const arrays = {
        edgeCounts: lengths,
        edges: values,
        treeSizes: Int32Array.from(trees, (tree) => tree.links.length / NODE_LINKS),
        links: Int32Array.from(links.values),
        numbers: numbers.values,
      }
      return writeModelFile({ kind: 'boosting', values: { baseMargin }, arrays })
    },
  }
}

export function loadBoosting(file: ModelFile): Model {
  const edges = unpackColumns(int32Of(file, 'edgeCounts'), float64Of(file, 'edges'))
  const links = int32Of(file, 'links')
  const numbers = float64Of(file, 'numbers')
  let at = 0
  const trees = Array.from(int32Of(file, 'treeSizes'), (size) => {
    const tree = {
      links: links.slice(at * NODE_LINKS, (at + size) * NODE_LINKS),
      numbers: numbers.slice(at * NODE_NUMBERS, (at + size) * NODE_NUMBERS),
    }
    at += size
    checkTree(tree, size, edges.length)
    return tree
  })
  if (at * NODE_LINKS !== links.length) throw damagedFile()
  return boostingModel({ edges, baseMargin: valueOf(file, 'baseMargin'), trees })
}

/** Children come after their parent, so a damaged file cannot make a walk endless. */
function checkTree(tree: BoostedTree, size: number, columnCount: number): void {
  if (size < 1 || tree.links.length !== size * NODE_LINKS || tree.numbers.length !== size * NODE_NUMBERS) {
    throw damagedFile()
  }
  for (let node = 0; node < size; node++) {
    const [split, left, right] = tree.links.subarray(node * NODE_LINKS, (node + 1) * NODE_LINKS)
    if (split === LEAF) continue
    const forward = [left!, right!].every((child) => child > node && child < size)
    if (!forward || split! < 0 || split! >> 9 >= columnCount) throw damagedFile()
  }
}

function childOf(tree: BoostedTree, node: number, codes: Uint8Array): number {
  const at = node * NODE_LINKS
  const split = tree.links[at]!
  const code = codes[split >> 9]!
  const goesLeft = code === MISSING_CODE ? (split & 0x100) !== 0 : code <= (split & 0xff)
  return tree.links[goesLeft ? at + 1 : at + 2]!
}

function leafOf(tree: BoostedTree, codes: Uint8Array): number {
  let node = 0
  while (tree.links[node * NODE_LINKS] !== LEAF) node = childOf(tree, node, codes)
  return node
}

/** The share of each column in the gain of all splits (XGBoost's total_gain). */
function gainImportances(trees: readonly BoostedTree[], columnCount: number): Float64Array {
  const gains = new Float64Array(columnCount)
  for (const { links, numbers } of trees) {
    for (let node = 0; node * NODE_LINKS < links.length; node++) {
      const split = links[node * NODE_LINKS]!
      if (split !== LEAF) gains[split >> 9]! += numbers[node * NODE_NUMBERS + 1]!
    }
  }
  return normalised(gains)
}

/** A split's column is credited with the change from the node's own value to that of the child on the path. */
function explainBoosting({ edges, trees, baseMargin }: BoostingParts, codes: Uint8Array): Explanation {
  const contributions = new Float64Array(edges.length)
  let base = baseMargin
  let margin = baseMargin
  for (const tree of trees) {
    const value = (node: number) => tree.numbers[node * NODE_NUMBERS]!
    base += value(0)
    let node = 0
    while (tree.links[node * NODE_LINKS] !== LEAF) {
      const child = childOf(tree, node, codes)
      contributions[tree.links[node * NODE_LINKS]! >> 9]! += value(child) - value(node)
      node = child
    }
    margin += value(node)
  }
  return { probability: logistic(margin), unit: 'log-odds', base, contributions }
}

export interface BoostingRequest {
  readonly matrix: CodedMatrix
  /** As `encodeLabels` gives them; rows whose label is unknown are left out. */
  readonly labels: Int8Array
  readonly trainRows: Int32Array
  readonly settings: BoostingSettings
  readonly validationRows?: Int32Array
  readonly columns?: Int32Array
}

const noRows = new Int32Array(0)

/** The job of a model that is kept or, with test rows, of their probabilities alone. */
export function boostingJob(request: BoostingRequest, testRows?: Int32Array): BoostingJob {
  const { matrix, labels, settings, validationRows = noRows } = request
  checkBoostingSettings(settings)
  checkLabels(labels, matrix.rowCount)
  checkTrainRows(request.trainRows, matrix.rowCount)
  checkRows(validationRows, matrix.rowCount)
  checkRows(testRows ?? noRows, matrix.rowCount)
  const trainRows = labelledRows(request.trainRows, labels)
  checkTrainRows(trainRows, matrix.rowCount)
  const columns = request.columns ?? rowRange(0, matrix.columnCount)
  checkRows(columns, matrix.columnCount)
  return {
    matrix: codeTable(matrix),
    labels,
    columns,
    trainRows,
    validationRows: labelledRows(validationRows, labels),
    testRows: testRows ?? noRows,
    settings: leafWeight(settings, trainRows.length),
    keepTrees: testRows === undefined,
  }
}

/** A row weighs p (1 - p), a quarter at even odds. */
function leafWeight(settings: BoostingSettings, trainRows: number): BoostingSettings {
  const { minLeafShare, ...rest } = settings
  if (minLeafShare === undefined) return settings
  return { ...rest, minChildWeight: Math.max(settings.minChildWeight, (minLeafShare * trainRows) / 4) }
}

const FOLDS = 3
/**
 * The share of the training rows that is left out on both sides of a fold: their labels look into it, and its labels
 * into them.
 */
const PURGED_SHARE = 0.025

/**
 * The request with as many rounds as predict rows best that were not learned from: three folds of consecutive rows, each
 * predicted by a model of the others. Without early stopping, or with validation rows, the request as it is.
 */
export function withFoundRounds(request: BoostingRequest, isCancelled = neverCancelled): BoostingRequest {
  const { settings, validationRows } = request
  if (settings.earlyStoppingRounds === null || validationRows !== undefined) return request
  const rows = labelledRows(request.trainRows, request.labels).toSorted()
  const gap = Math.ceil(PURGED_SHARE * rows.length)
  if (rows.length < MIN_ROWS_TO_FOLD) return { ...request, settings: { ...settings, earlyStoppingRounds: null } }
  const total = new Float64Array(settings.rounds)
  for (let fold = 0; fold < FOLDS; fold++) {
    const [from, to] = [fold, fold + 1].map((part) => Math.floor((part * rows.length) / FOLDS)) as [number, number]
    const others = rows.filter((_, i) => i < from - gap || i >= to + gap)
    // Every round is counted: folds that stop at different rounds have no common mean.
    const inFold = { ...request, trainRows: others, validationRows: rows.slice(from, to) }
    const job = boostingJob({ ...inFold, settings: { ...settings, earlyStoppingRounds: null } }, noRows)
    growBoosting(job, isCancelled).validationLosses.forEach((loss, round) => (total[round]! += loss))
  }
  return { ...request, settings: { ...settings, rounds: bestRounds([...total]), earlyStoppingRounds: null } }
}

const MIN_ROWS_TO_FOLD = 60

interface FittedBoosting {
  readonly model: Model
  readonly rounds: number
  readonly validationLosses: readonly number[]
}

export function boostingFrom(matrix: CodedMatrix, job: BoostingJob, growth: BoostingGrowth): FittedBoosting {
  const edges = Array.from(job.columns, (column) => matrix.edges[column]!)
  const { baseMargin, trees, rounds, validationLosses } = growth
  return { model: boostingModel({ edges, baseMargin, trees }), rounds, validationLosses }
}

export function boostingProbabilities(growth: BoostingGrowth): Float64Array {
  return growth.testMargins.map(logistic)
}

/** Fits on this thread. */
export function fitBoosting(request: BoostingRequest, isCancelled = neverCancelled): FittedBoosting {
  const job = boostingJob(request)
  return boostingFrom(request.matrix, job, growBoosting(job, isCancelled))
}

export function fitAndPredictBoosting(request: BoostingRequest, testRows: Int32Array, isCancelled = neverCancelled) {
  return boostingProbabilities(growBoosting(boostingJob(request, testRows), isCancelled))
}
