import type { Granularity } from '@tradewright/core/granularity'
import { tickerKind } from '@tradewright/core/ticker-kind'
import { DAY, dayStamp, type EpochDay } from '@tradewright/core/time'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { type SampleSeries, sampleMarket } from '@tradewright/engine/market/sample/sample-market'
import type { SeriesTable } from '@tradewright/engine/market/series'

const market = sampleMarket()

/** Series of the sample market as a store would give them, with two years before the range to warm up on. */
export function sampleData(
  symbols: readonly string[],
  { from, to }: { from: EpochDay; to: EpochDay },
  granularity: Granularity,
): MarketData {
  const tables = symbols.map((symbol) => {
    const grain = tickerKind(symbol) === 'economic' ? '1d' : granularity
    const warmUp = grain === '1d' ? 730 * DAY : 0
    const rows = market.series(symbol, grain, { from: dayStamp(from) - warmUp, to: dayStamp(to + 1) })
    if (!rows) throw new Error(`the sample market has no ${symbol}`)
    return { table: tableOf(symbol, grain, rows), actions: rows.actions }
  })
  return {
    series: new Map(tables.map(({ table }) => [table.ticker, table])),
    actions: new Map(tables.map(({ table, actions }) => [table.ticker, actions])),
  }
}

const tableOf = (ticker: string, granularity: Granularity, { timestamps, columns }: SampleSeries): SeriesTable => ({
  ticker,
  granularity,
  type: tickerKind(ticker),
  currency: 'USD',
  timestamps,
  columns,
  sources: [],
})
