/** Schemas of the settings of backtests, made from their catalogue: fields of a call, saved strategies, results, passports. */
import {
  type BacktestSetting,
  type BacktestSettings,
  backtestSettings,
  settingEntries,
  type SettingName,
} from '@tradewright/core/backtest-settings'
import {
  fieldEntries,
  type FieldName,
  type StrategyField,
  type strategyFields,
} from '@tradewright/core/strategy-fields'
import type { SavedSettings, settingsToResult, settingsToSaved } from '@tradewright/core/settings-codec'
import { MAX_ALLOCATION_ROWS } from '@tradewright/core/ticker'
import { z } from 'zod'
import { WORD_MAX_LENGTH } from './bounds.ts'

/** Empty text counts as absent. */
export const text = z.string().max(WORD_MAX_LENGTH).optional()
/** JSON or CSV in a field. */
export const document = (maxLength: number) => z.string().max(maxLength).optional()
const repeated = z
  .array(z.string().max(WORD_MAX_LENGTH))
  .max(MAX_ALLOCATION_ROWS, `An allocation has at most ${MAX_ALLOCATION_ROWS} tickers.`)
  .optional()
/** Also `on`/`off`, `1`/`0`, `yes`/`no`. */
export const flag = text.describe('true or false')

export const AllocationRow = z.object({
  ticker: z.string(),
  /** Percent of the account's value. */
  allocation: z.number(),
})
export type AllocationRow = z.infer<typeof AllocationRow>

type Column = Extract<(typeof strategyFields)[keyof typeof strategyFields], { type: 'rows' }>['columns'][number]
type TextName = Exclude<FieldName, 'allocations' | 'signal1Allocations' | 'signal0Allocations'>
type CallShape = { [Name in TextName]: typeof text } & { [Name in Column]: typeof repeated }

const isFlag = (type: string): boolean => type === 'flag'
const described = (schema: typeof text, type: string, note: string | undefined) =>
  note === undefined ? (isFlag(type) ? flag : schema) : schema.describe(note)

/** The fields of a call: all text, as a form sends them. */
export const callShape = Object.fromEntries<z.ZodType>([
  ...settingEntries.map(([name, { type, note }]): [string, z.ZodType] => [name, described(text, type, note)]),
  ...fieldEntries.flatMap(([name, field]): [string, z.ZodType][] =>
    field.type === 'rows'
      ? field.columns.map((column) => [column, repeated])
      : [[name, described('maxLength' in field ? document(field.maxLength) : text, field.type, field.note)]],
  ),
]) as unknown as CallShape

const wordsOf = (setting: { choices: Readonly<Record<string, string>> }) => z.enum(Object.keys(setting.choices))

/** A value in the JSON of saved strategies and results. */
function jsonSchema(setting: BacktestSetting): z.ZodType {
  if (setting.type === 'flag') return z.boolean()
  if (setting.type === 'number' || setting.type === 'whole') return z.number()
  // What no form offers may stand there as well.
  return setting.type === 'choice' && !setting.unoffered ? wordsOf(setting) : z.string()
}

const orNull = (setting: BacktestSetting, schema: z.ZodType): z.ZodType =>
  setting.type !== 'date' && setting.default === undefined ? schema.nullable() : schema

type SavedJson = ReturnType<typeof settingsToSaved>
type ResultJson = ReturnType<typeof settingsToResult>
type MayLackSaved = {
  [Name in SettingName]: (typeof backtestSettings)[Name] extends { mayLack: string } ? Name : never
}[SettingName]
type SavedShape = { [Name in Exclude<SettingName, MayLackSaved>]: z.ZodType<SavedJson[Name]> } & {
  [Name in MayLackSaved]: z.ZodOptional<z.ZodType<SavedJson[Name]>>
}

export const savedShape = Object.fromEntries(
  settingEntries.map(([name, setting]) => {
    const schema = orNull(setting, jsonSchema(setting))
    return [name, setting.mayLack ? schema.optional() : schema]
  }),
) as unknown as SavedShape

export const resultShape = Object.fromEntries(
  settingEntries.flatMap(([, setting]) =>
    setting.result === undefined ? [] : [[setting.result, orNull(setting, jsonSchema(setting))]],
  ),
) as unknown as { [Key in keyof ResultJson]: z.ZodType<ResultJson[Key]> }

const Selection = z.object({
  id: z.union([z.number(), z.string()]),
  name: z.string().optional(),
  params: z.record(z.string(), z.unknown()),
})
const FIELD_SCHEMAS = {
  rows: z.array(AllocationRow),
  object: z.record(z.string(), z.unknown()),
  selection: Selection,
  selections: z.array(Selection),
  number: z.number(),
  whole: z.number(),
  flag: z.boolean(),
  choice: z.string(),
  word: z.union([z.string(), z.number()]),
}

const fieldSchema = (field: StrategyField): z.ZodType =>
  field.type === 'number' && field.default === undefined ? z.number().nullable() : FIELD_SCHEMAS[field.type]

type OrNull<One> = One extends { default: undefined } ? null : never
type OwnShape = {
  [Name in Exclude<keyof typeof strategyFields, 'dataProvider'>]: z.ZodOptional<
    z.ZodType<NonNullable<SavedSettings[Name]> | OrNull<(typeof strategyFields)[Name]>>
  >
}

/** What the kinds of strategy save of their own. */
export const ownShape = Object.fromEntries(
  fieldEntries.flatMap(([name, field]) => (name === 'dataProvider' ? [] : [[name, fieldSchema(field).optional()]])),
) as unknown as OwnShape

type Optional = {
  [Key in keyof BacktestSettings]-?: undefined extends BacktestSettings[Key] ? Key : never
}[keyof BacktestSettings]
type RequestShape = {
  [Key in Exclude<keyof BacktestSettings, Optional>]: z.ZodType<BacktestSettings[Key]>
} & { [Key in Optional]: z.ZodOptional<z.ZodType<NonNullable<BacktestSettings[Key]>>> }

/** Settings in the engine's own words, as a passport has them; `ticker` and `day` bound what is read from files. */
export const requestShape = (ticker: z.ZodType, day: z.ZodType) =>
  Object.fromEntries(
    settingEntries.map(([, setting]) => {
      const schema = requestSchema(setting, ticker, day)
      const mayLack = setting.mayLack === 'requests' || (setting.type !== 'date' && setting.default === undefined)
      return [setting.key, mayLack ? schema.optional() : schema]
    }),
  ) as unknown as RequestShape

function requestSchema(setting: BacktestSetting, ticker: z.ZodType, day: z.ZodType): z.ZodType {
  switch (setting.type) {
    case 'date':
      return day
    case 'ticker':
      return ticker
    case 'flag':
      return z.boolean()
    case 'number':
      return z.number()
    case 'whole':
      return z.int()
    case 'choice':
      return z.enum([...Object.values(setting.choices), ...(setting.unoffered ?? [])])
    case 'choice or percent':
      return z.union([z.enum(Object.values(setting.choices)), z.number()])
    default:
      return z.never()
  }
}
