import { Button, CopyButton } from '@mantine/core'
import {
  DEFAULT_KEY_CALLS_PER_MINUTE,
  DEFAULT_KEY_DAYS,
  isTradeScope,
  KEY_SCOPES,
  type KeyScope,
  MAX_KEY_CALLS_PER_MINUTE,
} from '@tradewright/core/key-scopes'
import { type FormEvent, useState } from 'react'
import { CancelFormButton } from '../../../ui/form/buttons.tsx'
import { CheckField, NumberField, SelectField, TextField } from '../../../ui/form/fields.tsx'
import { SecretField } from '../../../ui/form/fields/text-fields.tsx'
import { LEAVE_FREELY } from '../../../ui/form/unsaved-work.ts'
import type { SettingsMessage } from '../messages.ts'
import { useAuthMethods } from '../queries.ts'
import screen from '../settings-screen.module.css'
import classes from './api-keys.module.css'
import { useCreateApiKey } from './queries.ts'

interface KeyFormProps {
  tell: (message: SettingsMessage) => void
  onClose: () => void
}

const LIFETIMES = [7, 30, 90, 365].map((days) => ({
  value: String(days),
  label: days === 365 ? '1 year' : `${days} days`,
}))

export function KeyForm({ tell, onClose }: KeyFormProps) {
  const create = useCreateApiKey(tell)
  if (create.data) return <NewKey secret={create.data.secret} name={create.data.key.name} onClose={onClose} />
  return <Wishes create={create} tell={tell} onClose={onClose} />
}

function Wishes({ create, tell, onClose }: KeyFormProps & { create: ReturnType<typeof useCreateApiKey> }) {
  const asksPassword = useAuthMethods().data?.has_password ?? true
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<readonly KeyScope[]>(['read'])
  const [days, setDays] = useState(String(DEFAULT_KEY_DAYS))
  const [calls, setCalls] = useState<number | string>(DEFAULT_KEY_CALLS_PER_MINUTE)
  const [password, setPassword] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return tell({ kind: 'error', text: 'Please enter a name.' })
    if (scopes.length === 0) return tell({ kind: 'error', text: 'Please choose what the key may do.' })
    if (asksPassword && password === '') return tell({ kind: 'error', text: 'Please enter your password.' })
    create.mutate({
      name,
      scopes: [...scopes],
      expires_in_days: Number(days),
      calls_per_minute: Number(calls) || DEFAULT_KEY_CALLS_PER_MINUTE,
      password,
    })
  }
  const check = (scope: KeyScope) => (isOn: boolean) =>
    setScopes(isOn ? [...scopes, scope] : scopes.filter((one) => one !== scope))
  return (
    <form className={classes.form} aria-label="Create API key" noValidate onSubmit={submit}>
      <TextField label="Name" placeholder="Research notebook" isFocused value={name} onChange={setName} />
      <fieldset className={classes.scopes}>
        <legend>The key may</legend>
        {KEY_SCOPES.map(({ id, label, description }) => (
          <CheckField key={id} label={label} hint={description} checked={scopes.includes(id)} onChange={check(id)} />
        ))}
      </fieldset>
      {scopes.some(isTradeScope) && (
        <p className={classes.caution}>
          {scopes.includes('trade-live')
            ? 'A program with this key can place orders with real money, without asking you. Keep it on a machine that only you use.'
            : 'A program with this key can start, change and stop paper deployments without asking you.'}
        </p>
      )}
      <div className={classes.pair}>
        <SelectField label="Expires after" value={days} options={LIFETIMES} onChange={setDays} />
        <NumberField
          label="Calls per minute"
          min={1}
          max={MAX_KEY_CALLS_PER_MINUTE}
          value={calls}
          onChange={setCalls}
        />
      </div>
      {asksPassword && (
        <SecretField label="Your password" autoComplete="current-password" value={password} onChange={setPassword} />
      )}
      <div className={screen.buttons}>
        <Button type="submit" disabled={create.isPending}>
          {create.isPending ? 'Creating...' : 'Create API key'}
        </Button>
        <CancelFormButton onCancel={onClose} />
      </div>
    </form>
  )
}

function NewKey({ name, secret, onClose }: { name: string; secret: string; onClose: () => void }) {
  return (
    <form
      className={classes.form}
      aria-label="New API key"
      {...LEAVE_FREELY}
      onSubmit={(event) => event.preventDefault()}
    >
      <div className={classes.secret}>
        <TextField label={`API key “${name}”`} readOnly isFocused value={secret} onChange={() => {}} />
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </div>
      <p className={screen.explanation}>
        Copy it now: only its hash is stored, so it cannot be shown again. Send it as{' '}
        <code className={classes.code}>Authorization: Bearer tw_…</code>
      </p>
      <div className={screen.buttons}>
        <Button onClick={onClose}>Done</Button>
      </div>
    </form>
  )
}
