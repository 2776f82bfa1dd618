import { parsed } from '../../../lib/http.ts'
import { toRows } from '../../../strategy-form/tickers/allocation-rows.ts'
import { splitLeverage } from '../../../strategy-form/tickers/leverage.ts'
import type { ChosenTarget } from '../../../strategy-form/form-values.ts'
import { readExternal } from '../external/external-form.ts'
import { type BacktestForm, type ChosenFeature, newForm, STUDIO_TYPES } from './form.ts'
import { readFlag, readNumber, readParams, readRecord, readRows, readText, type Unread } from './read-saved-config.ts'
import { readTree } from '../rules/exchange.ts'

interface SavedStrategy {
  name: string
  strategy_type: string
  config: Unread
}

interface SavedBacktest {
  name: string
  result_data: Unread
  strategy_config: Unread
}

/** A fresh form with the strategy's settings in it; what it does not say keeps the form's default. */
export function fromSavedStrategy({ name, strategy_type, config }: SavedStrategy, today: string): BacktestForm {
  return { ...newForm(today), ...readConfig(config), strategyName: name, strategyType: readType(strategy_type) }
}

export function fromSavedBacktest(backtest: SavedBacktest, today: string): BacktestForm {
  const result = readRecord(backtest.result_data)
  return {
    ...newForm(today),
    ...readConfig({ ...configOfResult(result), ...readRecord(backtest.strategy_config) }),
    strategyName: readText(result['strategy_name']) ?? readText(result['strategy']) ?? '',
    strategyType: readType(result['strategy_type']),
    backtestName: backtest.name,
  }
}

/** A strategy of the Optimizer, as navigation state. Null when the state is something else, or nothing. */
export function fromOptimized(state: unknown, today: string): BacktestForm | null {
  const outer = readRecord(state)
  const payload = 'optimizedStrategy' in outer ? readRecord(outer['optimizedStrategy']) : outer
  if (!Array.isArray(payload['features']) || payload['target_id'] === undefined) return null
  const config = {
    ...readRecord(payload['ml_parameters']),
    features: payload['features'],
    target: { id: payload['target_id'], params: readParams(payload['target_config']) },
    mlModelType: payload['ml_model'],
    trainSize: payload['train_size'],
    testSize: payload['test_size'],
    signal1_allocations: payload['signal1_allocations'],
    signal0_allocations: payload['signal0_allocations'],
    startDate: payload['start_date'],
    endDate: payload['end_date'],
    dataGranularity: payload['dataGranularity'] ?? payload['data_granularity'],
  }
  return { ...newForm(today), ...readConfig(config), strategyName: readText(payload['name']) ?? '', strategyType: 'ML' }
}

const readType = (type: unknown): BacktestForm['strategyType'] =>
  STUDIO_TYPES.find((known) => known === type) ?? 'Asset Allocation'

/** The settings that a result itself tells, for backtests saved without a config. */
function configOfResult(result: Record<string, unknown>): Record<string, unknown> {
  return {
    ...readRecord(result['ml_params']),
    allocations: result['allocation'],
    rules: readRecord(result['rules'])['tree'],
    startDate: result['start_date'],
    endDate: result['end_date'],
    dataProvider: result['data_provider'],
    dataGranularity: result['data_granularity'],
    mlModelType: result['ml_model_type'],
    testSize: result['test_size'],
    features: result['features'] ?? result['feature_results'],
    target: result['target'],
    signal1Allocations: result['signal1_allocation'],
    signal0Allocations: result['signal0_allocation'],
  }
}

