import { foreignExchangeSentence } from '@tradewright/core/exchange'
import { Problem } from '@tradewright/core/problem'
import { parseTicker } from '@tradewright/core/ticker'
import { isObservation, mainCategory } from '@tradewright/core/ticker-kind'
import { dayStamp, type EpochDay } from '@tradewright/core/time'
import { adjustPrices, actionsOf } from '@tradewright/engine/market/corporate-actions'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import type { SeriesTable } from '@tradewright/engine/market/series'
import type { SeriesFor } from '../../market-data/series-for.ts'
import type { Caller } from '../tool.ts'

/** One ticker's days: what was traded, and the same with dividends and splits, for returns. */
export interface PriceSeries {
  readonly ticker: string
  /** A price, and not an observation such as a rate. */
  readonly isPrice: boolean
  readonly timestamps: Float64Array
  readonly raw: Float64Array
  readonly adjusted: Float64Array
  readonly providers: readonly string[]
  readonly synthetic: boolean
}

export interface PriceAnswer {
  readonly series: readonly PriceSeries[]
  readonly missing: readonly { ticker: string; reason: string }[]
}

/** Both days belong to the range. */
export async function priceSeries(
  seriesFor: SeriesFor,
  { userId, signal }: Caller,
  tickers: readonly string[],
  { from, to }: { from: EpochDay; to: EpochDay },
): Promise<PriceAnswer> {
  const asked = [...new Set(tickers.map((ticker) => parseTicker(ticker).symbol))]
  const symbols = asked.filter((symbol) => foreignExchangeSentence(symbol) === undefined)
  const range = { from: dayStamp(from), to: dayStamp(to + 1) }
  const answer = await seriesFor({ userId, tickers: symbols, range, granularity: '1d', provider: 'auto' }, signal)
  return {
    series: symbols.flatMap((symbol) => toPriceSeries(answer.series.get(symbol)) ?? []),
    missing: [
      ...asked.flatMap((ticker) => {
        const reason = foreignExchangeSentence(ticker)
        return reason === undefined ? [] : [{ ticker, reason }]
      }),
      ...answer.missing.filter(({ hasRows }) => !hasRows).map(({ ticker, reason }) => ({ ticker, reason })),
    ],
  }
}

export async function onePriceSeries(...args: Parameters<typeof priceSeries>): Promise<PriceSeries> {
  const { series, missing } = await priceSeries(...args)
  const [found] = series
  if (found) return found
  throw new Problem('missing', 'market.no-data', missing[0]?.reason ?? `There is no data for ${args[2][0]}.`)
}

function toPriceSeries(table: SeriesTable | undefined): PriceSeries | undefined {
  const column = table?.columns[mainCategory(table.type)]
  if (!table || !column) return undefined
  const rows = [...column.keys()].filter((row) => Number.isFinite(column[row]))
  if (rows.length === 0) return undefined
  const isPrice = !isObservation(table.type)
  const adjusted = isPrice ? adjustPrices(table, actionsOf(table), 'total-return').columns['close'] : undefined
  const picked = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]!)
  return {
    ticker: table.ticker,
    isPrice,
    timestamps: picked(table.timestamps),
    raw: picked(column),
    adjusted: picked(adjusted ?? column),
    providers: [...new Set(table.sources.map(({ provider }) => provider))],
    synthetic: table.sources.some(({ provider }) => provider === SAMPLE_PROVIDER_ID),
  }
}
