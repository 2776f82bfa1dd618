import { ClusteredVolatility } from './clustered-volatility.ts'
import { BarBuilder, type DailyBars, newMove } from './daily-bars.ts'
import { VolumePace } from './exchange-bars.ts'
import { type CoinFactors, SAMPLE_END } from './factors.ts'
import { Noise } from './noise.ts'
import { portableExp } from './portable-math.ts'
import type { CoinTraits } from './universe.ts'

const DAYS_PER_YEAR = 365

/** The daily bars of a coin: every UTC day, each opening where the one before closed. */
export function coinBars(seed: number, traits: CoinTraits, factors: CoinFactors): DailyBars {
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
