import { readFileSync } from 'node:fs'
import { tickerKind } from '@tradewright/core/ticker-kind'
import { dateOf, dayStamp } from '@tradewright/core/time'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import type { CorporateActions } from '@tradewright/engine/market/corporate-actions'
import type { SeriesTable } from '@tradewright/engine/market/series'
import { csvColumns, numbers } from '../scripts/shared-data.ts'

const textOf = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

/** A committed reference file without the names of its libraries. Its shape is the caller's: it is not checked. */
// eslint-disable-next-line typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-parameters -- said above
export const referenceValues = <Shape>(name: string): Shape =>
  (JSON.parse(textOf(`values/${name}.json`)) as { values: Shape }).values

const marketCsv = (ticker: string): Record<string, string[]> => csvColumns(textOf(`market/${ticker}.csv`))

/** The committed prices of one ticker: session dates, and columns of numbers by name. */
export function referencePrices(ticker: string): { days: Int32Array; columns: Record<string, Float64Array> } {
  const { date, known_at: _, ...columns } = marketCsv(ticker)
  return {
    days: Int32Array.from(date!, dateOf),
    columns: Object.fromEntries(Object.entries(columns).map(([name, cells]) => [name, numbers(cells)])),
  }
}

/** The committed market as a backtest gets it: raw prices, with their splits and dividends beside them. */
export function referenceMarket(tickers: readonly string[]): MarketData {
  const series = new Map<string, SeriesTable>()
  const actions = new Map<string, CorporateActions>()
  for (const ticker of tickers) {
    const { days, columns } = referencePrices(ticker)
    const { dividend, split, ...prices } = columns
    const timestamps = Float64Array.from(days, dayStamp)
    series.set(ticker, {
      ticker,
      granularity: '1d',
      type: tickerKind(ticker),
      currency: 'USD',
      timestamps,
      columns: prices,
      ...(dividend ? {} : { knownAt: knownAt(ticker) }),
      sources: [],
    })
    const events = (column: Float64Array | undefined) =>
      [...days].flatMap((exDay, row) => (column && column[row]! > 0 ? [{ exDay, amount: column[row]! }] : []))
    actions.set(ticker, {
      splits: events(split).map(({ exDay, amount }) => ({ exDay, ratio: amount })),
      dividends: events(dividend),
    })
  }
  return { series, actions }
}

const knownAt = (ticker: string): Float64Array =>
  Float64Array.from(marketCsv(ticker)['known_at']!, (instant) => Date.parse(instant))
