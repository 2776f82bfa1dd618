/**
 * Reads and writes the settings of the catalogue. A value has three forms: JSON in saved strategies, results and answers
 * ("Yearly", null for none), text in the fields of a call ("Yearly", left out for none), and the engine's own ("yearly",
 * undefined for none). A saved strategy is read here alone, for the Studio, deployments, proposals, agents and the command
 * line: what one of them reads, all read.
 */
import {
  type BacktestSetting,
  type BacktestSettings,
  backtestSettings,
  settingEntries,
  type SettingName,
} from './backtest-settings.ts'
import { fieldEntries, type FieldName, type StrategyField, strategyFields } from './strategy-fields.ts'
import { choiceField, flagField, given, invalidField, numberField, shortened, wholeField } from './form-values.ts'
import { Problem } from './problem.ts'
import type { StrategyKindId } from './strategy-kinds.ts'
import { formatDate, parseDate } from './time.ts'

export interface SavedRow {
  readonly ticker: string
  /** Percent of the account's value. */
  readonly allocation: number
}

/** A feature or a target with its parameters. */
interface SavedSelection {
  readonly id: number | string
  readonly name?: string
  readonly params: Readonly<Record<string, unknown>>
}

type SettingOf<Name extends FieldName> = Name extends SettingName
  ? (typeof backtestSettings)[Name]
  : Name extends keyof typeof strategyFields
    ? (typeof strategyFields)[Name]
    : never

type JsonOf<One> = One extends { type: 'number' | 'whole' }
  ? number
  : One extends { type: 'flag' }
    ? boolean
    : One extends { type: 'rows' }
      ? readonly SavedRow[]
      : One extends { type: 'object' }
        ? Readonly<Record<string, unknown>>
        : One extends { type: 'selection' }
          ? SavedSelection
          : One extends { type: 'selections' }
            ? readonly SavedSelection[]
            : One extends { type: 'choice'; choices: infer Choices }
              ? keyof Choices & string
              : One extends { type: 'word' }
                ? string | number
                : string

/** What a saved strategy says, each setting under its one name; what it does not say has its default. */
export type SavedSettings = { readonly [Name in FieldName]?: JsonOf<SettingOf<Name>> }

/** Further names, of results, the Optimizer and hand-written files. Any name may also stand in snake_case or camelCase. */
export const ALIASES: Readonly<Record<string, FieldName>> = {
  allocation: 'allocations',
  selectedFeatures: 'features',
  selectedTarget: 'target',
  ml_model: 'mlModelType',
  signal1_allocation: 'signal1Allocations',
  signal0_allocation: 'signal0Allocations',
}

/** What stands beside the settings in strategies of this program, and is no setting. */
export const NOT_SETTINGS: readonly string[] = [
  'id',
  'name',
  'type',
  'description',
  'strategyName',
  'strategyType',
  'created_at',
  'updated_at',
  'target_asset',
  'related_assets',
  'optimization_results',
  // Read together with the target.
  'targetParams',
]

const spelling = (name: string): string => name.replaceAll('_', '').toLowerCase()

const names = [...settingEntries.map(([name]) => name), ...fieldEntries.map(([name]) => name)]
const named = new Map<string, FieldName>([
  ...names.map((name) => [spelling(name), name] as const),
  ...Object.entries(ALIASES).map(([alias, name]) => [spelling(alias), name] as const),
])
const ignored = new Set(NOT_SETTINGS.map(spelling))

/** The setting that a key of a saved strategy or of a file stands for. */
export const settingNamed = (key: string): FieldName | undefined => named.get(spelling(key))

/** Why a key cannot be read, with the name that was probably meant. */
export function unknownSetting(key: string): string {
  const [nearest] = names
    .map((name) => ({ name, distance: editDistance(spelling(key), spelling(name)) }))
    .filter(({ name, distance }) => distance <= Math.max(2, name.length / 3))
    .sort((a, b) => a.distance - b.distance)
  return `A backtest has no setting “${shortened(key)}”.${nearest ? ` Did you mean “${nearest.name}”?` : ''}`
}

function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 20) return a.length + b.length
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1)!
}

/** Reads a saved strategy; a Problem names the setting that cannot be read. Nothing is left out silently. */
export function readSavedStrategy(config: unknown): SavedSettings {
  try {
    if (!isObject(config)) throw invalidField('The settings of a strategy must be an object.')
    return withSizes(readNamed(config))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw new Problem('invalid', 'strategy.config', error.message)
  }
}

