import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import { PasswordInput } from '@mantine/core'
import { type FieldProps, wordsOf } from '../fields.tsx'
import classes from './secret-field.module.css'

interface SecretFieldProps extends FieldProps {
  value: string
  onChange: (value: string) => void
  placeholder?: string
  /** The browser's autofill: the user's password, a new one, or none. */
  autoComplete?: 'current-password' | 'new-password' | 'off'
}

/** For keys and passwords: written, never read back. */
export function SecretField({ value, onChange, placeholder, autoComplete = 'off', ...field }: SecretFieldProps) {
  return (
    <PasswordInput
      {...wordsOf(field)}
      value={value}
      autoComplete={autoComplete}
      spellCheck={false}
      classNames={{ input: classes.input ?? '', innerInput: classes.inner ?? '' }}
      {...(placeholder ? { placeholder } : {})}
      // Without the field's own name: a search for the field by its label finds the field alone.
      visibilityToggleButtonProps={{ 'aria-label': 'Show characters', tabIndex: 0 }}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
