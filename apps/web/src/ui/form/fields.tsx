import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/NumberInput.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { Checkbox, NativeSelect, NumberInput, SegmentedControl, TextInput } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { Term } from '../feedback/explanation.tsx'
import { FieldError } from './field-error.tsx'
import classes from './fields.module.css'

export interface FieldProps {
  label: string
  /** Under the label. A disabled field says here why. */
  hint?: string | undefined
  disabled?: boolean | undefined
  /** The label is only read out, where a heading above already shows it. */
  hideLabel?: boolean
  /** The value's error, under the field. */
  error?: string | undefined
  /** Marked as required; the form checks it itself. */
  required?: boolean
  /** The term of the glossary that explains the setting, behind a button at the end of the label's line. */
  term?: string
}

/** Keeps the words of label and hint together, whichever field they belong to. */
export function wordsOf({
  label,
  hint,
  disabled = false,
  hideLabel = false,
  error,
  required = false,
  term,
}: FieldProps) {
  const named = hideLabel ? { 'aria-label': label } : { label }
  return {
    ...named,
    ...(hint ? { description: hint } : {}),
    ...(error ? { error: <FieldError text={error} /> } : {}),
    ...(required ? { withAsterisk: true } : {}),
    ...(term ? { inputContainer: explainedBy(label, term) } : {}),
    disabled,
  }
}

/** Outside of the label, whose words are the field's name and whose press goes to the field. */
export const explainedBy = (label: string, term: string) => (input: ReactNode) => (
  <>
    {input}
    <span className={classes.term}>
      <Term of={label} term={term} />
    </span>
  </>
)

interface TextFieldProps extends FieldProps {
  value: string
  onChange: (value: string) => void
  placeholder?: string
  type?: 'text' | 'date' | 'time' | 'datetime-local' | 'search'
  leftSection?: ReactNode
  /** Has the focus when its dialog opens, with its text selected. */
  isFocused?: boolean
  readOnly?: boolean
}

