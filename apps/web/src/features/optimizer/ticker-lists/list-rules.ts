import { type ListType, NO_LIST_NAME, NO_TICKERS, type TickerList } from '@tradewright/contract/ticker-lists'
import { parseTickers, tickersText } from '../form/tickers.ts'

export const NOTHING_TO_DELETE = 'Select a list before attempting to delete.'
const NOTHING_TO_UPDATE = 'Select an existing list to update.'

interface ListDraft {
  type: ListType
  text: string
  name: string
  /** The list to update; null: a new one. */
  updated: { id: string } | null
}

/** Why a list cannot be saved; null: it can. */
export function refusalOfList({ type, text, name, updated }: ListDraft): string | null {
  if (parseTickers(text).length === 0) return NO_TICKERS[type]
  if (updated?.id === '') return NOTHING_TO_UPDATE
  return name.trim() === '' ? NO_LIST_NAME : null
}

/** The text says something else than the list by now. */
export const isEdited = ({ tickers }: Pick<TickerList, 'tickers'>, text: string): boolean =>
  tickersText(parseTickers(text)) !== tickersText(tickers)

/** The lists that a run's tickers come from: none that is gone, and none whose tickers were changed in the form. */
export function usedListIds(lists: readonly Pick<TickerList, 'id' | 'tickers'>[], listId: string, text: string) {
  return lists.filter((list) => String(list.id) === listId && !isEdited(list, text)).map(({ id }) => id)
}
