import classes from './logs.module.css'

interface TogglesProps<Option extends string> {
  label: string
  options: readonly Option[]
  on: readonly Option[]
  onChange: (on: Option[]) => void
}

/** Each is on or off by itself. */
export function Toggles<Option extends string>({ label, options, on, onChange }: TogglesProps<Option>) {
  return (
    <fieldset className={classes.toggles} aria-label={label}>
      {options.map((option) => {
        const isOn = on.includes(option)
        return (
          <button
            key={option}
            type="button"
            className={classes.toggle}
            aria-pressed={isOn}
            onClick={() => onChange(options.filter((one) => (one === option ? !isOn : on.includes(one))))}
          >
            {option}
          </button>
        )
      })}
    </fieldset>
  )
}
