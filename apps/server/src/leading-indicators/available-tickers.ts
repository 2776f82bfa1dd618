import { tickerKind, type TickerKind } from '@tradewright/core/ticker-kind'
import { type DailySeriesDeps, storedTickers, syntheticTickers } from './daily-series.ts'
import { tickerName } from '../tickers/catalogue.ts'

/** In the order in which they are shown. */
const CATEGORIES: readonly (readonly [name: string, kinds: readonly TickerKind[]])[] = [
  ['Stocks & ETFs', ['security']],
  ['Crypto', ['crypto']],
  ['Indices, currencies & futures', ['index', 'currency', 'future']],
  ['Economic', ['economic']],
  ['Crypto derivatives', ['funding_rate', 'open_interest', 'long_short_ratio', 'liquidations']],
]

interface NamedTicker {
  readonly ticker: string
  readonly name: string
}

/** Tickers for analysis: those the user has collected, and the sample market where it is on. */
export async function availableTickers(deps: DailySeriesDeps, userId: number): Promise<Map<string, NamedTicker[]>> {
  const [stored, synthetic] = await Promise.all([storedTickers(deps, userId), syntheticTickers(deps, userId)])
  const all = [...new Set([...stored.keys(), ...synthetic])].sort()
  const grouped = CATEGORIES.map(([name, kinds]) => {
    const own = all.filter((ticker) => kinds.includes(tickerKind(ticker)))
    return [name, own.map((ticker) => ({ ticker, name: tickerName(ticker) }))] as const
  })
  return new Map(grouped.filter(([, tickers]) => tickers.length > 0))
}
