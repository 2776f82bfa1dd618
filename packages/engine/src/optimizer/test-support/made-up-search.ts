import { Random } from '@tradewright/core/random'
import { dateOf, dayStamp } from '@tradewright/core/time'
import type { MarketData } from '../../backtest/market-data.ts'
import { nyse } from '../../market/trading-calendar.ts'
import type { SeriesTable } from '../../market/series.ts'
import { defaultForestSettings } from '../../models/settings.ts'
import type { SearchRequest } from '../request.ts'

const FROM = dateOf('2022-01-03')
export const TO = dateOf('2023-12-29')
/** Features warm up on the rows before. */
const FIRST = dateOf('2021-06-01')

/**
 * A market of four tickers: TGT is what is to be foreseen, SIG may know its next return, NO1 and NO2 know nothing.
 *
 * @param strength share of TGT's next return that SIG's return of the day tells, 0 to 1
 */
export function madeUpMarket(seed: number, strength: number): MarketData {
  const days = [...nyse.sessionsBetween(FIRST, TO + 1)]
  const random = new Random(seed)
  const returns = () => Array.from(days, () => (random.float() + random.float() + random.float() - 1.5) / 50)
  const signal = returns()
  const target = returns().map((own, day) => (1 - strength) * own + strength * (signal[day - 1] ?? 0))
  const tables = [
    seriesOf('TGT', days, target),
    seriesOf('SIG', days, signal),
    seriesOf('NO1', days, returns()),
    seriesOf('NO2', days, returns()),
  ]
  return { series: new Map(tables.map((table) => [table.ticker, table])) }
}

function seriesOf(ticker: string, days: readonly number[], returns: readonly number[]): SeriesTable {
  let price = 100
  const close = Float64Array.from(returns, (earned) => (price *= 1 + earned))
  // Fills happen at the open, so it must not know the day.
  const open = close.map((_, day) => (day === 0 ? 100 : close[day - 1]!))
  const columns = { open, high: close.map((one) => one * 1.01), low: close.map((one) => one * 0.99), close }
  const volume = close.map((_, day) => 1e6 + 1000 * ((day * 37) % 101))
  const timestamps = Float64Array.from(days, dayStamp)
  return {
    ticker,
    type: 'security',
    granularity: '1d',
    currency: 'USD',
    timestamps,
    columns: { ...columns, volume },
    sources: [],
  }
}

/** A small search on that market. */
export const searchRequest = (more: Partial<SearchRequest> = {}): SearchRequest => ({
  from: FROM,
  to: TO,
  granularity: '1d',
  seed: 7,
  targets: [{ asset: 'TGT', selection: { id: 1, params: { ticker: 'TGT' } }, relatedAssets: ['SIG', 'NO1', 'NO2'] }],
  features: [
    { feature: 'percent_change', choices: { window: [1, 5, 20] } },
    { feature: 'rsi', choices: {} },
    { feature: 'volatility', choices: {} },
  ],
  windowSizes: [5, 14],
  seedFeatures: [],
  buy: [],
  sell: [],
  model: { kind: 'forest', settings: { ...defaultForestSettings, trees: 20, minSamplesLeaf: 5 } },
  trainPct: 70,
  walkForward: undefined,
  fitness: { metric: 'accuracy', mode: 'mean_only', variancePenalty: 0.5, varianceExponent: 1 },
  breeding: { populationSize: 12, generations: 4, mutationRate: 0.2, maxFeatures: 4 },
  earlyStopping: undefined,
  holdOutPct: 15,
  allowMixedPrices: false,
  endedTicker: 'stop',
  replacementTicker: undefined,
  ...more,
})
