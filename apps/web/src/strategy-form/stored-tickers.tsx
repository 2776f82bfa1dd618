import { SuggestionList } from '../ui/form/fields.tsx'
import { useStoredTickers } from './queries.ts'

export const STORED_TICKERS = 'stored-tickers'

/** Once on the page; every ticker field names it. */
export function StoredTickers() {
  return <SuggestionList id={STORED_TICKERS} values={useStoredTickers()} />
}