function readNamed(config: Readonly<Record<string, unknown>>): SavedSettings {
  const read: Partial<Record<FieldName, unknown>> = {}
  const from: Partial<Record<FieldName, string>> = {}
  for (const [key, value] of Object.entries(config)) {
    const name = settingNamed(key)
    if (name === undefined) {
      if (!ignored.has(spelling(key))) throw invalidField(unknownSetting(key))
      continue
    }
    const one = readValue(name, name === 'target' ? withParams(value, config['targetParams']) : value)
    if (one === undefined) continue
    if (from[name] !== undefined && JSON.stringify(read[name]) !== JSON.stringify(one)) {
      throw invalidField(`The strategy says two things about ${name}: as “${from[name]}” and as “${key}”.`)
    }
    read[name] = one
    from[name] = key
  }
  return read as SavedSettings
}

/** Train and test size are percentages that make 100 together; some writers give fractions, or one of the two. */
function withSizes(saved: SavedSettings): SavedSettings {
  const { trainSize, testSize } = saved
  if (trainSize === undefined && testSize === undefined) return saved
  const given = [trainSize, testSize].filter((size) => size !== undefined)
  const sum = given.reduce((total, size) => total + size, 0)
  const isFraction = given.length === 2 ? Math.abs(sum - 1) <= 1e-6 : sum > 0 && sum < 1
  const percent = (size: number) => Number((isFraction ? size * 100 : size).toFixed(6))
  const train = trainSize === undefined ? percent(100 - percent(testSize!)) : percent(trainSize)
  const test = testSize === undefined ? 100 - train : percent(testSize)
  if (Math.abs(train + test - 100) > 1e-6) throw invalidField(sizesRefused(train, test))
  return { ...saved, trainSize: train, testSize: Number(test.toFixed(6)) }
}

export const sizesRefused = (train: number, test: number): string =>
  `Train size and test size must add up to 100%, but are ${train}% and ${test}%.`

/** One value of a saved strategy in JSON; undefined for none. */
function readValue(name: FieldName, value: unknown): unknown {
  if (value === null || value === undefined || value === '') return undefined
  const field = fieldOf(name)
  switch (field.type) {
    case 'rows':
      return readRows(field.what, value)
    case 'object':
      return readObject(field.what, value)
    case 'selection':
      return readSelection(field.what, value)
    case 'selections':
      return readSelections(field.what, value)
    case 'number':
    case 'whole':
    case 'flag':
    case 'ticker':
    case 'word':
    case 'date':
    case 'choice':
    case 'choice or percent': {
      const read = readText(field, textOf(field.what, value))
      if (typeof read === 'number') refuseOutOfBounds(field, read)
      return toJson(field, read) ?? undefined
    }
    default:
      return undefined
  }
}

type PlainField = BacktestSetting | Exclude<StrategyField, { type: 'rows' | 'object' | 'selection' | 'selections' }>
type EngineValue = number | boolean | string | undefined

const fieldOf = (name: FieldName): BacktestSetting | StrategyField =>
  name in backtestSettings ? backtestSettings[name as SettingName] : strategyFields[name as keyof typeof strategyFields]

function textOf(what: string, value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw invalidField(`${what} must be a text, a number or true or false.`)
}

/** The text of a field in the engine's words; undefined where it is blank. */
function readText(field: PlainField, text: string | undefined): EngineValue {
  const { what } = field
  const word = given(text)
  if (word === undefined) return undefined
  switch (field.type) {
    case 'number':
      return numberField(what, word)
    case 'whole':
      return wholeField(what, word)
    case 'flag':
      return flagField(what, word)
    case 'ticker':
      return word.toUpperCase()
    case 'word':
      return word
    case 'date': {
      const day = parseDate(word)
      if (day === undefined) throw invalidField(`${what} must be a date like 2024-12-31, was "${shortened(word)}".`)
      return day
    }
    case 'choice': {
      const choice = choiceField(what, Object.keys(field.choices), word)
      return choice === undefined ? undefined : field.choices[choice]
    }
    case 'choice or percent': {
      const choice = word.toLowerCase()
      if (Object.hasOwn(field.choices, choice)) return field.choices[choice]
      const percent = Number(word)
      if (Number.isFinite(percent)) return percent
      throw invalidField(`${what} must be ${Object.keys(field.choices).join(', ')} or a percentage.`)
    }
    default:
      return undefined
  }
}

/** A value of the engine in JSON; null for none. */
function toJson(field: PlainField, value: EngineValue): number | boolean | string | null {
  if (value === undefined) return null
  if (field.type === 'date') return formatDate(value as number)
  if (field.type === 'choice or percent') return String(value)
  if (field.type !== 'choice') return value
  // A value that no form offers has no word.
  return Object.entries(field.choices).find(([, one]) => one === value)?.[0] ?? value
}

