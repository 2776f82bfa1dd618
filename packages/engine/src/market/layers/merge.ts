import { type Category, observationCategory, releaseCategories } from '@tradewright/core/category'
import type { CategoryColumns, SeriesBlock } from '../series.ts'
import { takeRows } from './rows.ts'

interface Merged {
  /** The values each provider won: blocks of the categories that are decided together, with only the rows it won. */
  readonly blocks: readonly SeriesBlock[]
  /** Values that two providers gave differently. */
  readonly conflicts: number
}

/** Smaller differences are rounding: providers send between six and nine digits. */
const CONFLICT_TOLERANCE = 1e-5

interface Taken {
  readonly timestamps: Float64Array
  readonly columns: CategoryColumns
}

/** Prices of one bar are taken whole: the open of one provider beside the close of another was never a traded bar. */
const BAR_PRICES: ReadonlySet<Category> = new Set(['open', 'high', 'low', 'close'])

/** What is told about an observation belongs to the value of the same provider. */
const OBSERVATION: ReadonlySet<Category> = new Set([observationCategory, ...releaseCategories])

/**
 * Silver blocks of one ticker, best provider first, to gold. Other categories are decided one by one. A block in another
 * currency than that of the best provider stays in silver: its numbers would continue those of the best as if they were the same.
 */
export function mergeByPrecedence(offered: readonly SeriesBlock[]): Merged {
  const silver = offered.filter(({ currency }) => currency === offered[0]!.currency)
  const [best, ...others] = silver
  if (!best) return { blocks: [], conflicts: 0 }
  if (others.length === 0) return { blocks: [best], conflicts: 0 }
  const blocks: SeriesBlock[] = []
  const takenByGroup = new Map<string, Taken[]>()
  let conflicts = 0
  for (const block of silver) {
    for (const [group, columns] of categoryGroups(block.columns)) {
      const taken = takenByGroup.get(group) ?? []
      const won = freeRowsOf({ timestamps: block.timestamps, columns }, taken)
      conflicts += won.conflicts
      takenByGroup.set(group, [...taken, { timestamps: block.timestamps, columns: won.columns }])
      blocks.push(withoutEmptyRows({ ...block, columns: won.columns }))
    }
  }
  return { blocks: blocks.filter(({ timestamps }) => timestamps.length > 0), conflicts }
}

function categoryGroups(columns: CategoryColumns): Map<string, CategoryColumns> {
  const groups = new Map<string, Record<Category, Float64Array>>()
  for (const [category, column] of Object.entries(columns)) {
    const group = groupOf(category)
    groups.set(group, { ...groups.get(group), [category]: column })
  }
  return groups
}

function groupOf(category: Category): string {
  if (BAR_PRICES.has(category)) return 'bar'
  return OBSERVATION.has(category) ? 'observation' : category
}

/** Empties the rows that a better provider has already filled, comparing values on the way. */
function freeRowsOf(offered: Taken, taken: readonly Taken[]): { columns: CategoryColumns; conflicts: number } {
  const columns = Object.fromEntries(Object.entries(offered.columns).map(([name, column]) => [name, column.slice()]))
  let conflicts = 0
  for (const better of taken) {
    const isFilled = rowsWithValues(better)
    const pairs = Object.entries(columns).map(([category, column]) => ({ column, rival: better.columns[category] }))
    forEachSharedRow(better.timestamps, offered.timestamps, (betterRow, row) => {
      if (!isFilled[betterRow]) return
      for (const { column, rival } of pairs) {
        if (differ(rival?.[betterRow], column[row]!)) conflicts++
        column[row] = Number.NaN
      }
    })
  }
  return { columns, conflicts }
}

function forEachSharedRow(a: Float64Array, b: Float64Array, visit: (rowA: number, rowB: number) => void): void {
  for (let i = 0, k = 0; i < a.length && k < b.length;) {
    if (a[i]! < b[k]!) i++
    else if (a[i]! > b[k]!) k++
    else visit(i++, k++)
  }
}

function rowsWithValues({ timestamps, columns }: Taken): Uint8Array {
  const filled = new Uint8Array(timestamps.length)
  for (const column of Object.values(columns)) {
    for (let row = 0; row < column.length; row++) if (!Number.isNaN(column[row]!)) filled[row] = 1
  }
  return filled
}

function differ(a: number | undefined, b: number): boolean {
  if (a === undefined || Number.isNaN(a) || Number.isNaN(b)) return false
  return Math.abs(a - b) > CONFLICT_TOLERANCE * Math.max(Math.abs(a), Math.abs(b))
}

function withoutEmptyRows(block: SeriesBlock): SeriesBlock {
  const isFilled = rowsWithValues(block)
  const rows: number[] = []
  for (let row = 0; row < isFilled.length; row++) if (isFilled[row]) rows.push(row)
  return rows.length === isFilled.length ? block : takeRows(block, rows)
}
