import { useState } from 'react'
import { NumberField } from '../../../ui/form/fields.tsx'
import classes from './rules.module.css'

interface NumberBoxProps {
  label: string
  value: number
  onChange: (value: number) => void
  unit?: string
  min?: number
  max?: number
  step?: number
}

/** A number in a line of text. While nothing is typed the last number stays, and comes back when the field is left. */
export function NumberBox({ label, value, onChange, ...field }: NumberBoxProps) {
  const [text, setText] = useState<string | null>(null)
  return (
    <span className={classes.number} onBlur={() => setText(null)}>
      <NumberField
        label={label}
        hideLabel
        {...field}
        value={text ?? value}
        onChange={(typed) => {
          const number = typeof typed === 'number' ? typed : Number.NaN
          setText(Number.isNaN(number) ? String(typed) : null)
          if (!Number.isNaN(number) && number !== value) onChange(number)
        }}
      />
    </span>
  )
}
