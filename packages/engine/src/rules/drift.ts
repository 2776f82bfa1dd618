import type { ProgramNode, RulesProgram, Sleeve } from './program.ts'

/** Less than this fraction of the account is rounding. */
const DUST = 1e-12

/** True where both are long, both short, or both not held. */
export const isSameSide = (a: number, b: number): boolean =>
  a === b || (a > DUST === b > DUST && a < -DUST === b < -DUST)

/**
 * By sleeve: whether a trade can depend on what its parts became since they were divided. It does not where the sleeve is
 * alone in the account, has tickers only, and is divided anew whenever that is due by the calendar or by a part that comes
 * or goes: prices that move by less than `extent` times never make a part vanish.
 */
export function sleevesThatDrift(program: RulesProgram, extent: number): boolean[] {
  const drifts = program.sleeves.map(() => true)
  if (program.shortTickers.length > 0) return drifts
  for (const sleeve of sleevesAlone(program.root)) {
    if (sleeve.rebalance.on === 'band' || !isOfTickers(sleeve)) continue
    const vanishes = smallestWeight(sleeve) / extent ** 2 <= 2 * DUST
    drifts[sleeve.place] = sleeve.rebalance.on === 'change' && vanishes
  }
  return drifts
}

/** Sleeves that hold the whole account while they are held. */
function sleevesAlone(node: ProgramNode): Sleeve[] {
  if (node.kind === 'cash') return []
  return node.kind === 'sleeve' ? [node] : [...sleevesAlone(node.yes), ...sleevesAlone(node.no)]
}

export const isOfTickers = ({ parts, rest }: Sleeve): boolean =>
  rest.kind === 'cash' && parts.every((part) => typeof part === 'number')

/** The smallest weight in a sleeve that one of its parts or the rest can have; 0 where it can be any. */
function smallestWeight({ division }: Sleeve): number {
  if (division.kind === 'fixed') {
    const rest = 1 - division.weights.reduce((sum, weight) => sum + weight, 0)
    return Math.min(...[...division.weights, rest].filter((weight) => weight !== 0))
  }
  const { places, weights, volatilityTarget } = division
  if (volatilityTarget) return 0
  if (weights.kind === 'equal') return 1 / places
  return weights.kind === 'rank' ? 2 / (places * (places + 1)) : 0
}
