import {
  type BacktestSetting,
  backtestSettings,
  choiceLabel,
  settingEntries,
  type SettingName,
} from '@tradewright/core/backtest-settings'
import type { StrategyKindId } from '@tradewright/core/strategy-kinds'
import { CheckField, NumberField, SelectField, TextField } from '../ui/form/fields.tsx'
import type { NumberText } from './form-values.ts'
import { isBesideChoice, type SettingsForm } from './settings-form.ts'
import classes from './setup.module.css'
import { TickerField } from './tickers/ticker-field.tsx'

interface SettingFieldProps {
  name: SettingName
  form: SettingsForm
  edit: (change: Partial<SettingsForm>) => void
  /** In place of the hint of the catalogue. */
  hint?: string | undefined
  /** In place of its unit. */
  unit?: string
  disabled?: boolean
}

/** The field of a setting, as the catalogue describes it. */
export function SettingField({ name, form, edit, ...own }: SettingFieldProps) {
  const setting: BacktestSetting = backtestSettings[name]
  const { label, term, empty } = setting
  const hint = own.hint ?? setting.hint
  const unit = own.unit ?? setting.unit
  const change = (value: NumberText | boolean) => edit({ [name]: value })
  const value = form[name]
  const words = {
    label,
    ...(term !== undefined && { term }),
    ...(hint !== undefined && { hint }),
    disabled: own.disabled ?? !isBesideChoice(setting, form),
  }
  switch (setting.type) {
    case 'flag':
      return <CheckField {...words} checked={value === true} onChange={change} />
    case 'choice':
      return <SelectField {...words} value={String(value)} options={choiceOptions(name)} onChange={change} />
    case 'date':
      return <TextField {...words} type="date" value={String(value)} onChange={change} />
    case 'ticker':
      return (
        <TickerField
          {...words}
          hasNote={false}
          value={String(value)}
          onChange={change}
          {...(empty !== undefined && { placeholder: empty })}
        />
      )
    case 'choice or percent':
      return <ChoiceOrPercent name={name} words={words} value={String(value)} onChange={change} />
    case 'number':
    case 'whole':
      return (
        <NumberField
          {...words}
          {...(unit === '$' ? { prefix: '$' } : unit !== undefined && { unit })}
          {...(empty !== undefined && { placeholder: empty })}
          value={value as NumberText}
          onChange={change}
        />
      )
    default:
      return null
  }
}

/** The choices of a setting, as a select shows them. */
export function choiceOptions(name: SettingName) {
  const setting: BacktestSetting = backtestSettings[name]
  const words = 'choices' in setting ? Object.keys(setting.choices) : []
  const none = setting.default === undefined ? [{ value: '', label: setting.empty ?? 'None' }] : []
  return [...none, ...words.map((value) => ({ value, label: choiceLabel(name, value) }))]
}

interface ChoiceOrPercentProps {
  name: SettingName
  words: { label: string; term?: string }
  value: string
  onChange: (value: string) => void
}

/** Beside the choices a percentage of one's own. */
function ChoiceOrPercent({ name, words, value, onChange }: ChoiceOrPercentProps) {
  const options = choiceOptions(name)
  const [first, ...others] = options
  const isOwn = options.every((option) => option.value !== value)
  return (
    <div className={classes.row}>
      <SelectField
        {...words}
        value={isOwn ? 'own' : value}
        options={[first!, { value: 'own', label: 'Own percentage' }, ...others]}
        onChange={(choice) => onChange(choice === 'own' ? '30' : choice)}
      />
      <NumberField
        label="Of every position"
        unit="%"
        placeholder={value === first!.value ? '25' : 'None'}
        disabled={!isOwn}
        value={isOwn ? value : ''}
        onChange={(pct) => onChange(String(pct))}
      />
    </div>
  )
}

interface OtherSettingsProps extends Pick<SettingFieldProps, 'form' | 'edit'> {
  section: BacktestSetting['section']
  kind: StrategyKindId
  /** Those that have a place of their own in the section. */
  placed: readonly SettingName[]
}

/** The other settings of a part of the screen, in the order of the catalogue; one that counts beside another stands beside it. */
export function OtherSettings({ section, kind, placed, form, edit }: OtherSettingsProps) {
  const rows: SettingName[][] = []
  for (const [name, { kinds, beside, section: own }] of settingEntries) {
    if (own !== section || placed.includes(name) || kinds?.includes(kind) === false) continue
    const last = rows.at(-1)
    if (last?.some((one) => beside && one in beside)) last.push(name)
    else rows.push([name])
  }
  return rows.map((row) => (
    <div key={row[0]} className={row.length > 1 ? classes.row : undefined}>
      {row.map((name) => (
        <SettingField key={name} name={name} form={form} edit={edit} />
      ))}
    </div>
  ))
}
