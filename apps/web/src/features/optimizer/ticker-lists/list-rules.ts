import { type ListType, NO_LIST_NAME, NO_TICKERS } from '@tradewright/contract/ticker-lists'
import { parseTickers } from '../tickers.ts'

export const NOTHING_TO_DELETE = 'Select a list before attempting to delete.'
const NOTHING_TO_UPDATE = 'Select an existing list to update.'

interface ListDraft {
  type: ListType
  text: string
  name: string
  /** Of the list to update; null: a new one. */
  updated: { id: string } | null
}

/** Why a list cannot be saved; null: it can. */
export function refusalOfList({ type, text, name, updated }: ListDraft): string | null {
  if (parseTickers(text).length === 0) return NO_TICKERS[type]
  if (updated?.id === '') return NOTHING_TO_UPDATE
  return name.trim() === '' ? NO_LIST_NAME : null
}