export function TextField({
  value,
  onChange,
  placeholder,
  type = 'text',
  leftSection,
  isFocused = false,
  readOnly = false,
  ...field
}: TextFieldProps) {
  return (
    <TextInput
      {...wordsOf(field)}
      type={type}
      value={value}
      classNames={{ input: classes.input ?? '', wrapper: classes.wrapper ?? '' }}
      autoComplete="off"
      spellCheck={false}
      {...(placeholder ? { placeholder } : {})}
      {...(leftSection ? { leftSection } : {})}
      {...(isFocused ? { 'data-autofocus': true, onFocus: (event) => event.currentTarget.select() } : {})}
      readOnly={readOnly}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface NumberFieldProps extends FieldProps {
  value: number | string
  onChange: (value: number | string) => void
  prefix?: string
  /** The unit, inside the field: `%`, `×`. */
  unit?: string
  placeholder?: string
  step?: number
  /** Pulled inside its bounds when the field is left. Without bounds the server says what is out of range. */
  min?: number
  max?: number
  readOnly?: boolean
}

/** Right-aligned, with its unit inside. */
export function NumberField(props: NumberFieldProps) {
  const { value, onChange, prefix, unit, placeholder, step = 1, min, max, ...field } = props
  // After a letter nothing more is taken until the field is left or something is deleted: `1e9` must not become 19.
  const [isRefused, setRefused] = useState(false)
  return (
    <NumberInput
      {...wordsOf(isRefused ? { ...field, error: 'Digits only' } : field)}
      onKeyDown={(event) => {
        const { key } = event
        if (event.ctrlKey || event.metaKey || event.altKey) return
        if (isStrayLetter(key)) setRefused(true)
        else if (key === 'Backspace' || key === 'Delete' || key === 'Escape') setRefused(false)
        if (isStrayLetter(key) || (isRefused && key.length === 1)) event.preventDefault()
      }}
      onBlur={() => setRefused(false)}
      onInputCapture={(event) => {
        const pasted = exponentOf(event.currentTarget.value)
        if (pasted === null) return
        event.stopPropagation()
        onChange(pasted)
      }}
      value={value}
      hideControls
      thousandSeparator=","
      step={step}
      {...(min === undefined ? {} : { min })}
      {...(max === undefined ? {} : { max })}
      readOnly={field.readOnly ?? false}
      classNames={{ input: `${classes.input} ${classes.number}`, wrapper: classes.wrapper ?? '' }}
      {...(prefix ? { prefix } : {})}
      {...(unit ? { suffix: unit } : {})}
      {...(placeholder ? { placeholder } : {})}
      onChange={onChange}
    />
  )
}

interface Option {
  value: string
  label: string
  disabled?: boolean
}

export interface SelectFieldProps extends FieldProps {
  value: string
  /** Groups have a heading of their own in the list. */
  options: readonly (string | Option | { group: string; items: Option[] })[]
  onChange: (value: string) => void
}

/** The code comes where a list is long. */
const SearchSelectField = lazy(() => import('./fields/search-select-field.tsx'))

/** A native list of so many is scrolled with ease; a longer one is searched by typing. */
const MAX_OPTIONS = 100

export function SelectField(props: SelectFieldProps) {
  const { value, options, onChange, ...field } = props
  const all = options.flatMap((one) => (typeof one === 'object' && 'items' in one ? one.items : [one]))
  if (all.length > MAX_OPTIONS) {
    const chosen = all.find((one) => (typeof one === 'object' ? one.value : one) === value)
    const text = typeof chosen === 'object' ? chosen.label : (chosen ?? '')
    return (
      <Suspense fallback={<TextInput {...wordsOf(field)} readOnly value={text} />}>
        <SearchSelectField {...props} />
      </Suspense>
    )
  }
  return (
    <NativeSelect
      {...wordsOf(field)}
      value={value}
      data={[...options]}
      classNames={{ input: classes.input ?? '', wrapper: classes.wrapper ?? '' }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface CheckFieldProps extends FieldProps {
  checked: boolean
  onChange: (checked: boolean) => void
}

export function CheckField({ checked, onChange, term, ...field }: CheckFieldProps) {
  const box = (
    <Checkbox
      {...wordsOf(field)}
      size="xs"
      checked={checked}
      classNames={{ label: classes.checkLabel ?? '' }}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
  return term ? <div className={classes.explained}>{explainedBy(field.label, term)(box)}</div> : box
}

interface ChoiceFieldProps<Value extends string> {
  label: string
  value: Value
  options: readonly Value[]
  onChange: (value: Value) => void
  hideLabel?: boolean
  term?: string
}

/** A choice of two or three, all in sight. */
export function ChoiceField<Value extends string>({
  label,
  value,
  options,
  onChange,
  hideLabel,
  term,
}: ChoiceFieldProps<Value>) {
  const id = useId()
  return (
    <div className={classes.explained}>
      {!hideLabel && (
        <span className={classes.label} id={id}>
          {label}
        </span>
      )}
      {term && (
        <span className={classes.term}>
          <Term of={label} term={term} />
        </span>
      )}
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={label}
        value={value}
        data={[...options]}
        classNames={{ root: classes.segments ?? '', label: classes.segment ?? '', indicator: classes.indicator ?? '' }}
        onChange={onChange}
      />
    </div>
  )
}

/**
 * The number of a text with an exponent, `1e9` or `$2.5E-3`, as spreadsheets paste it; null for any other text. A number
 * field drops letters, which would leave 19 of `1e9`.
 */
export function exponentOf(text: string): number | null {
  const plain = text.replaceAll(/[\s,$%×]/g, '')
  if (!/^[+-]?(\d+\.?\d*|\.\d+)e[+-]?\d+$/i.test(plain)) return null
  const value = Number(plain)
  return Number.isFinite(value) ? value : null
}

/** Whether a key would write something that belongs to no number, such as the `e` of `1e9`. */
export const isStrayLetter = (key: string): boolean => key.length === 1 && /\p{L}/u.test(key)
