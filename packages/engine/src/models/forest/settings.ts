import { Problem } from '@tradewright/core/problem'
import { checkBetween, checkWhole } from '../settings.ts'

/** Number of columns tried at a node: scikit-learn's names, a count, or a fraction of the columns below 1. */
export type MaxFeatures = 'sqrt' | 'log2' | 'auto' | number

export interface ForestSettings {
  readonly trees: number
  readonly maxFeatures: MaxFeatures
  /** Rows, not draws: as in scikit-learn a row drawn three times counts once, and a number below 1 is a share of the training rows. */
  readonly minSamplesLeaf: number
  readonly minSamplesSplit: number
  readonly bootstrap: boolean
  readonly seed: number
}

export const defaultForestSettings: ForestSettings = {
  trees: 100,
  maxFeatures: 'sqrt',
  minSamplesLeaf: 1,
  minSamplesSplit: 2,
  bootstrap: true,
  seed: 0,
}

export function checkForestSettings(settings: ForestSettings): void {
  checkWhole('The number of trees', settings.trees, 1)
  if (settings.minSamplesLeaf < 1) checkBetween('min_samples_leaf', settings.minSamplesLeaf, 1e-6, 0.5)
  else checkWhole('min_samples_leaf', settings.minSamplesLeaf, 1)
  checkWhole('min_samples_split', settings.minSamplesSplit, 2)
  if (!Number.isInteger(settings.seed)) throw new RangeError(`seed must be a whole number, was ${settings.seed}`)
}

/** Rows that a leaf has at least; a share is rounded up, as scikit-learn does. */
export const leafRows = (minSamplesLeaf: number, trainRows: number): number =>
  minSamplesLeaf < 1 ? Math.max(1, Math.ceil(minSamplesLeaf * trainRows)) : minSamplesLeaf

/** `auto` means sqrt, as it did for scikit-learn's classifiers. A number below 1 is a fraction, from 1 a count. */
export function candidateColumns(maxFeatures: MaxFeatures, columns: number): number {
  const wanted = wantedColumns(maxFeatures, columns)
  return Math.min(columns, Math.max(1, Math.floor(wanted)))
}

function wantedColumns(maxFeatures: MaxFeatures, columns: number): number {
  switch (maxFeatures) {
    case 'sqrt':
    case 'auto':
      return Math.sqrt(columns)
    case 'log2':
      return Math.log2(columns)
    default:
      if (!(maxFeatures > 0) || (maxFeatures > 1 && !Number.isInteger(maxFeatures))) {
        throw new Problem(
          'invalid',
          'model.settings',
          `max_features must be sqrt, log2, auto, a count or a fraction, was ${maxFeatures}.`,
        )
      }
      return maxFeatures < 1 ? maxFeatures * columns : maxFeatures
  }
}
