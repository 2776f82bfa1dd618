import { Problem } from '@tradewright/core/problem'
import type { Target } from './target.ts'
import { beatsTicker } from './targets/beats-ticker.ts'
import { directionAhead } from './targets/direction-ahead.ts'
import { nextBarDirection } from './targets/next-bar-direction.ts'
import { ownColumnAbove } from './targets/own-column-above.ts'
import { returnAbove } from './targets/return-above.ts'
import { tripleBarrier } from './targets/triple-barrier.ts'
import { volatilityRegime } from './targets/volatility-regime.ts'

/** Every target, in the order of its id. Ids are in saved strategies: a new target takes the next one. */
export const allTargets: readonly Target[] = [
  nextBarDirection,
  directionAhead,
  returnAbove,
  tripleBarrier,
  volatilityRegime,
  beatsTicker,
  ownColumnAbove,
]

/** Finds a target by its id, its key or its name. */
export function targetOf(reference: number | string): Target {
  const text = String(reference).trim().toLowerCase()
  const found = allTargets.find(
    ({ id, key, name }) => String(id) === text || key === text || name.toLowerCase() === text,
  )
  if (!found) throw new Problem('invalid', 'target.unknown', `There is no target "${reference}".`)
  return found
}
