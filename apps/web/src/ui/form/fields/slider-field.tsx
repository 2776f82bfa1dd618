import { useId } from 'react'
import classes from './slider-field.module.css'

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
      <span className={classes.words}>
        <label htmlFor={id}>{label}</label>
        <b className="tabular">{shown}</b>
      </span>
      <input
        id={id}
        className={classes.slider}
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
