import { BacktestForm } from '@tradewright/contract/backtest-form'
import { usage } from './failure.ts'

type Fields = Record<string, unknown>

/** Names of strategies of the server, of optimizer results and of short files for fields of the form. */
export const RENAMED_FIELDS: Readonly<Record<string, string>> = {
  name: 'strategyName',
  type: 'strategyType',
  strategy_type: 'strategyType',
  ml_model: 'mlModelType',
  selectedFeatures: 'features',
  selectedTarget: 'target',
}

/** Lists of rows, or maps from ticker to percent, that the form has as two repeated fields. */
export const ALLOCATION_FIELDS: Readonly<Record<string, readonly [tickers: string, percentages: string]>> = {
  allocations: ['ticker[]', 'allocation[]'],
  signal1Allocations: ['signal1_ticker[]', 'signal1_allocation[]'],
  signal0Allocations: ['signal0_ticker[]', 'signal0_allocation[]'],
}

/** What the server writes beside the settings, and what is said by another field as well. */
export const LEFT_OUT_FIELDS: readonly string[] = [
  'id',
  'description',
  'created_at',
  'updated_at',
  'target_asset',
  'related_assets',
  'optimization_results',
  'targetParams',
]

/**
 * A strategy as the form of `POST /api/v1/backtest` takes it. A file may be a strategy or a saved backtest of the server, the
 * strategy of an optimizer result, a tree of rules, or the fields of the form; `changes` go before it.
 */
export function formOfStrategy(file: unknown, changes: Fields = {}): BacktestForm {
  const fields: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries({ ...settingsOf(file), ...settingsOf(changes) })) {
    if (value !== null && value !== undefined) Object.assign(fields, fieldsOf(name, value))
  }
  fields['strategyType'] ??=
    'external' in fields
      ? 'External signal'
      : 'rules' in fields
        ? 'Rules'
        : 'features' in fields
          ? 'ML'
          : 'Asset Allocation'
  return fields
}

/** All settings in one object, under the names of the form. */
function settingsOf(value: unknown): Fields {
  if (!isObject(value)) throw usage('A strategy is a JSON object.')
  if (isObject(value['optimized_strategy'])) return settingsOf(value['optimized_strategy'])
  if (isObject(value['results'])) return settingsOf(value['results'])
  if (isObject(value['strategy_config'])) {
    const { strategy_name: name, strategy_type: type } = value
    return settingsOf({ ...value['strategy_config'], name, type })
  }
  if (isObject(value['root']) && 'version' in value) return { strategyType: 'Rules', rules: value }
  const { config, ml_parameters: parameters, target_id: targetId, target_config: targetParams, ...rest } = value
  return Object.fromEntries(
    Object.entries({
      ...(isObject(config) ? config : {}),
      ...(isObject(parameters) ? parameters : {}),
      ...(targetId !== undefined && { target: { id: targetId, params: targetParams ?? {} } }),
      ...rest,
    }).map(([name, setting]) => [RENAMED_FIELDS[name] ?? formName(name), setting]),
  )
}

/** `start_date` is `startDate` of the form. */
function formName(name: string): string {
  if (name in BacktestForm.shape) return name
  const camel = name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  return camel in BacktestForm.shape || camel in ALLOCATION_FIELDS ? camel : name
}

function fieldsOf(name: string, value: unknown): Record<string, string | string[]> {
  const rows = ALLOCATION_FIELDS[name]
  if (rows) {
    const pairs = rowsOf(name, value)
    return { [rows[0]]: pairs.map(([ticker]) => ticker), [rows[1]]: pairs.map(([, percent]) => percent) }
  }
  if (name in BacktestForm.shape)
    return { [name]: Array.isArray(value) && name.endsWith('[]') ? value.map(String) : textOf(value) }
  if (LEFT_OUT_FIELDS.includes(name)) return {}
  throw usage(`A backtest has no setting “${name}”. docs/cli.md lists those that it has.`)
}

function rowsOf(name: string, value: unknown): [ticker: string, percent: string][] {
  if (isObject(value)) return Object.entries(value).map(([ticker, percent]) => [ticker, textOf(percent)])
  const rows: unknown[] = Array.isArray(value) ? value : [value]
  return rows.map((row) => {
    if (!isObject(row))
      throw usage(`${name} must be a list of {"ticker", "allocation"}, or a map from ticker to percent.`)
    return [textOf(row['ticker'] ?? ''), textOf(row['allocation'] ?? '')]
  })
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