/** A list of rows, or a map from ticker to percent. A row without a ticker does not count. */
function readRows(what: string, value: unknown): SavedRow[] {
  const pairs: readonly (readonly [unknown, unknown])[] = Array.isArray(value)
    ? value.map((row: unknown) => {
        if (!isObject(row)) throw invalidField(`${what} must be a list of {"ticker", "allocation"}.`)
        return [row['ticker'], row['allocation']]
      })
    : Object.entries(readObject(what, value))
  return pairs.flatMap(([text, percent]) => {
    const ticker = typeof text === 'string' ? given(text)?.toUpperCase() : undefined
    if (ticker === undefined) return []
    if (percent === null || percent === undefined || percent === '') {
      throw invalidField(`${what} of ${ticker} is missing.`)
    }
    return [{ ticker, allocation: numberField(`${what} of ${ticker}`, textOf(what, percent))! }]
  })
}

function readObject(what: string, value: unknown): Readonly<Record<string, unknown>> {
  const object = typeof value === 'string' ? jsonOf(what, value) : value
  if (!isObject(object)) throw invalidField(`${what} must be an object.`)
  return object
}

function readSelections(what: string, value: unknown): SavedSelection[] {
  const list = typeof value === 'string' ? jsonOf(what, value) : value
  if (!Array.isArray(list)) throw invalidField(`${what} must be a list.`)
  return list.map((one: unknown, i) => readSelection(`Feature ${i + 1}`, one))
}

/** `{id, params}`, JSON text of it, or an id or a name alone. */
function readSelection(what: string, value: unknown): SavedSelection {
  const one = typeof value === 'string' && /^\s*[{[]/.test(value) ? jsonOf(what, value) : value
  if (!isObject(one)) {
    const id = idOf(one)
    if (id === undefined) throw invalidField(`${what} has no id.`)
    return { id, params: {} }
  }
  const { id: own, originalId, original_name: originalName, name: given, params = {} } = one
  const name = typeof originalName === 'string' ? originalName : typeof given === 'string' ? given : undefined
  const id = idOf(originalId) ?? idOf(own) ?? idOf(name)
  if (id === undefined) throw invalidField(`${what} has no id.`)
  if (params !== null && !isObject(params)) throw invalidField(`The parameters of ${what} must be an object.`)
  return { id, ...(name !== undefined && { name }), params: params ?? {} }
}

function idOf(value: unknown): number | string | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.trim() === '') return undefined
  return /^\d+$/.test(value) ? Number(value) : value
}

/** A target whose parameters stand beside it. */
function withParams(value: unknown, params: unknown): unknown {
  if (value === null || value === undefined || value === '' || params === undefined || params === null) return value
  const beside = readObject('The parameters of the target', params)
  const target = readSelection('The target', value)
  return { ...target, params: { ...beside, ...target.params } }
}

