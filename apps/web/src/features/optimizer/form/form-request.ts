import { DEFAULT_WINDOW_SIZES, type OptimizationRequest } from '@tradewright/contract/optimizer-form'
import type { AllocationRow } from '@tradewright/contract/setting-schemas'
import type { TickerList } from '@tradewright/contract/ticker-lists'
import { checkOptimization } from '@tradewright/contract/optimizer'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { TickerRow } from '../../../strategy-form/tickers/ticker-row.ts'
import { isGiven, plainTicker, typedParams } from '../../../strategy-form/form-values.ts'
import { boostingFields } from '../../../strategy-form/model-settings.ts'
import { leveragedTicker } from '../../../strategy-form/tickers/leverage.ts'
import { hasWindowFeature, parseRange, type OptimizerForm, parseTickers, usedListIds } from './form.ts'
import { CallError } from '../../../lib/call-error.ts'
import { formatCount } from '../../../lib/format.ts'
import { type AnswerOf, call } from '../../../lib/http.ts'

/**
 * The body of `POST /api/feature-optimization`.
 *
 * @param clientRunId how the page finds the run while the call is open
 * @param lists the user's own, to tell which of them the tickers come from
 */
export function toRequest(
  form: OptimizerForm,
  clientRunId: string,
  lists: readonly Pick<TickerList, 'id' | 'tickers'>[],
): OptimizationRequest {
  const targetTickers = parseTickers(form.targetTickers)
  const related_assets = parseTickers(form.relatedTickers)
  const target_id = Number(form.target?.id ?? Number.NaN)
  const { ticker: _, ...params } = typedParams(form.target?.params ?? {})
  return {
    target_asset: targetTickers[0] ?? '',
    related_assets,
    targets: targetTickers.map((target_asset) => ({ target_asset, target_id, related_assets, params })),
    target_list_ids: usedListIds(lists, form.targetListId, form.targetTickers),
    feature_list_ids: usedListIds(lists, form.relatedListId, form.relatedTickers),
    target_id,
    ...featureFields(form),
    start_date: form.startDate,
    end_date: form.endDate,
    data_granularity: form.dataGranularity,
    data_provider: form.dataProvider,
    allow_mixed_prices: form.allowMixedPrices,
    ended_ticker: form.endedTicker,
    ...(form.endedTicker === 'replace' ? { replacement_ticker: plainTicker(form.replacementTicker) } : {}),
    delisting_return_pct: isGiven(form.delistingReturnPct) ? form.delistingReturnPct : 0,
    ...searchFields(form),
    ...modelFields(form),
    ...windowFields(form),
    client_run_id: clientRunId,
  }
}

function featureFields({ featureTypes, seeds }: OptimizerForm) {
  const configs = featureTypes.map(({ id, ranges }) => {
    const values = Object.entries(ranges).map(([name, text]) => [name, parseRange(text)] as const)
    return [String(id), Object.fromEntries(values)] as const
  })
  return {
    feature_types: featureTypes.map(({ id }) => id),
    feature_configs: Object.fromEntries(configs),
    seed_features: seeds.map(({ id, name, params }) => ({ id, name, params })),
    ...(hasWindowFeature(featureTypes) ? { window_sizes: [...DEFAULT_WINDOW_SIZES] } : {}),
  }
}

const searchFields = (form: OptimizerForm) => ({
  population_size: form.populationSize,
  generations: form.generations,
  mutation_rate: form.mutationRate,
  max_features: form.maxFeatures,
  evaluation_metric: form.evaluationMetric,
  early_stopping: form.earlyStopping,
  es_patience: form.esPatience,
  es_min_improvement: form.esMinImprovement,
  hold_out_pct: form.holdOutPct,
  seed: form.seed,
  nested_walk_forward: form.nestedWalkForward,
  nested_windows: form.nestedWindows,
})

const modelFields = (form: OptimizerForm) => ({
  ml_model: form.mlModel,
  train_size: form.trainSize,
  test_size: form.testSize,
  signal1_allocations: rowsOf(form.signal1Allocations),
  signal0_allocations: rowsOf(form.signal0Allocations),
  n_estimators: form.nEstimators,
  min_samples_leaf: form.minSamplesLeaf,
  min_samples_split: form.minSamplesSplit,
  max_features_rf: form.maxFeaturesRf,
  ...boostingFields(form.mlModel, form),
})

