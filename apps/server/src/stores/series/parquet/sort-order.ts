import type { RecordField } from '@tradewright/engine/market/series-store'
import type { StoredRun } from './difference.ts'
import type { WordName } from '../runs/series-key.ts'

export type NumberField = 'timestamp' | 'value' | 'collected_at'
export type SortField = NumberField | WordName

export interface SortKey {
  readonly field: SortField
  readonly isDescending: boolean
}

export const isNumberField = (field: SortField): field is NumberField =>
  field === 'timestamp' || field === 'value' || field === 'collected_at'

/** Ties are broken in this order, ascending, whatever the sort: two pages never show the same record. */
const TIE_BREAKERS = ['timestamp', 'ticker', 'category', 'provider', 'granularity'] as const

export function sortKeys(sortBy: RecordField, sortOrder: 'asc' | 'desc'): SortKey[] {
  const ties = TIE_BREAKERS.filter((field) => field !== sortBy)
  return [
    { field: sortBy, isDescending: sortOrder === 'desc' },
    ...ties.map((field) => ({ field, isDescending: false })),
  ]
}

/** A record without an object of its own. */
export interface RowReference {
  readonly run: StoredRun
  readonly row: number
}

function fieldOf(field: SortField, { run, row }: RowReference): string | number {
  return isNumberField(field) ? run.column[COLUMN_OF[field]][row]! : run.words[field]
}

const COLUMN_OF = { timestamp: 'timestamps', value: 'values', collected_at: 'collectedAt' } as const

export function compareRows(keys: readonly SortKey[], a: RowReference, b: RowReference): number {
  for (const { field, isDescending } of keys) {
    const [left, right] = [fieldOf(field, a), fieldOf(field, b)]
    if (left !== right) return left < right === isDescending ? 1 : -1
  }
  return 0
}
