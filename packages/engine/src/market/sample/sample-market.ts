import type { Granularity } from '@tradewright/core/granularity'
import { coinOf, tickerKind, type TickerKind } from '@tradewright/core/ticker-kind'
import type { TimeRange } from '@tradewright/core/time'
import { type CorporateActions, noActions } from '../corporate-actions.ts'
import { type Rows, rowsInRange } from '../layers/rows.ts'
import { type DailyBars, BarBuilder, newMove } from './daily-bars.ts'
import { dailyRows, dailyValueRows, intradayRows, intradayValueRows } from './day-rows.ts'
import { type DerivativeDays, derivativeDays, type DerivativeKind } from './derivative-days.ts'
import { economicSeries, economicUniverse } from './economic-series.ts'
import { economyOf } from './economy.ts'
import { exchangeBars, VolumePace } from './exchange-bars.ts'
import { coinFactors, exchangeFactors, type CoinFactors, SAMPLE_END } from './factors.ts'
import { coinUniverse, exchangeUniverse, type CoinTraits } from './universe.ts'
import { ClusteredVolatility } from './clustered-volatility.ts'
import { Noise } from './noise.ts'
import { portableExp } from './portable-math.ts'

/** Chosen among many for prices that do not surprise: nothing else depends on it. */
const SAMPLE_SEED = 469

const DERIVATIVES: Readonly<Record<string, DerivativeKind>> = {
  FR: 'funding_rate',
  OI: 'open_interest',
  LS: 'long_short_ratio',
  LIQ: 'liquidations',
}

/** Every ticker the sample market has. */
export const sampleTickers: readonly string[] = [
  ...exchangeUniverse.map(({ ticker }) => ticker),
  ...coinUniverse.map(({ ticker }) => ticker),
  ...coinUniverse.flatMap(({ coin }) => Object.keys(DERIVATIVES).map((suffix) => `${coin}-${suffix}`)),
  ...economicUniverse,
]

export interface SampleSeries extends Rows {
  readonly actions: CorporateActions
}

export interface SampleMarket {
  /** Undefined where the sample market has no such series: an unknown ticker, or minutes of an economic one. */
  series(ticker: string, granularity: Granularity, range: TimeRange): SampleSeries | undefined
}

/**
 * A made-up market, the same on every machine for the same seed. The whole history is one fixed object of which a range
 * is a slice, so what is asked for, in which order and up to when never changes a value. Daily bars are computed per
 * ticker when first needed, minutes per day from the daily bar and a seed of their own.
 */
export function sampleMarket(seed: number = SAMPLE_SEED): SampleMarket {
  const factors = once(() => exchangeFactors(seed))
  const economy = once(() => economyOf(seed, factors()))
  const coins = once(() => coinFactors(seed, factors()))
  const bars = new Map<string, () => DailyBars>([
    ...exchangeUniverse.map((traits) => entry(traits.ticker, () => exchangeBars(seed, traits, factors(), economy()))),
    ...coinUniverse.map((traits) => entry(traits.ticker, () => coinBars(seed, traits, coins()))),
  ])
  const derivatives = new Map<string, () => DerivativeDays>(
    coinUniverse.flatMap((traits) =>
      Object.entries(DERIVATIVES).map(([suffix, kind]) =>
        entry(`${traits.coin}-${suffix}`, () => derivativeDays(seed, traits, kind, bars.get(traits.ticker)!())),
      ),
    ),
  )
  const economic = new Map<string, () => Rows>(
    economicUniverse.map((ticker) => entry(ticker, () => economicSeries(ticker, economy(), factors().sessions))),
  )

  const rowsOf = (ticker: string, kind: TickerKind, granularity: Granularity, range: TimeRange): Rows | undefined => {
    const stream = { seed, ticker, kind }
    const daily = bars.get(ticker)?.()
    if (daily) return granularity === '1d' ? dailyRows(daily, range) : intradayRows(stream, daily, granularity, range)
    const values = derivatives.get(ticker)?.()
    if (values) {
      return granularity === '1d'
        ? dailyValueRows(values, range)
        : intradayValueRows(stream, values, granularity, range)
    }
    const observations = granularity === '1d' ? economic.get(ticker)?.() : undefined
    return observations && rowsInRange(observations, range)
  }

  return {
    series(symbol, granularity, range) {
      const ticker = canonical(symbol)
      const rows = rowsOf(ticker, tickerKind(ticker), granularity, range)
      return (
        rows && { ...rows, actions: granularity === '1d' ? (bars.get(ticker)?.().actions ?? noActions) : noActions }
      )
    },
  }
}

/** `BTC-USD-FR` and `BTCUSDT-FR` are BTC-FR. */
function canonical(symbol: string): string {
  const suffix = Object.entries(DERIVATIVES).find(([, kind]) => kind === tickerKind(symbol))?.[0]
  return suffix === undefined ? symbol.replace(/^FRED:/, '') : `${coinOf(symbol)}-${suffix}`
}

const entry = <T>(key: string, make: () => T): [string, () => T] => [key, once(make)]

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

const DAYS_PER_YEAR = 365

/** The daily bars of a coin: every UTC day, each opening where the one before closed. */
function coinBars(seed: number, traits: CoinTraits, factors: CoinFactors): DailyBars {
  const days = Int32Array.from({ length: SAMPLE_END - traits.listedOn }, (_, i) => traits.listedOn + i)
  const builder = new BarBuilder(days, traits.firstPrice)
  const noise = new Noise(seed, traits.ticker)
  const ownVolatility = traits.own / Math.sqrt(DAYS_PER_YEAR)
  const own = new ClusteredVolatility(ownVolatility)
  const pace = new VolumePace(traits.volume)
  const today = newMove()
  for (const day of days) {
    const move = traits.coins * factors.moves[day - factors.firstDay]! + own.next(noise, ownVolatility)
    const spread = 0.012 + 0.35 * Math.abs(move)
    today.close = portableExp(move)
    today.above = 1 + spread * Math.abs(noise.normal())
    today.below = 1 / (1 + spread * Math.abs(noise.normal()))
    today.volume = pace.next(noise, Math.abs(move) / 0.03)
    builder.add(today)
  }
  return builder.finish()
}
