import type { EpochDay } from '@tradewright/core/time'
import { catalogue, tickerName } from './catalogue.ts'
import type { StoredSeriesOf } from './ports.ts'

interface NamedTicker {
  readonly ticker: string
  readonly name: string
}

interface FoundTicker extends NamedTicker {
  /** `stored`: rows of it are in the user's default store. */
  readonly source: 'stored' | 'catalogue' | 'sec'
  /** The id of the provider of stored rows. */
  readonly provider?: string
  readonly first?: EpochDay
  /** The first year with data, where the built-in catalogue states it. */
  readonly sinceYear: number | undefined
}

export interface SearchDeps {
  readonly stored: StoredSeriesOf
  /** What is known of the SEC's list of companies; never waited for. */
  readonly secCompanies: () => readonly NamedTicker[]
}

/**
 * Tickers whose symbol or name has the text: the exact symbol first, then symbols that begin so, then names that begin so,
 * then names with such a word, then the rest. Of equal ones the user's own come first, then the catalogue's, then the SEC's.
 */
export async function searchTickers(
  { stored, secCompanies }: SearchDeps,
  userId: number,
  text: string,
  limit: number,
): Promise<FoundTicker[]> {
  const own = (await stored(userId)).map(({ ticker, provider, first }): FoundTicker => ({
    ticker,
    name: tickerName(ticker),
    source: 'stored',
    provider,
    first,
    sinceYear: undefined,
  }))
  const wanted = text.trim().toUpperCase()
  const found: { rank: number; ticker: FoundTicker }[] = []
  const seen = new Set<string>()
  const consider = (one: FoundTicker) => {
    const rank = rankOf(one, wanted)
    if (rank === undefined || seen.has(one.ticker)) return
    seen.add(one.ticker)
    found.push({ rank, ticker: one })
  }
  for (const one of own) consider(one)
  for (const entry of catalogue) consider({ ...entry, source: 'catalogue' })
  if (wanted !== '')
    for (const { ticker, name } of secCompanies()) consider({ ticker, name, source: 'sec', sinceYear: undefined })
  return found
    .sort((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(({ ticker }) => ticker)
}

function rankOf({ ticker, name }: NamedTicker, wanted: string): number | undefined {
  if (ticker === wanted) return 0
  if (ticker.startsWith(wanted)) return 1
  const upper = name.toUpperCase()
  if (upper.startsWith(wanted)) return 2
  if (upper.includes(` ${wanted}`)) return 3
  return upper.includes(wanted) || ticker.includes(wanted) ? 4 : undefined
}
