/** The fields of a form that are made from the catalogue of settings: their defaults, what is sent of them, and how a saved strategy fills them. */
import {
  type BacktestSetting,
  type backtestSettings,
  settingEntries,
  type SettingName,
} from '@tradewright/core/backtest-settings'
import { fieldEntries, type StrategyField, type strategyFields } from '@tradewright/core/strategy-fields'
import { modelLabelled } from '@tradewright/core/model-catalogue'
import { defaultsToSaved, type SavedSettings } from '@tradewright/core/settings-codec'
import type { StrategyKindId } from '@tradewright/core/strategy-kinds'
import { isGiven, type NumberText, plainTicker } from './form-values.ts'

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Letter}${infer Rest}`
  ? `${Head}${Uppercase<Letter>}${CamelCase<Rest>}`
  : Name
type FormValue<One> = One extends { type: 'number' | 'whole' }
  ? NumberText
  : One extends { type: 'flag' }
    ? boolean
    : string

type Own = typeof strategyFields
type PlainName = {
  [Name in keyof Own]: Own[Name] extends { type: 'number' | 'whole' | 'flag' | 'word' | 'choice' } ? Name : never
}[keyof Own]

/** Each setting under its name in camelCase: numbers as they are typed, an empty text for none. */
export type SettingsForm = { [Name in SettingName]: FormValue<(typeof backtestSettings)[Name]> } & {
  [Name in PlainName as CamelCase<Name>]: FormValue<Own[Name]>
}

type PlainField = Extract<StrategyField, { default: unknown }>
const isPlain = (field: StrategyField): field is PlainField => 'default' in field

const camelCase = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const formEntries: readonly {
  name: keyof SavedSettings
  key: keyof SettingsForm
  field: BacktestSetting | PlainField
}[] = [
  ...settingEntries.map(([name, field]) => ({ name, key: name, field })),
  ...fieldEntries.flatMap(([name, field]) =>
    isPlain(field) ? [{ name, key: camelCase(name) as keyof SettingsForm, field }] : [],
  ),
]

/** The fields that a saved strategy speaks of. */
export const settingsFormOf = (saved: SavedSettings): Partial<SettingsForm> =>
  Object.fromEntries(formEntries.flatMap(({ name, key }) => (saved[name] === undefined ? [] : [[key, saved[name]]])))

/** A new form; its dates are empty. */
export const newSettings = (): SettingsForm => ({
  ...(Object.fromEntries(formEntries.map(({ key }) => [key, ''])) as unknown as SettingsForm),
  ...settingsFormOf(defaultsToSaved()),
})

/** What a call sends of a form: the settings of its kind of strategy that are given, as text. */
export function settingFields(form: SettingsForm, kind: StrategyKindId): [name: string, text: string][] {
  return formEntries.flatMap(({ name, key, field }) => {
    const value = form[key]
    const counts = hasKind(field, kind) && isBesideChoice(field, form) && isOfModel(field, form)
    if (!counts || (typeof value !== 'boolean' && !isGiven(value))) return []
    return [[name, field.type === 'ticker' ? plainTicker(String(value)) : String(value).trim()]]
  })
}

const hasKind = ({ kinds }: { kinds?: readonly StrategyKindId[] }, kind: StrategyKindId): boolean =>
  kinds?.includes(kind) ?? true

/** Whether the choice of another setting, beside which it counts, is made. */
export const isBesideChoice = (field: BacktestSetting | PlainField, form: SettingsForm): boolean =>
  !('beside' in field) ||
  Object.entries(field.beside ?? {}).every(([name, words]) => words.includes(String(form[name as SettingName])))

const isOfModel = (field: BacktestSetting | PlainField, { mlModelType }: SettingsForm): boolean =>
  !('models' in field) || modelLabelled(mlModelType)?.settings === field.models
