import { deriveSeed } from '@tradewright/core/random'
import { fitAndPredictBoosting } from '../models/boosting/fit.ts'
import { fitAndPredictForest } from '../models/forest/fit.ts'
import { fitLinear } from '../models/linear/fit.ts'
import type { ModelChoice } from '../models/model-choice.ts'
import type { SearchData, SearchWindow } from './search-data.ts'
import { columnOf } from './search-data.ts'

/** Every individual's model of a window has the same seed, so that individuals differ by their features alone. */
export const windowSeed = (seed: number, window: number): number => deriveSeed(seed, window)

/** Probabilities of the window's test rows from columns that were coded for all individuals together. */
export function predictWindow(
  arena: SearchData,
  { trainRows, testRows, codes }: SearchWindow,
  columns: Int32Array,
  model: ModelChoice,
  seed: number,
  isCancelled: () => boolean,
): Float64Array {
  const { searchLabels: labels } = arena
  if (model.kind === 'linear') {
    const chosen = Array.from(columns, (column) => columnOf(arena, column))
    return fitLinear(chosen, labels, trainRows, isCancelled).predict(chosen, testRows)
  }
  // No row of an arena misses a value, and trees are not kept here, so edges and gaps are not asked for.
  const matrix = { ...codes!, columnCount: arena.genes.length, edges: [], hasMissing: [] }
  const request = { matrix, labels, trainRows, columns }
  return model.kind === 'forest'
    ? fitAndPredictForest({ ...request, settings: { ...model.settings, seed } }, testRows, isCancelled)
    : fitAndPredictBoosting({ ...request, settings: { ...model.settings, seed } }, testRows, isCancelled)
}
