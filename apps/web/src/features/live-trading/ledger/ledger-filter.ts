import { LEDGER_PAGE_SIZE, type LedgerEntry, type LedgerEntryType } from '@tradewright/contract/live-trading-fields'
import { formatQuantity } from '../../../lib/format.ts'

export interface LedgerFilter {
  excluded: readonly LedgerEntryType[]
  search: string
}

export const NO_FILTER: LedgerFilter = { excluded: [], search: '' }

export const isFiltered = ({ excluded, search }: LedgerFilter) => excluded.length > 0 || search.trim() !== ''

export function toggled(filter: LedgerFilter, type: LedgerEntryType): LedgerFilter {
  const { excluded } = filter
  return { ...filter, excluded: excluded.includes(type) ? excluded.filter((one) => one !== type) : [...excluded, type] }
}

/** The query of the call. Without a filter it is the plain one, so that it answers as it always does. */
export function ledgerQuery({ excluded, search }: LedgerFilter, types: readonly LedgerEntryType[], page: number) {
  return {
    page,
    page_size: LEDGER_PAGE_SIZE,
    ...(excluded.length > 0 ? { entry_types: types.filter((type) => !excluded.includes(type)).join(',') } : {}),
    ...(search.trim() ? { search: search.trim() } : {}),
  }
}

/** Filters at once, on the page in sight, until the server has counted over all pages. */
export function matching(entries: readonly LedgerEntry[], { excluded, search }: LedgerFilter): LedgerEntry[] {
  const wanted = search.trim().toLowerCase()
  return entries.filter(
    ({ entry_type, note, direction }) =>
      !excluded.includes(entry_type) && `${entry_type}\n${direction}\n${note ?? ''}`.toLowerCase().includes(wanted),
  )
}

interface PageRange {
  from: number
  to: number
  total: number
  page: number
  pages: number
}

/** `Showing {from}-{to} of {total}`, and at least one page. */
export function pageRange(page: number, total: number, pageSize = LEDGER_PAGE_SIZE): PageRange {
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const from = total === 0 ? 0 : (page - 1) * pageSize + 1
  return { from, to: Math.min(total, page * pageSize), total, page, pages }
}

/** `SPY 12.5` of each that is held. */
export function positionTexts(positions: Record<string, number>): string[] {
  const held = Object.entries(positions).filter(([, quantity]) => quantity !== 0)
  return held.map(([symbol, quantity]) => `${symbol} ${formatQuantity(quantity)}`)
}
