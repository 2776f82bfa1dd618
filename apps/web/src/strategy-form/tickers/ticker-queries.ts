import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { listTickerLists } from '@tradewright/contract/ticker-lists'
import { type FoundTicker, lookUpTicker, searchTickers } from '@tradewright/contract/tickers'
import { call } from '../../lib/http.ts'
import { refusalOf } from './ticker-text.ts'

const SEARCH_PAUSE_MS = 150
const LOOKUP_PAUSE_MS = 400
const MINUTE_MS = 60_000
/** A note names what is wrong with the first ones; a long list is checked by the run. */
const MAX_LOOKUPS = 12

interface TickerSearch {
  found: readonly FoundTicker[]
  /** Why there are no suggestions; undefined while there may be. */
  failure: string | undefined
}

const SEARCH_FAILED = 'Suggestions could not be loaded. The ticker can be typed in full.'

export function useTickerSearch(text: string, isActive: boolean): TickerSearch {
  const [settled] = useDebouncedValue(text, SEARCH_PAUSE_MS)
  const { data, isError } = useQuery({
    queryKey: ['ticker search', settled],
    queryFn: async ({ signal }) => (await call(searchTickers, { query: { q: settled.slice(0, 60) }, signal })).tickers,
    enabled: isActive,
    staleTime: MINUTE_MS,
    placeholderData: keepPreviousData,
    retry: false,
  })
  // Suggestions for an earlier text would be wrong ones.
  return isError ? { found: [], failure: SEARCH_FAILED } : { found: data ?? [], failure: undefined }
}

/** What is known about each ticker, when the typing pauses. Texts that are no tickers are not asked for. */
export function useTickerLookups(tickers: readonly string[]) {
  const [settled] = useDebouncedValue(tickers.join(','), LOOKUP_PAUSE_MS)
  const symbols = settled.split(',').flatMap((ticker) => {
    const symbol = (ticker.split('?')[0] ?? '').trim().toUpperCase()
    return symbol && refusalOf(symbol) === undefined ? [symbol] : []
  })
  const answers = useQueries({
    queries: [...new Set(symbols)].slice(0, MAX_LOOKUPS).map((ticker) => ({
      queryKey: ['ticker', ticker],
      queryFn: ({ signal }: { signal: AbortSignal }) => call(lookUpTicker, { query: { ticker }, signal }),
      staleTime: MINUTE_MS,
      retry: false,
    })),
  })
  return answers.flatMap(({ data }) => data ?? [])
}

export const TICKER_LISTS_KEY = ['ticker lists'] as const

export function useTickerLists() {
  return useQuery({
    queryKey: TICKER_LISTS_KEY,
    queryFn: async ({ signal }) => (await call(listTickerLists, { signal })).lists,
  })
}
