import type { ModelKind } from '@tradewright/core/model-catalogue'
import {
  codeRows,
  rowsToPredict,
  type Explanation,
  type Model,
  normalised,
  damagedFile,
  int32Of,
  type ModelFile,
  packColumns,
  unpackColumns,
  float64Of,
  valueOf,
  writeModelFile,
} from '../model.ts'
import { LEAF, NODE_POSITIVES, NODE_RIGHT, NODE_SIZE, NODE_SPLIT, NODE_WEIGHT } from './job.ts'

/** Nodes as in `ForestGrowth`, edges per column. */
interface ForestParts {
  readonly kind: ModelKind
  readonly edges: readonly Float64Array[]
  readonly nodes: Int32Array
  readonly treeSizes: Int32Array
  /** So many trees are added up before their sum joins the total: the order of sums in which the forest was grown. */
  readonly treesPerSum: number
}

export function forestModel(parts: ForestParts): Model {
  const { edges, nodes } = parts
  const roots = rootsOf(parts.treeSizes)
  return {
    kind: parts.kind,
    columnCount: edges.length,
    predict(columns, rows) {
      const wanted = rowsToPredict(columns, rows)
      const codes = codeRows(columns, edges, wanted, false)
      const sums = new Float64Array(wanted.length)
      for (let tree = 0; tree < roots.length; tree += parts.treesPerSum) {
        const part = new Float64Array(wanted.length)
        for (const root of roots.subarray(tree, tree + parts.treesPerSum))
          addTree(nodes, root, codes, edges.length, part)
        for (let i = 0; i < sums.length; i++) sums[i]! += part[i]!
      }
      return sums.map((sum) => sum / roots.length)
    },
    importances: () => impurityImportances(nodes, roots, edges.length),
    explain(columns, row) {
      const codes = codeRows(columns, edges, Int32Array.of(row), false)
      return explainForest(nodes, roots, codes)
    },
    save() {
      const { lengths, values } = packColumns(edges)
      const arrays = { edgeCounts: lengths, edges: values, nodes, treeSizes: parts.treeSizes }
      return writeModelFile({ kind: parts.kind, values: { treesPerSum: parts.treesPerSum }, arrays })
    },
  }
}

export function loadForest(file: ModelFile, kind: ModelKind): Model {
  const parts = {
    kind,
    edges: unpackColumns(int32Of(file, 'edgeCounts'), float64Of(file, 'edges')),
    nodes: int32Of(file, 'nodes'),
    treeSizes: int32Of(file, 'treeSizes'),
    treesPerSum: valueOf(file, 'treesPerSum'),
  }
  if (!(parts.treesPerSum >= 1)) throw damagedFile()
  checkTrees(parts)
  return forestModel(parts)
}

function rootsOf(treeSizes: Int32Array): Int32Array {
  const roots = new Int32Array(treeSizes.length)
  for (let tree = 1; tree < roots.length; tree++) roots[tree] = roots[tree - 1]! + treeSizes[tree - 1]!
  return roots
}

/** A walk from node to node only ever goes forward, so a damaged file cannot make it endless. */
function checkTrees({ edges, nodes, treeSizes }: ForestParts): void {
  const total = treeSizes.reduce((sum, size) => sum + size, 0)
  if (treeSizes.length === 0 || treeSizes.some((size) => size < 1) || total * NODE_SIZE !== nodes.length)
    throw damagedFile()
  let root = 0
  for (const size of treeSizes) {
    for (let node = 0; node < size; node++) {
      const at = (root + node) * NODE_SIZE
      const split = nodes[at + NODE_SPLIT]!
      if (nodes[at + NODE_WEIGHT]! < 1) throw damagedFile()
      if (split === LEAF) continue
      const right = nodes[at + NODE_RIGHT]!
      if (split < 0 || split >> 8 >= edges.length || right <= node + 1 || right >= size) throw damagedFile()
    }
    root += size
  }
}

function addTree(nodes: Int32Array, root: number, codes: Uint8Array, columnCount: number, sums: Float64Array): void {
  for (let i = 0, row = 0; i < sums.length; i++, row += columnCount) {
    let at = root * NODE_SIZE
    let split = nodes[at]!
    while (split !== LEAF) {
      at = codes[row + (split >> 8)]! <= (split & 0xff) ? at + NODE_SIZE : (root + nodes[at + NODE_RIGHT]!) * NODE_SIZE
      split = nodes[at]!
    }
    sums[i]! += nodes[at + NODE_POSITIVES]! / nodes[at + NODE_WEIGHT]!
  }
}

/** scikit-learn's: per tree the decrease of Gini impurity that each column brought, normalised, then averaged. */
function impurityImportances(nodes: Int32Array, roots: Int32Array, columnCount: number): Float64Array {
  const sum = new Float64Array(columnCount)
  for (let tree = 0; tree < roots.length; tree++) {
    const end = tree + 1 < roots.length ? roots[tree + 1]! : nodes.length / NODE_SIZE
    const decrease = treeDecrease(nodes, roots[tree]!, end, columnCount)
    normalised(decrease).forEach((share, column) => (sum[column]! += share))
  }
  return normalised(sum)
}

function treeDecrease(nodes: Int32Array, root: number, end: number, columnCount: number): Float64Array {
  const decrease = new Float64Array(columnCount)
  for (let node = root; node < end; node++) {
    const at = node * NODE_SIZE
    const split = nodes[at + NODE_SPLIT]!
    if (split === LEAF) continue
    const weight = nodes[at + NODE_WEIGHT]!
    const left = nodes[at + NODE_SIZE + NODE_WEIGHT]!
    const difference = nodes[at + NODE_SIZE + NODE_POSITIVES]! * weight - nodes[at + NODE_POSITIVES]! * left
    decrease[split >> 8]! += (2 * difference * difference) / (weight * left * (weight - left))
  }
  return decrease
}

/** Along the path of each tree, a split's column is credited with the change of the node's fraction of positives. */
function explainForest(nodes: Int32Array, roots: Int32Array, codes: Uint8Array): Explanation {
  const contributions = new Float64Array(codes.length)
  const fraction = (at: number) => nodes[at + NODE_POSITIVES]! / nodes[at + NODE_WEIGHT]!
  let base = 0
  let probability = 0
  for (const root of roots) {
    let at = root * NODE_SIZE
    base += fraction(at) / roots.length
    for (let split = nodes[at]!; split !== LEAF; split = nodes[at]!) {
      const column = split >> 8
      const goesLeft = codes[column]! <= (split & 0xff)
      const next = goesLeft ? at + NODE_SIZE : (root + nodes[at + NODE_RIGHT]!) * NODE_SIZE
      contributions[column]! += (fraction(next) - fraction(at)) / roots.length
      at = next
    }
    probability += fraction(at) / roots.length
  }
  return { probability, unit: 'probability', base, contributions }
}
