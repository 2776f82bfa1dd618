import { Random } from '@tradewright/core/random'

/** Returns of assets that share one market, by asset; each has a risk of its own. */
export function randomReturns(assets: number, bars: number, seed: number): Float64Array[] {
  const random = new Random(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.float())) * Math.cos(2 * Math.PI * random.float())
  const market = Array.from({ length: bars }, normal)
  return Array.from({ length: assets }, () => {
    const [beta, noise, drift] = [0.3 + random.float(), 0.3 + random.float(), 0.05 * random.float()]
    return Float64Array.from(market, (move) => 0.01 * (beta * move + noise * normal() + drift))
  })
}
