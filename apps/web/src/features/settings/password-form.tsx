import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { CancelFormButton } from '../../ui/form/buttons.tsx'
import { CardSection } from '../../ui/layout/card.tsx'
import { SecretField } from '../../ui/form/fields/text-fields.tsx'
import type { SettingsMessage } from './messages.ts'
import { type AuthMethods, useChangePassword, useSetPassword } from './queries.ts'
import classes from './settings-screen.module.css'

interface PasswordFormProps {
  methods: AuthMethods
  tell: (message: SettingsMessage) => void
}

/** Users who signed up through Google set a first password; all others change the one there is. */
export function ChangePasswordRow({ methods, tell }: PasswordFormProps) {
  const [isOpen, setOpen] = useState(false)
  const isFirst = methods.has_password === false
  const label = isFirst ? 'Set password' : 'Change password'
  return (
    <CardSection>
      <div className={classes.row}>
        <div className={classes.words}>
          <p className={classes.name}>Password</p>
          <p className={classes.explanation}>
            {isFirst
              ? 'You have no password yet. With one, you can sign in without Google.'
              : 'Changing it signs out every other session and revokes all API keys.'}
          </p>
        </div>
        {!isOpen && (
          <Button variant="default" onClick={() => setOpen(true)}>
            {label}
          </Button>
        )}
      </div>
      {isOpen && <PasswordForm isFirst={isFirst} label={label} tell={tell} onClose={() => setOpen(false)} />}
    </CardSection>
  )
}

interface OpenFormProps extends Pick<PasswordFormProps, 'tell'> {
  isFirst: boolean
  label: string
  onClose: () => void
}

function PasswordForm({ isFirst, label, tell, onClose }: OpenFormProps) {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const set = useSetPassword(tell)
  const change = useChangePassword(tell)
  const isBusy = set.isPending || change.isPending
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isFirst && current === '') return tell({ kind: 'error', text: 'Please enter your current password.' })
    if (next.trim() === '') return tell({ kind: 'error', text: 'Please enter a new password.' })
    if (isFirst) set.mutate(next, { onSuccess: onClose })
    else change.mutate({ current_password: current, new_password: next }, { onSuccess: onClose })
  }
  return (
    <form className={classes.form} aria-label={label} noValidate onSubmit={submit}>
      {!isFirst && (
        <SecretField label="Current password" autoComplete="current-password" value={current} onChange={setCurrent} />
      )}
      <SecretField label="New password" autoComplete="new-password" value={next} onChange={setNext} />
      <div className={classes.buttons}>
        <Button type="submit" disabled={isBusy}>
          {isBusy ? 'Saving...' : 'Save password'}
        </Button>
        <CancelFormButton onCancel={onClose} />
      </div>
    </form>
  )
}