const windowFields = (form: OptimizerForm) => ({
  walk_forward_enabled: form.walkForwardEnabled,
  wf_train_window_pct: form.wfTrainWindowPct,
  wf_test_window_pct: form.wfTestWindowPct,
  ...(isGiven(form.wfStepSizePct) ? { wf_step_size_pct: form.wfStepSizePct } : {}),
  wf_fitness_mode: form.wfFitnessMode,
  variance_penalty: form.variancePenalty,
  variance_exponent: form.varianceExponent,
})

function rowsOf(rows: readonly TickerRow[]): AllocationRow[] {
  return rows
    .filter(({ ticker }) => ticker.trim() !== '')
    .map(({ ticker, leverage, allocation }) => ({
      ticker: leveragedTicker(ticker, leverage),
      allocation: Number(allocation),
    }))
}

/** Why the run button is disabled; none: it is not. */
export function warningsOf({ featureTypes, target, startDate, endDate }: OptimizerForm): string[] {
  return [
    ...(featureTypes.length === 0 ? ['Select at least one feature type'] : []),
    ...(target === null ? ['Choose a target for prediction'] : []),
    ...(startDate === '' ? ['Set start date for backtest period'] : []),
    ...(endDate === '' ? ['Set end date for backtest period'] : []),
  ]
}

/** The server has a default for each; taken silently, it would hide that a field was cleared by mistake. */
const NEEDED = [
  ['populationSize', 'the population size'],
  ['generations', 'the generations'],
  ['mutationRate', 'the mutation rate'],
  ['maxFeatures', 'max features'],
  ['holdOutPct', 'the hold-out'],
  ['seed', 'the seed'],
] as const

/** Checked only when the run is started; null: nothing is wrong. */
export function refusalOf(form: OptimizerForm): string | null {
  if (parseTickers(form.targetTickers).length === 0) {
    return 'Add at least one target ticker before running the optimizer.'
  }
  if (form.target === null || form.target.id === '' || !Number.isFinite(Number(form.target.id))) {
    return 'Select a valid target definition before running the optimizer.'
  }
  const empty = NEEDED.find(([field]) => !isGiven(form[field]))
  if (empty) return `Enter a number for ${empty[1]}.`
  if (form.nestedWalkForward && !isGiven(form.nestedWindows)) return 'Enter a number for the nested windows.'
  const rows = [...form.signal1Allocations, ...form.signal0Allocations].filter(({ ticker }) => ticker.trim() !== '')
  const isPercent = ({ allocation }: (typeof rows)[number]) => allocation !== '' && Number.isFinite(Number(allocation))
  return rows.every(isPercent) ? null : 'Enter a percent for every Buy and Sell ticker.'
}

const TYPING_PAUSE_MS = 600

interface FormCheck {
  /** How large the search would be. */
  readonly size: string | null
  /** Why the server would refuse it. */
  readonly refusal: string | null
}

/** The server's check of the form, asked for when the typing pauses; nothing while it is not complete. */
export function useFormCheck(form: OptimizerForm): FormCheck {
  const [settled] = useDebouncedValue(form, TYPING_PAUSE_MS)
  const isComplete = warningsOf(settled).length === 0 && refusalOf(settled) === null
  const { data, error } = useQuery({
    queryKey: ['optimization check', settled],
    queryFn: ({ signal }) => call(checkOptimization, { body: toRequest(settled, '', []), signal }),
    enabled: isComplete,
    retry: false,
    // The answer belongs to these settings, and they are many.
    gcTime: 0,
  })
  return { size: data ? sizeOf(data) : null, refusal: data?.problems[0] ?? refusalIn(error) }
}

type Size = Pick<AnswerOf<typeof checkOptimization>, 'candidate_features' | 'most_evaluations'>

/** Null where the request would be refused. */
export function sizeOf({ candidate_features: candidates, most_evaluations: evaluations }: Size): string | null {
  if (candidates === null || evaluations === null) return null
  const features = candidates === 1 ? '1 feature' : `${formatCount(candidates)} features`
  return `${features} to choose from, up to ${formatCount(evaluations)} sets tried.`
}

/** Only what the server said about the form: a network that is away says nothing about it. */
export function refusalIn(error: unknown): string | null {
  return error instanceof CallError && error.status === 400 ? error.serverMessage : null
}
