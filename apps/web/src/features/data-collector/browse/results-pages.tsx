import { BROWSE_PAGE_SIZE } from '@tradewright/contract/collected-data'
import type { Dispatch } from 'react'
import { Pagination } from '../../../ui/table/pagination.tsx'
import type { BrowseAction } from './browse-state.ts'

const NUMBERS = 5

interface ResultsPagesProps {
  page: number
  total: number
  act: Dispatch<BrowseAction>
}

export function ResultsPages({ page, total, act }: ResultsPagesProps) {
  return (
    <Pagination
      page={page}
      pageSize={BROWSE_PAGE_SIZE}
      total={total}
      numbersAtMost={NUMBERS}
      onChange={(next) => act({ do: 'turn to', page: next })}
      label="Pages of records"
    />
  )
}
