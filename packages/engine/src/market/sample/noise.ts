import { deriveSeed, Random } from '@tradewright/core/random'

/**
 * Exponential and logarithm from + - * / alone. Those four and the square root are exact by IEEE 754 everywhere, while
 * `Math.exp` and `Math.log` may differ in the last digit between engines: the sample market must not.
 */
const LN2_HIGH = 0.69314718036912381649
const LN2_LOW = 1.90821492927058770002e-10
const LN2 = LN2_HIGH + LN2_LOW

/** 1/14, 1/13, … 1: divisions are slow, and there are millions of them. */
const RECIPROCALS = Float64Array.from({ length: 14 }, (_, i) => 1 / (14 - i))
/** 1/23, 1/21, … 1. */
const ODD_RECIPROCALS = Float64Array.from({ length: 12 }, (_, i) => 1 / (23 - 2 * i))

/** For |x| up to 40, to about one unit in the last place. */
export function portableExp(x: number): number {
  const doublings = Math.round(x / LN2)
  // Reduced in two steps, so that the rest keeps all its digits.
  const rest = x - doublings * LN2_HIGH - doublings * LN2_LOW
  let sum = 1
  for (let i = 0; i < RECIPROCALS.length; i++) sum = 1 + rest * sum * RECIPROCALS[i]!
  return scaleByPowerOfTwo(sum, doublings)
}

function scaleByPowerOfTwo(value: number, exponent: number): number {
  let scaled = value
  for (let i = exponent; i > 0; i--) scaled *= 2
  for (let i = exponent; i < 0; i++) scaled /= 2
  return scaled
}

/** For positive x: ln m = 2 artanh((m - 1) / (m + 1)) after the powers of two are taken out. */
export function portableLog(x: number): number {
  if (!(x > 0)) throw new RangeError(`the logarithm of ${x} does not exist`)
  let mantissa = x
  let exponent = 0
  for (; mantissa > Math.SQRT2; exponent++) mantissa /= 2
  for (; mantissa < Math.SQRT1_2; exponent--) mantissa *= 2
  const t = (mantissa - 1) / (mantissa + 1)
  const square = t * t
  let sum = 0
  for (let i = 0; i < ODD_RECIPROCALS.length; i++) sum = sum * square + ODD_RECIPROCALS[i]!
  return exponent * LN2_HIGH + (exponent * LN2_LOW + 2 * t * sum)
}

/** Now and then a shock of another size: 6 % of them 2.5 times as wide, the whole scaled back to variance 1. */
const WIDE_SHARE = 0.06
const WIDE_FACTOR = 2.5
const UNIT_VARIANCE = 1 / Math.sqrt(1 - WIDE_SHARE + WIDE_SHARE * WIDE_FACTOR * WIDE_FACTOR)

/** Random shocks of mean 0 and variance 1, of its own stream for each name. */
export class Noise {
  readonly #random: Random
  #spare = Number.NaN

  constructor(seed: number, name: string, ...path: number[]) {
    this.#random = new Random(deriveSeed(seed, ...Array.from(name, (letter) => letter.codePointAt(0)!), ...path))
  }

  uniform(): number {
    return this.#random.float()
  }

  /** Marsaglia's polar method gives two at a time. */
  normal(): number {
    const spare = this.#spare
    if (!Number.isNaN(spare)) {
      this.#spare = Number.NaN
      return spare
    }
    for (;;) {
      const u = 2 * this.uniform() - 1
      const v = 2 * this.uniform() - 1
      const square = u * u + v * v
      if (square >= 1 || square === 0) continue
      const scale = Math.sqrt((-2 * portableLog(square)) / square)
      this.#spare = v * scale
      return u * scale
    }
  }

  /** Fat-tailed, as market returns are even on a calm day. */
  shock(): number {
    const width = this.uniform() < WIDE_SHARE ? WIDE_FACTOR : 1
    return this.normal() * width * UNIT_VARIANCE
  }

  /** Three uniforms: near enough to normal for the minutes of a day, and cheap. */
  roughNormal(): number {
    return 2 * (this.uniform() + this.uniform() + this.uniform() - 1.5)
  }
}

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
