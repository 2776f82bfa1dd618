import { deriveSeed } from '@tradewright/core/random'
import { definitionOf, settingsOf } from '../models/catalogue.ts'
import type { ModelChoice } from '../models/model-choice.ts'
import type { TrainingData } from '../models/model-definition.ts'
import type { SearchData, SearchWindow } from './search-data.ts'
import { columnOf } from './search-data.ts'

/** Every individual's model of a window has the same seed, so that individuals differ by their features alone. */
export const windowSeed = (seed: number, window: number): number => deriveSeed(seed, window)

/** Probabilities of the window's test rows from columns that were coded for all individuals together. */
export function predictWindow(
  searchData: SearchData,
  { trainRows, testRows, codes }: SearchWindow,
  columns: Int32Array,
  model: ModelChoice,
  seed: number,
  isCancelled: () => boolean,
): Float64Array {
  const data: TrainingData = {
    columns: () => Array.from(columns, (column) => columnOf(searchData, column)),
    // No row of an searchData misses a value, and trees are not kept here, so edges and gaps are not asked for.
    matrix: () => ({ ...codes!, columnCount: searchData.genes.length, edges: [], hasMissing: [] }),
    matrixColumns: columns,
    labels: searchData.searchLabels,
    trainRows,
    seed,
    isCancelled,
  }
  return definitionOf(model.kind).predict(data, settingsOf(model), testRows)
}
