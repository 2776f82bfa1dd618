import { Random } from '@tradewright/core/random'

/**
 * Chosen because both lines are easy to tell apart; another seed gives another outcome, which is why the badge is
 * there.
 */
const SEED = 195
const YEARS = 5
const DAYS_A_YEAR = 252
const TREND_DAYS = 100
const START_VALUE = 10_000

export interface SampleResult {
  strategy: number[]
  reference: number[]
  cagr: number
  sharpe: number | null
  maxDrawdown: number
}

/** Holds the made-up index while it closed above its 100-day average the day before, else cash; no costs. */
export function sampleResult(): SampleResult {
  const prices = samplePrices(SEED, TREND_DAYS + YEARS * DAYS_A_YEAR)
  const strategy = [START_VALUE]
  for (let day = TREND_DAYS + 1; day < prices.length; day++) {
    const isHeld = at(prices, day - 1) > meanOf(prices.slice(day - TREND_DAYS, day))
    const growth = isHeld ? at(prices, day) / at(prices, day - 1) : 1
    strategy.push(at(strategy, -1) * growth)
  }
  const first = at(prices, TREND_DAYS)
  const reference = prices.slice(TREND_DAYS).map((price) => (price / first) * START_VALUE)
  return { strategy, reference, ...figuresOf(strategy) }
}

/** From the very points that are drawn. Sharpe without a risk-free rate; null when nothing ever moved. */
export function figuresOf(values: number[]): { cagr: number; sharpe: number | null; maxDrawdown: number } {
  const returns = values.slice(1).map((value, index) => value / at(values, index) - 1)
  const mean = meanOf(returns)
  const deviation = Math.sqrt(returns.reduce((sum, r) => sum + (r - mean) ** 2, 0) / (returns.length - 1))
  let peak = at(values, 0)
  let maxDrawdown = 0
  for (const value of values) {
    peak = Math.max(peak, value)
    maxDrawdown = Math.min(maxDrawdown, value / peak - 1)
  }
  return {
    cagr: (at(values, -1) / at(values, 0)) ** (DAYS_A_YEAR / returns.length) - 1,
    sharpe: deviation > 0 ? (mean / deviation) * Math.sqrt(DAYS_A_YEAR) : null,
    maxDrawdown,
  }
}

function at(values: number[], index: number): number {
  const value = values.at(index)
  if (value === undefined) throw new RangeError(`no value at ${index}`)
  return value
}

function meanOf(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** A calm and a stormy market, per trading day, with random changes between them. */
const CALM = { drift: 0.00062, volatility: 0.0078, staysPct: 98.6 }
const STORM = { drift: -0.00085, volatility: 0.0165, staysPct: 96 }

/** Closing prices of an index that does not exist, the same for the same seed on every machine. */
function samplePrices(seed: number, days: number): number[] {
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
