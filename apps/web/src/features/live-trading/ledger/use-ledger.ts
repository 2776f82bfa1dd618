import type { LedgerEntryType } from '@tradewright/contract/live-trading-fields'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useDetails } from '../queries.ts'
import { isFiltered, type LedgerFilter, ledgerQuery, matching, NO_FILTER, pageRange } from './ledger-filter.ts'

const TYPING_MS = 300
const NONE: readonly LedgerEntryType[] = []

/** A page of the ledger under a filter. */
export function useLedger(id: number) {
  const [page, setPage] = useState(1)
  const [filter, setFilter] = useState(NO_FILTER)
  const [types, setTypes] = useState(NONE)
  const [search] = useDebouncedValue(filter.search, TYPING_MS)
  const isNothingLeft = types.length > 0 && types.every((type) => filter.excluded.includes(type))
  const details = useDetails(id, ledgerQuery({ ...filter, search }, types, page), !isNothingLeft)
  const known = details.data?.ledger_entry_types
  // The types are of the whole ledger; they are kept for the time in which no call is made.
  if (known && known.length !== types.length) setTypes(known)

  const entries = isNothingLeft ? [] : matching(details.data?.ledger_entries ?? [], filter)
  const total = isNothingLeft ? 0 : (details.data?.ledger_pagination.total_entries ?? 0)
  const isLoading = !isNothingLeft && (details.isFetching || search !== filter.search)
  return {
    details,
    types,
    filter,
    entries,
    isLoading,
    isFiltered: isFiltered(filter),
    range: pageRange(page, total),
    setPage,
    change: (next: LedgerFilter) => {
      setFilter(next)
      setPage(1)
    },
  }
}

export type Ledger = ReturnType<typeof useLedger>
