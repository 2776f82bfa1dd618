import '@mantine/core/styles/Input.layer.css'
import { Textarea } from '@mantine/core'
import { type FieldProps, wordsOf } from '../fields.tsx'
import classes from './text-area-field.module.css'

interface TextAreaFieldProps extends FieldProps {
  value: string
  onChange: (value: string) => void
  placeholder?: string
  rows?: number
  /** For machine text, such as JSON. */
  mono?: boolean
}

export function TextAreaField({ value, onChange, placeholder, rows = 3, mono = false, ...field }: TextAreaFieldProps) {
  return (
    <Textarea
      {...wordsOf(field)}
      value={value}
      rows={rows}
      classNames={{ input: `${classes.input} ${mono ? classes.mono : ''}` }}
      autoComplete="off"
      spellCheck={false}
      {...(placeholder ? { placeholder } : {})}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
