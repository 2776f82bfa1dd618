import { deriveSeed, Random } from '@tradewright/core/random'
import { portableLog } from './portable-math.ts'

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
