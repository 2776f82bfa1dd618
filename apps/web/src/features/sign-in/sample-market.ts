import { Random } from '@tradewright/core/random'

/** A calm and a stormy market, per trading day, with random changes between them. */
const CALM = { drift: 0.00062, volatility: 0.0078, staysPct: 98.6 }
const STORM = { drift: -0.00085, volatility: 0.0165, staysPct: 96 }

/** Closing prices of an index that does not exist, the same for the same seed on every machine. */
export function samplePrices(seed: number, days: number): number[] {
  const random = new Random(seed)
  const prices = [100]
  let mood = CALM
  for (let day = 1; day < days; day++) {
    if (random.float() * 100 >= mood.staysPct) mood = mood === CALM ? STORM : CALM
    prices.push((prices[day - 1] ?? 0) * Math.exp(mood.drift + mood.volatility * gaussian(random)))
  }
  return prices
}

/** Box and Muller's transform; `1 - float()` is never 0, so the logarithm is finite. */
function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.float())) * Math.cos(2 * Math.PI * random.float())
}
