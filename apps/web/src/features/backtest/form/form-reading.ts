import { readSavedStrategy, type SavedRow } from '@tradewright/core/settings-codec'
import { STRATEGY_TYPES } from '@tradewright/core/strategy-kinds'
import { toRows } from '../../../strategy-form/tickers/allocation-rows.ts'
import { splitLeverage } from '../../../strategy-form/tickers/leverage.ts'
import { settingsFormOf } from '../../../strategy-form/settings-form.ts'
import { readExternal } from '../external/external-form.ts'
import { type BacktestForm, newForm } from './form.ts'
import { readParams, readRecord, readText, type Unread } from './read-saved-config.ts'
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
  STRATEGY_TYPES.find((known) => known === type) ?? 'Asset Allocation'

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

/** What a strategy says of the form; a Problem names what cannot be read. */
function readConfig(config: Unread): Partial<BacktestForm> {
  const saved = readSavedStrategy(config)
  const { features, target, startDate } = saved
  return given({
    ...settingsFormOf(saved),
    ...(saved.referenceTicker !== undefined && readReference(saved.referenceTicker)),
    allocations: rowsOf(saved.allocations),
    rules: rulesOf(saved.rules),
    external: readExternal(saved.external),
    features: features?.map(({ id, name, params }, key) => ({ key, id, name: name ?? String(id), params })),
    target: target && { id: target.id, params: target.params },
    signal1Allocations: rowsOf(saved.signal1Allocations),
    signal0Allocations: rowsOf(saved.signal0Allocations),
    isPeriodChosen: startDate === undefined ? undefined : true,
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

const rowsOf = (rows: readonly SavedRow[] | undefined) => rows && toRows(rows)

function readReference(text: string): { referenceTicker: string; referenceLeverage: number } {
  const { ticker, leverage = 1 } = splitLeverage(text)
  return { referenceTicker: ticker, referenceLeverage: leverage }
}
