import type { RecordFilter } from '@tradewright/engine/market/series-store'
import type { SeriesKey } from './series-key.ts'

const admits = (allowed: readonly string[] | undefined): ((word: string) => boolean) => {
  if (allowed === undefined || allowed.length === 0) return () => true
  const set = new Set(allowed)
  return (word) => set.has(word)
}

export function wordFilter(filter: Omit<RecordFilter, 'layer' | 'range'>): (words: SeriesKey) => boolean {
  const ticker = admits(filter.tickers)
  const category = admits(filter.categories)
  const provider = admits(filter.providers)
  const granularity = admits(filter.granularities)
  return (words) =>
    ticker(words.ticker) && category(words.category) && provider(words.provider) && granularity(words.granularity)
}

export const searchedWords = ['ticker', 'category', 'type', 'currency', 'provider'] as const

export const isFound = (word: string, search: string): boolean => word.toLowerCase().includes(search.toLowerCase())

/** There is one rule for upper and lower case in all stores, and it is this one. */
export const searchFilter =
  (search: string): ((words: SeriesKey) => boolean) =>
  (words) =>
    searchedWords.some((name) => isFound(words[name], search))