function jsonOf(what: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw invalidField(`${what} cannot be read: this is not valid JSON.`)
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The fields of `POST /api/backtest` that ask for a saved strategy, as text. */
export function callFields(saved: SavedSettings): Record<string, string | string[]> {
  const fields: Record<string, string | string[]> = {}
  for (const name of names) {
    const value = saved[name]
    if (value === undefined) continue
    const field = fieldOf(name)
    if (field.type === 'rows') {
      const rows = value as readonly SavedRow[]
      const [tickers, percentages] = field.columns
      fields[tickers] = rows.map(({ ticker }) => ticker)
      fields[percentages] = rows.map(({ allocation }) => String(allocation))
    } else {
      fields[name] = typeof value === 'object' ? JSON.stringify(value) : String(value)
    }
  }
  return fields
}

/** What a deployment takes over of a saved strategy: it trades from its own start, and rebalances by its own settings. */
export const deployed = (saved: SavedSettings): SavedSettings =>
  Object.fromEntries(
    Object.entries(saved).filter(
      ([name]) => !(name in backtestSettings && isOfTestOnly(backtestSettings[name as SettingName])),
    ),
  )

const isOfTestOnly = ({ isOfTestOnly: only }: BacktestSetting): boolean => only === true

/** The kind that a strategy without a type is, by what it is made of. */
export const kindOf = (saved: SavedSettings): StrategyKindId =>
  saved.external
    ? 'external'
    : saved.rules
      ? 'rules'
      : saved.target !== undefined || saved.features !== undefined
        ? 'ml'
        : 'allocation'

type PlainOwn = {
  [Name in keyof typeof strategyFields]: (typeof strategyFields)[Name] extends { default: unknown } ? Name : never
}[keyof typeof strategyFields]
type OwnValue<Name extends PlainOwn> = (typeof strategyFields)[Name] extends { type: 'number' | 'whole' }
  ? number
  : (typeof strategyFields)[Name] extends { type: 'flag' }
    ? boolean
    : string

/** What a call says of a field that is a kind's own; undefined where it is blank. */
export function ownValue<Name extends PlainOwn>(
  name: Name,
  call: { readonly [Key in Name]?: string | undefined },
): OwnValue<Name> | undefined {
  const field: PlainField = strategyFields[name]
  const value = readText(field, call[name])
  if (typeof value === 'number') refuseOutOfBounds(field, value)
  return value as OwnValue<Name> | undefined
}

/** All settings of the engine's request, from the text of a call. What is left out has its default. */
export function settingsOfCall(call: Readonly<Record<string, unknown>>): BacktestSettings {
  return Object.fromEntries(
    settingEntries.map(([name, setting]) => {
      const text = call[name]
      const value = readText(setting, typeof text === 'string' ? text : undefined)
      if (value === undefined && setting.type === 'date') throw invalidField(`${setting.what} is missing.`)
      return [setting.key, value ?? setting.default]
    }),
  ) as unknown as BacktestSettings
}

type SavedJson = { readonly [Name in SettingName]: JsonOf<SettingOf<Name>> | OrNull<SettingOf<Name>> }
type OrNull<One> = One extends { default: undefined } ? null : never

/** The settings of a request as a saved strategy has them. */
export const settingsToSaved = (settings: BacktestSettings) =>
  Object.fromEntries(settingEntries.map(([name, setting]) => [name, jsonIn(settings, setting)])) as unknown as SavedJson

/** Every default of a new form that is not empty; dates have none. */
export const defaultsToSaved = (): SavedSettings =>
  Object.fromEntries(
    [...settingEntries, ...fieldEntries].flatMap(([name, field]) => {
      if (!('default' in field) || field.default === undefined) return []
      return [[name, 'key' in field ? toJson(field, field.default) : field.default]]
    }),
  )

type ResultJson = {
  readonly [
    Name in SettingName as SettingOf<Name> extends { result: infer Key extends string } ? Key : never
  ]: SavedJson[Name]
}

/** The settings of a request as a result tells them. */
export const settingsToResult = (settings: BacktestSettings) =>
  Object.fromEntries(
    settingEntries.flatMap(([, setting]) =>
      setting.result === undefined ? [] : [[setting.result, jsonIn(settings, setting)]],
    ),
  ) as unknown as ResultJson

function jsonIn(settings: BacktestSettings, setting: BacktestSetting) {
  const value = settings[setting.key as keyof BacktestSettings]
  return toJson(setting, value ?? setting.absent ?? setting.default)
}

/** Refuses a request with a number out of its bounds; a Problem names the setting and the bounds. */
export function checkBounds(settings: BacktestSettings): void {
  for (const [, setting] of settingEntries) {
    const value = settings[setting.key as keyof BacktestSettings]
    if (typeof value === 'number') refuseOutOfBounds(setting, value)
  }
}

function refuseOutOfBounds(field: PlainField, value: number): void {
  const code = `backtest.${'key' in field ? (field.problem ?? field.key) : 'form'}`
  if (field.type === 'whole' && !Number.isInteger(value)) {
    throw new Problem('invalid', code, `${field.what} must be a whole number, was ${value}.`)
  }
  if (!Number.isFinite(value)) throw new Problem('invalid', code, `${field.what} must be a number, was ${value}.`)
  const { bounds } = field as { bounds?: Bounds }
  if (field.type === 'date' || !bounds || isWithin(bounds, value)) return
  throw new Problem('invalid', code, `${field.what} must be ${rangeOf(bounds)}, was ${value}.`)
}

type Bounds = Exclude<Extract<BacktestSetting, { type: 'number' | 'whole' }>['bounds'], undefined>

const isWithin = ({ min, above, max, below }: Bounds, value: number): boolean =>
  Number.isFinite(value) &&
  !(min !== undefined && value < min) &&
  !(above !== undefined && value <= above) &&
  !(max !== undefined && value > max) &&
  !(below !== undefined && value >= below)

/** `from 0 to below 10000 basis points` */
function rangeOf({ min, above, max, below, unit = '' }: Bounds): string {
  if (above !== undefined) {
    const end = max !== undefined ? ` and at most ${max}` : below !== undefined ? ` and below ${below}` : ''
    return `above ${above}${end}${unit}`
  }
  const to = max ?? (below !== undefined ? `below ${below}` : undefined)
  return to === undefined ? `${min} or more${unit}` : `from ${min} to ${to}${unit}`
}
