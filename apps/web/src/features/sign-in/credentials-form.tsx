import '@mantine/core/styles/ActionIcon.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/PasswordInput.layer.css'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { type ComponentType, type FormEvent, useEffect, useRef, useState } from 'react'
import { serverMessageOr, unreachableHint } from '../../lib/call-error.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { FieldError } from '../../ui/form/field-error.tsx'
import { LEAVE_FREELY } from '../../ui/form/unsaved-work.ts'
import { checkCredentials, type CredentialErrors, type Credentials, firstWrongField } from './credentials.ts'
import classes from './credentials-form.module.css'

interface CredentialsFormProps {
  label: string
  busyLabel: string
  /** Said when the server gives no message of its own. */
  failure: string
  /** Why the visitor is here, until the form is sent. */
  notice: string | null
  passwordAutoComplete: 'current-password' | 'new-password'
  onSubmit: (credentials: Credentials) => Promise<void>
  PasswordHint?: ComponentType<Credentials & { minLength: number }>
  /** The server's minimum for a new password. */
  minPasswordLength?: number
}

type Attempt = 'none' | 'busy' | { text: string; detail: string | null }

export function CredentialsForm({ PasswordHint, minPasswordLength = 1, ...props }: CredentialsFormProps) {
  const [credentials, setCredentials] = useState<Credentials>({ username: '', password: '' })
  const [errors, setErrors] = useState<CredentialErrors>({})
  const [attempt, setAttempt] = useState<Attempt>('none')
  const username = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const isBusy = attempt === 'busy'

  useEffect(() => username.current?.focus(), [])

  const edit = (change: Partial<Credentials>) => {
    setCredentials({ ...credentials, ...change })
    setErrors({})
  }

  const send = async () => {
    setAttempt('busy')
    try {
      await props.onSubmit(credentials)
    } catch (error) {
      setAttempt({ text: serverMessageOr(error, props.failure), detail: unreachableHint(error) })
      password.current?.select()
    }
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    const wrong = checkCredentials(credentials)
    setErrors(wrong)
    const first = firstWrongField(wrong)
    if (!first) void send()
    else (first === 'username' ? username : password).current?.focus()
  }

  return (
    <form className={classes.form} noValidate {...LEAVE_FREELY} onSubmit={submit}>
      {attempt === 'none' && props.notice && <Banner kind="error" text={props.notice} />}
      {typeof attempt === 'object' && <Banner kind="error" {...attempt} />}
      <TextInput
        ref={username}
        label="Username"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        withAsterisk={false}
        size="md"
        value={credentials.username}
        error={errors.username && <FieldError text={errors.username} />}
        onChange={(event) => edit({ username: event.currentTarget.value })}
      />
      <PasswordInput
        ref={password}
        label="Password"
        name="password"
        autoComplete={props.passwordAutoComplete}
        required
        withAsterisk={false}
        size="md"
        value={credentials.password}
        error={errors.password && <FieldError text={errors.password} />}
        // Without the word "password": a search for the field by its label finds the field alone.
        visibilityToggleButtonProps={{ 'aria-label': 'Show characters', tabIndex: 0 }}
        onChange={(event) => edit({ password: event.currentTarget.value })}
      />
      {PasswordHint && <PasswordHint {...credentials} minLength={minPasswordLength} />}
      <Button type="submit" size="md" fullWidth aria-disabled={isBusy}>
        {isBusy ? props.busyLabel : props.label}
      </Button>
    </form>
  )
}
