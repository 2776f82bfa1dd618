import { deriveSeed, Random } from '@tradewright/core/random'
import { type EpochDay, dayStamp } from '@tradewright/core/time'
import { nyse } from '../../market/trading-calendar.ts'
import type { SeriesTable } from '../../market/series.ts'
import type { MarketData } from '../market-data.ts'

export interface RandomWalk {
  readonly ticker: string
  /** Per year, of the log price. */
  readonly drift?: number
  readonly volatility?: number
}

const SESSIONS_PER_YEAR = 252
const STEPS_PER_SESSION = 4

/**
 * Independent geometric random walks with normal returns, on the sessions of the NYSE. Nothing in them can be
 * predicted but the drift. High and low come from steps within the day; the open is the close before.
 */
export function randomWalks(walks: readonly RandomWalk[], seed: number, from: EpochDay, to: EpochDay): MarketData {
  const days = [...nyse.sessionsBetween(from, to + 1)]
  return { series: new Map(walks.map((walk, i) => [walk.ticker, walkOf(walk, new Random(deriveSeed(seed, i)), days)])) }
}

function walkOf({ ticker, drift = 0, volatility = 0.16 }: RandomWalk, random: Random, days: number[]): SeriesTable {
  const steps = SESSIONS_PER_YEAR * STEPS_PER_SESSION
  const [open, high, low, close] = Array.from({ length: 4 }, () => new Float64Array(days.length))
  let price = 100
  for (let day = 0; day < days.length; day++) {
    open![day] = high![day] = low![day] = price
    for (let step = 0; step < STEPS_PER_SESSION; step++) {
      price *= Math.exp(drift / steps + (volatility / Math.sqrt(steps)) * standardNormal(random))
      high![day] = Math.max(high![day]!, price)
      low![day] = Math.min(low![day]!, price)
    }
    close![day] = price
  }
  return {
    ticker,
    type: 'security',
    granularity: '1d',
    currency: 'USD',
    timestamps: Float64Array.from(days, dayStamp),
    columns: { open: open!, high: high!, low: low!, close: close!, volume: close!.map(() => 1e6) },
    sources: [],
  }
}

/** Box and Muller, 1958. */
export const standardNormal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.float())) * Math.cos(2 * Math.PI * random.float())
