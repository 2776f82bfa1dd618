import type { Noise } from './noise.ts'

/** How much of yesterday's surprise and of yesterday's variance live on; the rest pulls back to the target. */
const SURPRISE = 0.08
const MEMORY = 0.89

/** GARCH(1,1) (Bollerslev 1986): calm days follow calm days. */
export class ClusteredVolatility {
  #variance: number

  constructor(dailyVolatility: number) {
    this.#variance = dailyVolatility * dailyVolatility
  }

  get volatility(): number {
    return Math.sqrt(this.#variance)
  }

  /** The next shock, with `dailyVolatility` as what the market is drawn to. */
  next(noise: Noise, dailyVolatility: number): number {
    const shock = this.volatility * noise.shock()
    const target = dailyVolatility * dailyVolatility
    this.#variance = (1 - SURPRISE - MEMORY) * target + SURPRISE * shock * shock + MEMORY * this.#variance
    return shock
  }
}
