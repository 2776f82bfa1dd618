import type { Category } from '@tradewright/core/category'
import type { TickerKind } from '@tradewright/core/ticker-kind'
import type { TimeRange, UtcMillis } from '@tradewright/core/time'
import type { RefusedRow } from '../refused-row.ts'
import type { SeriesBlock } from '../series.ts'
import { refuseImpossibleRows } from './validate-rows.ts'
import { takeRows } from './rows.ts'
import type { StampRule } from './stamps.ts'

/** How one provider's words become ours. */
export interface NormalisationRules {
  /** Our symbol for the series. */
  readonly ticker: string
  readonly type: TickerKind
  /** The provider's field to our category; fields that are not named stay in bronze. */
  readonly categories: Readonly<Record<string, Category>>
  /** Factors to our units by category, such as 0.01 for a percent that we keep as a fraction. */
  readonly scale?: Readonly<Record<Category, number>>
  readonly stamp: StampRule
  /** Rows outside it are dropped: some providers send more than they were asked for. */
  readonly range: TimeRange
  /** Bars that open at or after this are still forming, and dropped. */
  readonly unfinishedFrom?: UtcMillis
  /** Coinbase sends the newest row first. */
  readonly newestFirst?: boolean
}

interface Normalised {
  readonly silver: SeriesBlock
  readonly refused: readonly RefusedRow[]
  /** Rows left out without blame: wholly empty, outside the range, or unfinished. */
  readonly dropped: number
}

/** Bronze to silver: our ticker, stamps and categories, ascending, with impossible rows named and left behind. */
export function normalise(bronze: SeriesBlock, rules: NormalisationRules): Normalised {
  const renamed = renameFields(bronze, rules)
  const kept = rowsToKeep(renamed, rules)
  const { accepted, refused } = refuseImpossibleRows(takeRows(renamed, kept))
  // Rows are named as they came, so that the complaint can be checked against bronze.
  const asSent = (refusal: RefusedRow): RefusedRow => ({ ...refusal, row: kept[refusal.row]! })
  return { silver: accepted, refused: refused.map(asSent), dropped: bronze.timestamps.length - kept.length }
}

function renameFields(
  bronze: SeriesBlock,
  { ticker, type, categories, scale, stamp }: NormalisationRules,
): SeriesBlock {
  const columns = Object.entries(categories).flatMap(([field, category]) => {
    const column = bronze.columns[field]
    const factor = scale?.[category]
    if (!column) return []
    return [[category, factor === undefined ? column : column.map((value) => value * factor)] as const]
  })
  return { ...bronze, ticker, type, timestamps: bronze.timestamps.map(stamp), columns: Object.fromEntries(columns) }
}

function rowsToKeep(block: SeriesBlock, { range, unfinishedFrom, newestFirst }: NormalisationRules): Int32Array {
  const { timestamps } = block
  const columns = Object.values(block.columns)
  const end = Math.min(range.to, unfinishedFrom ?? range.to)
  const kept = new Int32Array(timestamps.length)
  let count = 0
  for (let row = 0; row < timestamps.length; row++) {
    const stamp = timestamps[row]!
    // A stamp that is no number is kept here, to be refused by name.
    const isOutside = stamp < range.from || stamp >= end
    if (!isOutside && columns.some((column) => !Number.isNaN(column[row]!))) kept[count++] = row
  }
  const rows = kept.subarray(0, count)
  return newestFirst ? rows.toReversed() : rows
}
