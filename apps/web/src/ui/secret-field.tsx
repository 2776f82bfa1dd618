import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import { PasswordInput } from '@mantine/core'
import classes from './secret-field.module.css'

interface SecretFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  hint?: string | undefined
  placeholder?: string
  /** What the browser may fill in: the user's password, a new one, or nothing that it knows. */
  autoComplete?: 'current-password' | 'new-password' | 'off'
}

/** For keys and passwords: written, never read back. */
export function SecretField({ label, value, onChange, hint, placeholder, autoComplete = 'off' }: SecretFieldProps) {
  return (
    <PasswordInput
      label={label}
      value={value}
      autoComplete={autoComplete}
      spellCheck={false}
      classNames={{ input: classes.input ?? '', innerInput: classes.inner ?? '' }}
      {...(hint ? { description: hint } : {})}
      {...(placeholder ? { placeholder } : {})}
      // Without the field's own name: a search for the field by its label finds the field alone.
      visibilityToggleButtonProps={{ 'aria-label': 'Show characters', tabIndex: 0 }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
