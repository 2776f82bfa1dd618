import { tickerKind } from '@tradewright/core/ticker-kind'
import { type EpochDay, dateOf, dayStamp } from '@tradewright/core/time'
import type { Granularity } from '@tradewright/core/granularity'
import { numbers, readSharedCsv } from '../../../../../scripts/shared-data.ts'
import { undoDividendSplits, undoSplits, type CorporateActions } from '../../market/corporate-actions.ts'
import type { Rows } from '../../market/layers/rows.ts'
import { sampleMarket } from '../../market/sample/sample-market.ts'
import type { SeriesTable } from '../../market/series.ts'
import type { MarketData } from '../market-data.ts'

const market = sampleMarket()

/** Raw rows of the sample market, with a few years before `from` for features to warm up. */
export function sampleData(
  symbols: readonly string[],
  from: EpochDay,
  to: EpochDay,
  granularity: Granularity = '1d',
): MarketData {
  const series = new Map<string, SeriesTable>()
  const actions = new Map<string, CorporateActions>()
  for (const symbol of symbols) {
    const isEconomic = tickerKind(symbol) === 'economic'
    const grain = isEconomic ? '1d' : granularity
    const range = { from: dayStamp(from - (grain === '1d' ? 900 : 0)), to: dayStamp(to + 1) }
    const rows = market.series(symbol, grain, range)
    if (!rows) continue
    series.set(symbol, tableOf(symbol, rows, grain, 'sample'))
    actions.set(symbol, rows.actions)
  }
  return { series, actions }
}

/** Raw rows of the real files: they are split-adjusted, and what a store keeps is not. */
export function realData(tickers: readonly string[], economic: readonly string[] = []): MarketData {
  const series = new Map<string, SeriesTable>()
  const actions = new Map<string, CorporateActions>()
  for (const ticker of tickers) {
    const csv = readSharedCsv(`data/equities/daily/${ticker}.csv`)
    const days = csv['date']!.map(dateOf)
    const [dividend, split] = [numbers(csv['dividend']), numbers(csv['split'])]
    const splits = days.flatMap((exDay, i) => (split[i]! > 0 ? [{ exDay, ratio: split[i]! }] : []))
    const paid = days.flatMap((exDay, i) => (dividend[i]! > 0 ? [{ exDay, amount: dividend[i]! }] : []))
    const names = ['open', 'high', 'low', 'close', 'volume']
    const rows: Rows = {
      timestamps: Float64Array.from(days, dayStamp),
      columns: Object.fromEntries(names.map((name) => [name, numbers(csv[name])])),
    }
    series.set(ticker, tableOf(ticker, undoSplits(rows, splits), '1d', 'files'))
    actions.set(ticker, { splits, dividends: undoDividendSplits(paid, splits) })
  }
  for (const symbol of economic) {
    const csv = readSharedCsv(`data/macro/${symbol}.csv`)
    const timestamps = Float64Array.from(csv['date']!, (date) => dayStamp(dateOf(date)))
    series.set(symbol, tableOf(symbol, { timestamps, columns: { value: numbers(csv['value']) } }, '1d', 'files'))
  }
  return { series, actions }
}

function tableOf(ticker: string, rows: Rows, granularity: Granularity, provider: string): SeriesTable {
  const { timestamps, columns } = rows
  return {
    ticker,
    granularity,
    type: tickerKind(ticker),
    currency: 'USD',
    timestamps,
    columns,
    ...(rows.knownAt ? { knownAt: rows.knownAt } : {}),
    sources: [
      { provider, rows: timestamps.length, from: timestamps[0] ?? 0, last: timestamps.at(-1) ?? 0, collectedAt: 0 },
    ],
  }
}
