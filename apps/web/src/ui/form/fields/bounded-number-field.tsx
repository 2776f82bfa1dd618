import '@mantine/core/styles/Input.layer.css'
import { TextInput } from '@mantine/core'
import { useState, useId } from 'react'
import { explainedBy } from '../fields.tsx'
import { FieldError } from '../field-error.tsx'
import classes from './bounded-number-field.module.css'
import sliderFieldClasses from './slider-field.module.css'

interface BoundedNumberFieldProps {
  label: string
  hint?: string | undefined
  error?: string | null | undefined
  /** The label is only read out, where a heading above already shows it. */
  hideLabel?: boolean
  /** As it was typed; empty where nothing is. */
  value: string
  onChange: (value: string) => void
  min: number
  max?: number
  step?: number
  /** Before the number: `$`. */
  prefix?: string
  /** After it: `%`. */
  unit?: string
  placeholder?: string
  disabled?: boolean
  /** The term of the glossary that explains the setting. */
  term?: string
  /** Pulled inside the bounds when the field is left. Money is not: a sentence says what is wrong with it instead. */
  isClamped?: boolean
}

/**
 * A number whose bounds and step the browser knows. Where the lowest is 0 or more, a minus sign is refused with a sentence,
 * and nothing more is taken until the field is left or something is deleted: `-5` must not become 5.
 */
export function BoundedNumberField(props: BoundedNumberFieldProps) {
  const { value, onChange, min, max, isClamped = false } = props
  const [isRefused, setRefused] = useState(false)
  const error = isRefused ? 'No negative numbers' : props.error
  return (
    <TextInput
      {...(props.hideLabel ? { 'aria-label': props.label } : { label: props.label })}
      {...(props.hint ? { description: props.hint } : {})}
      {...(error ? { error: <FieldError text={error} /> } : {})}
      {...(props.prefix ? { leftSection: <span className={classes.unit}>{props.prefix}</span> } : {})}
      {...(props.unit ? { rightSection: <span className={classes.unit}>{props.unit}</span> } : {})}
      {...(props.placeholder ? { placeholder: props.placeholder } : {})}
      {...(props.term ? { inputContainer: explainedBy(props.label, props.term) } : {})}
      type="number"
      inputMode="decimal"
      min={min}
      {...(max === undefined ? {} : { max })}
      step={props.step ?? 'any'}
      value={value}
      disabled={props.disabled ?? false}
      classNames={{ input: `${classes.input} tabular` }}
      onKeyDown={(event) => {
        const { key } = event
        if (event.ctrlKey || event.metaKey || event.altKey) return
        const isMinus = key === '-' && min >= 0
        if (isMinus) setRefused(true)
        else if (key === 'Backspace' || key === 'Delete' || key === 'Escape') setRefused(false)
        if (isMinus || (isRefused && key.length === 1)) event.preventDefault()
      }}
      onChange={(event) => {
        const text = event.currentTarget.value
        const isNegative = min >= 0 && text.includes('-')
        setRefused(isNegative)
        if (!isNegative) onChange(text)
      }}
      onBlur={() => {
        setRefused(false)
        if (isClamped) onChange(clamped(value, min, max))
      }}
      // A turn of the wheel over a field that happens to have the focus must not change an amount.
      onWheel={(event) => event.currentTarget.blur()}
    />
  )
}

function clamped(text: string, min: number, max = Number.POSITIVE_INFINITY): string {
  if (text.trim() === '') return text
  return String(Math.min(max, Math.max(min, Number(text))))
}

interface SliderFieldProps {
  label: string
  value: number
  min: number
  max: number
  step: number
  /** The value in words, beside the label. */
  shown: string
  onChange: (value: number) => void
}

/** A number between two bounds, by a handle that arrow keys move too. */
export function SliderField({ label, value, min, max, step, shown, onChange }: SliderFieldProps) {
  const id = useId()
  return (
    <div>
      <span className={sliderFieldClasses.words}>
        <label htmlFor={id}>{label}</label>
        <b className="tabular">{shown}</b>
      </span>
      <input
        id={id}
        className={sliderFieldClasses.slider}
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        aria-valuetext={shown}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
    </div>
  )
}
