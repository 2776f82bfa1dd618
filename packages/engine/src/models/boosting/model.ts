import { MISSING_CODE } from '../column-edges.ts'
import { logistic } from '../exponential.ts'
import { codeRows, rowsToPredict } from '../model-input.ts'
import {
  damagedFile,
  float64Of,
  int32Of,
  type ModelFile,
  packColumns,
  unpackColumns,
  valueOf,
  writeModelFile,
} from '../model-file.ts'
import { type Explanation, type Model, normalised } from '../model.ts'
import { type BoostedTree, LEAF, NODE_LINKS, NODE_NUMBERS } from './job.ts'

interface BoostingParts {
  readonly edges: readonly Float64Array[]
  readonly baseMargin: number
  readonly trees: readonly BoostedTree[]
}

export function boostingModel(parts: BoostingParts): Model {
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
