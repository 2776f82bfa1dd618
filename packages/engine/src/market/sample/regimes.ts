import type { Noise } from './noise.ts'

interface Regime {
  readonly name: string
  /** Per year. */
  readonly drift: number
  readonly volatility: number
  /** Chance per day to move to each other regime, by index. */
  readonly leave: readonly number[]
}

export const marketRegimes: readonly Regime[] = [
  { name: 'calm', drift: 0.13, volatility: 0.1, leave: [0, 0.008, 0] },
  { name: 'usual', drift: 0.1, volatility: 0.16, leave: [0.008, 0, 0.003] },
  { name: 'crisis', drift: -0.35, volatility: 0.34, leave: [0, 0.013, 0] },
]

export const coinRegimes: readonly Regime[] = [
  { name: 'rally', drift: 1.2, volatility: 0.6, leave: [0, 0.006, 0.002] },
  { name: 'sideways', drift: 0.1, volatility: 0.45, leave: [0.005, 0, 0.003] },
  { name: 'winter', drift: -0.75, volatility: 0.7, leave: [0.001, 0.005, 0] },
]

/** The regime of the next day, by a Markov chain. */
export function nextRegime(regimes: readonly Regime[], current: number, noise: Noise): number {
  let chance = noise.uniform()
  for (const [index, leave] of regimes[current]!.leave.entries()) {
    if (chance < leave) return index
    chance -= leave
  }
  return current
}
