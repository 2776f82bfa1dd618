import { defaultModel } from '@tradewright/core/model-catalogue'
import { OPTIMIZER_DEFAULTS } from '@tradewright/contract/optimizer-form'
import { type BoostingForm, type TreesForm, usualBoosting } from '../../../strategy-form/model-settings.ts'
import type { TickerRow } from '../../../strategy-form/tickers/ticker-row.ts'
import { yearsBefore } from '../../../strategy-form/dates.ts'
import {
  type CatalogueId,
  type ChosenTarget,
  type NumberText,
  type Params,
  restOf,
} from '../../../strategy-form/form-values.ts'
import { parseTickers } from './tickers.ts'

/** A kind of feature that the search may use, with the values of its parameters as they are typed: `5, 10`. */
export interface FeatureType {
  id: CatalogueId
  name: string
  /** By parameter. Tickers are not among them: those are the form's assets. */
  ranges: Record<string, string>
}

export interface Seed {
  id: CatalogueId
  name: string
  params: Params
}

export interface OptimizerForm extends TreesForm, BoostingForm {
  /** Comma-separated, as typed. */
  targetTickers: string
  targetListId: string
  /** Kept as it was saved; the picker shows it as soon as the list of targets is there. */
  target: ChosenTarget | null
  relatedTickers: string
  relatedListId: string

  featureTypes: FeatureType[]
  seeds: Seed[]

  startDate: string
  endDate: string
  dataGranularity: string
  dataProvider: string
  allowMixedPrices: boolean
  endedTicker: string
  replacementTicker: string
  delistingReturnPct: NumberText

  populationSize: NumberText
  generations: NumberText
  mutationRate: NumberText
  maxFeatures: NumberText
  evaluationMetric: string
  holdOutPct: NumberText
  seed: NumberText
  nestedWalkForward: boolean
  nestedWindows: NumberText

  mlModel: string
  trainSize: NumberText
  testSize: NumberText
  /** No rows: all of it in the target asset. */
  signal1Allocations: TickerRow[]
  /** No rows: cash. */
  signal0Allocations: TickerRow[]
  maxFeaturesRf: string

  walkForwardEnabled: boolean
  wfTrainWindowPct: NumberText
  wfTestWindowPct: NumberText
  /** Empty: automatic. */
  wfStepSizePct: NumberText
  wfFitnessMode: string
  variancePenalty: NumberText
  varianceExponent: NumberText

  earlyStopping: boolean
  esPatience: NumberText
  esMinImprovement: NumberText
}

export interface EditProps {
  form: OptimizerForm
  edit: (change: Partial<OptimizerForm>) => void
}

const YEARS = 2

/** The form after New Run. `today` is `YYYY-MM-DD`. */
export function newForm(today: string): OptimizerForm {
  const usual = OPTIMIZER_DEFAULTS
  return {
    targetTickers: usual.target_asset,
    targetListId: '',
    target: null,
    relatedTickers: '',
    relatedListId: '',
    featureTypes: [],
    seeds: [],
    startDate: yearsBefore(today, YEARS),
    endDate: today,
    dataGranularity: 'daily',
    dataProvider: 'auto',
    allowMixedPrices: false,
    endedTicker: 'stop',
    replacementTicker: '',
    delistingReturnPct: 0,
    populationSize: usual.population_size,
    generations: usual.generations,
    mutationRate: usual.mutation_rate,
    maxFeatures: usual.max_features,
    evaluationMetric: usual.evaluation_metric,
    holdOutPct: usual.hold_out_pct,
    seed: usual.seed,
    nestedWalkForward: false,
    nestedWindows: usual.nested_windows,
    mlModel: defaultModel.label,
    trainSize: usual.train_size,
    testSize: usual.test_size,
    signal1Allocations: [],
    signal0Allocations: [],
    nEstimators: usual.n_estimators,
    minSamplesLeaf: usual.min_samples_leaf,
    ...usualBoosting,
    minSamplesSplit: usual.min_samples_split,
    maxFeaturesRf: usual.max_features_rf,
    walkForwardEnabled: usual.walk_forward_enabled,
    wfTrainWindowPct: usual.wf_train_window_pct,
    wfTestWindowPct: usual.wf_test_window_pct,
    wfStepSizePct: '',
    wfFitnessMode: usual.wf_fitness_mode,
    variancePenalty: usual.variance_penalty,
    varianceExponent: usual.variance_exponent,
    earlyStopping: usual.early_stopping,
    esPatience: usual.es_patience,
    esMinImprovement: usual.es_min_improvement,
  }
}

/** Train and test size make 100 together: changing the one sets the other. */
export function editForm(form: OptimizerForm, change: Partial<OptimizerForm>): OptimizerForm {
  const next = { ...form, ...change }
  if ('trainSize' in change && !('testSize' in change)) next.testSize = restOf(change.trainSize)
  if ('testSize' in change && !('trainSize' in change)) next.trainSize = restOf(change.testSize)
  return next
}

/** Every asset that a feature may use. */
export function assetsOf({ targetTickers, relatedTickers }: OptimizerForm): string[] {
  return parseTickers(`${targetTickers},${relatedTickers}`)
}
