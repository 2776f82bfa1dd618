import { BacktestForm } from '@tradewright/contract/backtest-form'
import { Problem } from '@tradewright/core/problem'
import {
  callFields,
  kindOf,
  NOT_SETTINGS,
  readSavedStrategy,
  type SavedSettings,
  settingNamed,
  unknownSetting,
} from '@tradewright/core/settings-codec'
import { strategyTypeOf } from '@tradewright/core/strategy-kinds'
import { usage } from './failure.ts'

type Fields = Record<string, unknown>

/** Fields of a call that are no settings, as strategies and short files name them. */
export const CALL_NAMES: Readonly<Record<string, string>> = {
  name: 'strategyName',
  type: 'strategyType',
  strategy_type: 'strategyType',
}

/**
 * A strategy as the form of `POST /api/v1/backtest` takes it. A file may be a strategy or a saved backtest of the server, the
 * strategy of an optimizer result, a tree of rules, or the fields of the form; `changes` go before it.
 */
export function formOfStrategy(file: unknown, changes: Fields = {}): BacktestForm {
  const [asked, changed] = [file, changes].map((one) => partsOf(settingsOf(one)))
  const saved = { ...asked!.saved, ...changed!.saved }
  const call = { ...asked!.call, ...changed!.call }
  return { strategyType: strategyTypeOf(kindOf(saved)), ...callFields(saved), ...call }
}

interface Parts {
  readonly saved: SavedSettings
  readonly call: Readonly<Record<string, string | string[]>>
}

/** The settings of a file, and fields of the call beside them. */
function partsOf(settings: Fields): Parts {
  const config: Fields = {}
  const call: Record<string, string | string[]> = {}
  for (const [key, value] of Object.entries(settings)) {
    const name = CALL_NAMES[key] ?? formName(key)
    if (value === null || value === undefined) continue
    if (settingNamed(key) !== undefined || key === 'targetParams') config[key] = value
    else if (name in BacktestForm.shape) call[name] = Array.isArray(value) ? value.map(String) : textOf(value)
    else if (!NOT_SETTINGS.includes(key)) throw usage(`${unknownSetting(key)} docs/cli.md lists those that it has.`)
  }
  try {
    return { saved: readSavedStrategy(config), call }
  } catch (error) {
    throw error instanceof Problem ? usage(error.message) : error
  }
}

/** All settings in one object. */
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
  return {
    ...(isObject(config) ? config : {}),
    ...(isObject(parameters) ? parameters : {}),
    ...(targetId !== undefined && { target: { id: targetId, params: targetParams ?? {} } }),
    ...rest,
  }
}

/** `as_of` is `asOf` of the form. */
function formName(name: string): string {
  const camel = name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
  return name in BacktestForm.shape ? name : camel
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
