import { modelLabelled, recommendedSettings, usualRounds } from '@tradewright/core/model-catalogue'
import { isGiven, type NumberText } from './form-values.ts'

export interface TreesForm {
  nEstimators: NumberText
  /** Rows; below 1 a share of the training rows. */
  minSamplesLeaf: NumberText
  minSamplesSplit: NumberText
}

export interface BoostingForm {
  boostingRounds: NumberText
  maxDepth: NumberText
  learningRate: NumberText
  /** A share of the training rows; empty: none. */
  minLeafShare: NumberText
  findRounds: boolean
}

export const usualBoosting: BoostingForm = {
  boostingRounds: usualRounds.rounds,
  maxDepth: usualRounds.maxDepth,
  learningRate: usualRounds.eta,
  minLeafShare: '',
  findRounds: false,
}

const { trees, rounds } = recommendedSettings

const RECOMMENDED = {
  trees: {
    nEstimators: trees.trees,
    minSamplesLeaf: trees.minSamplesLeaf,
    minSamplesSplit: trees.minSamplesSplit,
  },
  rounds: {
    boostingRounds: rounds.rounds,
    maxDepth: rounds.maxDepth,
    learningRate: rounds.eta,
    minLeafShare: rounds.minLeafShare,
    findRounds: true,
  },
  none: {},
} satisfies Record<string, Partial<TreesForm & BoostingForm>>

/** What the recommended settings of a model change in a form; nothing for a model without settings. */
export const recommendedFor = (label: string): Partial<TreesForm & BoostingForm> =>
  RECOMMENDED[modelLabelled(label)?.settings ?? 'none']

export function isRecommended(label: string, form: TreesForm & BoostingForm): boolean {
  const wanted = Object.entries(recommendedFor(label)) as [keyof (TreesForm & BoostingForm), NumberText | boolean][]
  return wanted.every(([key, value]) =>
    typeof value === 'boolean' ? form[key] === value : Number(form[key]) === value,
  )
}

/** The fields of XGBoost in a request that are not its defaults; none for other models. */
export function boostingFields(label: string, form: BoostingForm) {
  if (modelLabelled(label)?.settings !== 'rounds') return {}
  const differs = (key: 'boostingRounds' | 'maxDepth' | 'learningRate') =>
    isGiven(form[key]) && Number(form[key]) !== usualBoosting[key]
  return {
    ...(differs('boostingRounds') && { boosting_rounds: form.boostingRounds }),
    ...(differs('maxDepth') && { max_depth: form.maxDepth }),
    ...(differs('learningRate') && { learning_rate: form.learningRate }),
    ...(isGiven(form.minLeafShare) && { min_leaf_share: form.minLeafShare }),
    ...(form.findRounds && { find_rounds: true }),
  }
}