/** Only the settings that `unread` has: keys under their several names, rows as lists or maps. */
function readConfig(unread: Unread): Partial<BacktestForm> {
  const config = readRecord(unread)
  const trainSize = readPercent(config['trainSize'])
  const testSize = readPercent(config['testSize'])
  return given({
    allocations: rowsOf(config['allocations']),
    rules: rulesOf(config['rules']),
    external: readExternal(config['external']),
    mlModelType: readText(config['mlModelType']),
    trainSize: trainSize ?? (testSize === undefined ? undefined : 100 - testSize),
    testSize: testSize ?? (trainSize === undefined ? undefined : 100 - trainSize),
    features: readFeatures(config['features'] ?? config['selectedFeatures']),
    target: readTarget(config['selectedTarget'] ?? config['target'], config['targetParams']),
    signal1Allocations: rowsOf(config['signal1Allocations'] ?? config['signal1_allocations']),
    signal0Allocations: rowsOf(config['signal0Allocations'] ?? config['signal0_allocations']),
    nEstimators: readNumber(config['n_estimators']),
    maxFeatures: readText(config['max_features']),
    minSamplesLeaf: readNumber(config['min_samples_leaf']),
    minSamplesSplit: readNumber(config['min_samples_split']),
    boostingRounds: readNumber(config['boosting_rounds']),
    maxDepth: readNumber(config['max_depth']),
    learningRate: readNumber(config['learning_rate']),
    minLeafShare: readNumber(config['min_leaf_share']),
    findRounds: readFlag(config['find_rounds']),
    startDate: readText(config['startDate']),
    endDate: readText(config['endDate']),
    isPeriodChosen: readText(config['startDate']) === undefined ? undefined : true,
    includeFirstReturn: readFlag(config['includeFirstReturn']),
    startValue: readNumber(config['startValue']),
    cashflow: readNumber(config['cashflow']),
    cashflowFreq: readText(config['cashflowFreq']),
    cashflowKind: readText(config['cashflowKind']),
    adjustInflation: readFlag(config['adjustInflation']),
    investDividends: readFlag(config['investDividends']),
    ...readReference(config['referenceTicker']),
    dataProvider: readText(config['dataProvider']),
    dataGranularity: readText(config['dataGranularity']),
    allowMixedPrices: readFlag(config['allowMixedPrices']),
    endedTicker: readText(config['endedTicker']),
    replacementTicker: readText(config['replacementTicker']),
    delistingReturnPct: readNumber(config['delistingReturnPct']),
    walkForwardEnabled: readFlag(config['walkForwardEnabled']),
    wfStepSizePct: readNumber(config['wfStepSizePct']),
    wfTrainWindowPct: readNumber(config['wfTrainWindowPct']),
    wfTestWindowPct: readNumber(config['wfTestWindowPct']),
    rebalanceFrequency: readText(config['rebalanceFrequency']),
    rebalanceBandPct: readNumber(config['rebalanceBandPct']),
    tradingCostBps: readNumber(config['tradingCostBps']),
    commission: readNumber(config['commission']),
    halfSpreadBps: readNumber(config['halfSpreadBps']),
    impactFactor: readNumber(config['impactFactor']),
    maintenanceMargin: readText(config['maintenanceMargin']),
    shortBorrowPct: readNumber(config['shortBorrowPct']),
    fillTiming: readText(config['fillTiming']),
    seed: readNumber(config['seed']),
    riskFreeTicker: readText(config['riskFreeTicker']),
  })
}

type Optional<T> = { [Key in keyof T]?: T[Key] | undefined }

function given(values: Optional<BacktestForm>): Partial<BacktestForm> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}

function rulesOf(value: unknown) {
  const read = readTree(value)
  return 'value' in read ? read.value : undefined
}

function rowsOf(value: unknown) {
  const rows = readRows(value)
  return rows && toRows(rows)
}

/** Sizes are percentages here; some writers send fractions. */
function readPercent(value: unknown): number | undefined {
  const size = readNumber(value)
  return size !== undefined && size > 0 && size < 1 ? Number((size * 100).toFixed(6)) : size
}

function readReference(value: unknown): { referenceTicker?: string; referenceLeverage?: number } {
  const text = readText(value)
  if (!text) return {}
  const { ticker, leverage = 1 } = splitLeverage(text)
  return { referenceTicker: ticker, referenceLeverage: leverage }
}

function readFeatures(value: unknown): ChosenFeature[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.flatMap((one: unknown, key) => {
    const feature = readRecord(typeof one === 'string' ? { id: one } : one)
    const name = readText(feature['original_name']) ?? readText(feature['name'])
    const id = readId(feature['originalId'] ?? feature['id']) ?? name
    return id === undefined ? [] : [{ key, id, name: name ?? String(id), params: readParams(feature['params']) }]
  })
}

/** An object with id and params, a JSON text of one, or a bare id with its parameters beside it. */
function readTarget(value: unknown, params: unknown): ChosenTarget | undefined {
  const target = typeof value === 'string' && value.trim().startsWith('{') ? readRecord(parsed(value)) : value
  const bare = readId(target)
  if (bare !== undefined) return { id: bare, params: readParams(params) }
  const { id, params: own } = readRecord(target)
  const known = readId(id)
  return known === undefined ? undefined : { id: known, params: { ...readParams(params), ...readParams(own) } }
}

function readId(value: unknown): number | string | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value === '') return undefined
  return /^\d+$/.test(value) ? Number(value) : value
}
