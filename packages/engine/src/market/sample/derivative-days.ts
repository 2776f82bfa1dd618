import type { TickerKind } from '@tradewright/core/ticker-kind'
import type { DailyBars } from './daily-bars.ts'
import { roundTo } from './economy.ts'
import { Noise } from './noise.ts'
import { portableExp } from './portable-math.ts'
import type { CoinTraits } from './universe.ts'

/** Daily values of what traders of a coin's perpetual do, moved by the coin's own price. */
export interface DerivativeDays {
  readonly timestamps: Float64Array
  readonly values: Float64Array
  /** A flow is the sum over a day, a level its last value. */
  readonly isFlow: boolean
}

export type DerivativeKind = Extract<TickerKind, 'funding_rate' | 'open_interest' | 'long_short_ratio' | 'liquidations'>

/** Where each series rests, how fast it returns there and what a strong week of the coin does to it. */
const HABITS = {
  /** Percent per funding period, as the exchanges' usual 0.01. */
  funding_rate: { rest: 0.01, memory: 0.8, chase: 0.12, noise: 0.004, digits: 4 },
  long_short_ratio: { rest: 1.5, memory: 0.93, chase: -1.2, noise: 0.06, digits: 3 },
} as const

export function derivativeDays(
  seed: number,
  { ticker, volume }: CoinTraits,
  kind: DerivativeKind,
  bars: DailyBars,
): DerivativeDays {
  const noise = new Noise(seed, `${ticker} ${kind}`)
  const trend = weeklyTrend(bars.close)
  const values = new Float64Array(bars.timestamps.length)
  if (kind === 'funding_rate' || kind === 'long_short_ratio') {
    const { rest, memory, chase, noise: width, digits } = HABITS[kind]
    let value: number = rest
    for (let row = 0; row < values.length; row++) {
      value = memory * value + (1 - memory) * (rest + chase * trend[row]!) + width * noise.shock()
      if (kind === 'long_short_ratio') value = Math.max(0.3, value)
      values[row] = roundTo(value, digits)
    }
  } else if (kind === 'open_interest') {
    let appetite = 0
    for (let row = 0; row < values.length; row++) {
      appetite = 0.98 * appetite + 0.03 * noise.shock() + 0.06 * trend[row]!
      values[row] = Math.round(0.6 * volume * portableExp(appetite))
    }
  } else {
    for (let row = 0; row < values.length; row++) {
      const range = bars.high[row]! / bars.low[row]! - 1
      values[row] = Math.round(volume * range * range * (0.3 + 0.4 * noise.uniform()))
    }
  }
  return { timestamps: bars.timestamps, values, isFlow: kind === 'liquidations' }
}

/** Change of the close over seven days, 0 while there are fewer. */
const weeklyTrend = (close: Float64Array): Float64Array =>
  close.map((price, row) => (row < 7 ? 0 : price / close[row - 7]! - 1))
