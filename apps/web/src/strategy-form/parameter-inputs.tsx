import type { ParameterDefinition } from '@tradewright/contract/features'
import { NumberField, SelectField, TextField } from '../ui/form/fields.tsx'
import { shown as textOf } from './catalogue.ts'
import type { Params } from './form-values.ts'
import classes from './setup.module.css'
import { TickerField } from './tickers/ticker-field.tsx'

interface ParameterInputsProps {
  /** Whose parameters: read out before each label. */
  owner: string
  definitions: readonly ParameterDefinition[]
  params: Params
  onChange: (params: Params) => void
}

export function ParameterInputs({ owner, definitions, params, onChange }: ParameterInputsProps) {
  if (definitions.length === 0) return <p className={classes.hint}>{owner} has no parameters.</p>
  return (
    <div className={classes.parameters}>
      {definitions.map((definition) => (
        <ParameterInput
          key={definition.name}
          definition={definition}
          value={params[definition.name] ?? definition.default}
          onChange={(value) => onChange({ ...params, [definition.name]: value })}
        />
      ))}
    </div>
  )
}

interface ParameterInputProps {
  definition: ParameterDefinition
  value: unknown
  onChange: (value: number | string) => void
}

function ParameterInput({ definition, value, onChange }: ParameterInputProps) {
  const { name, label, type, options, readonly, step } = definition
  const shown = typeof value === 'number' ? value : textOf(value)
  const field = { label, disabled: readonly }
  if (type === 'select') {
    return <SelectField {...field} value={String(shown)} options={options ?? []} onChange={onChange} />
  }
  // A list of values, as the Optimizer's ranges are, is text to a number field.
  if (type === 'string' || (typeof shown === 'string' && shown.includes(','))) {
    const isTicker = name.endsWith('ticker')
    if (isTicker) return <TickerField {...field} isSeveral hasNote={false} value={String(shown)} onChange={onChange} />
    return <TextField {...field} value={String(shown)} onChange={onChange} />
  }
  return <NumberField {...field} value={shown} step={step ?? 1} onChange={onChange} />
}
