import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Switch } from '@mantine/core'

interface SwitchFieldProps {
  label: string
  hint?: string
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

/** For what is on or off from the moment it is flipped, or from the moment the form is sent. */
export function SwitchField({ label, hint, checked, disabled = false, onChange }: SwitchFieldProps) {
  return (
    <Switch
      label={label}
      checked={checked}
      disabled={disabled}
      {...(hint ? { description: hint } : {})}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  )
}
