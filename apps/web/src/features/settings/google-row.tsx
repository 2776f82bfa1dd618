import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { CancelFormButton } from '../../ui/form/buttons.tsx'
import { CardSection } from '../../ui/layout/card.tsx'
import { SecretField } from '../../ui/form/fields/text-fields.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { type SettingsMessage, UNLINK_NEEDS_PASSWORD } from './messages.ts'
import { type AuthMethods, useLinkGoogle, useUnlinkGoogle } from './queries.ts'
import classes from './settings-screen.module.css'

interface GoogleRowProps {
  methods: AuthMethods
  tell: (message: SettingsMessage) => void
}

export function GoogleRow({ methods, tell }: GoogleRowProps) {
  const [isAsking, setAsking] = useState(false)
  return (
    <CardSection>
      <div className={classes.row}>
        <div className={classes.words}>
          <p className={classes.name}>
            Google
            {methods.google_linked && <StatusPill shape="disc" word="Linked" />}
          </p>
          <p className={classes.explanation}>{explanationOf(methods)}</p>
        </div>
        {methods.google_linked && <UnlinkButton methods={methods} tell={tell} />}
        {!methods.google_linked && !isAsking && (
          <Button variant="default" onClick={() => setAsking(true)}>
            Link Google
          </Button>
        )}
      </div>
      {!methods.google_linked && isAsking && <LinkGoogleForm tell={tell} onClose={() => setAsking(false)} />}
    </CardSection>
  )
}

function explanationOf({ google_linked, google_email, password_enabled }: AuthMethods): string {
  if (!google_linked) return 'Link a Google account to sign in with one click.'
  const who = google_email ? `Linked to ${google_email}.` : 'Linked.'
  return password_enabled ? who : `${who} ${UNLINK_NEEDS_PASSWORD}`
}

function UnlinkButton({ methods, tell }: GoogleRowProps) {
  const unlink = useUnlinkGoogle(tell)
  return (
    <Button variant="default" disabled={!methods.password_enabled || unlink.isPending} onClick={() => unlink.mutate()}>
      {unlink.isPending ? 'Unlinking...' : 'Unlink Google'}
    </Button>
  )
}

/** The password first: a session that was left open must not add another way to sign in. */
function LinkGoogleForm({ tell, onClose }: Pick<GoogleRowProps, 'tell'> & { onClose: () => void }) {
  const [password, setPassword] = useState('')
  const link = useLinkGoogle(tell)
  const isBusy = link.isPending || link.isSuccess
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (password === '') tell({ kind: 'error', text: 'Please enter your password.' })
    else link.mutate(password)
  }
  return (
    <form className={classes.form} aria-label="Link Google" noValidate onSubmit={submit}>
      <SecretField label="Your password" autoComplete="current-password" value={password} onChange={setPassword} />
      <div className={classes.buttons}>
        <Button type="submit" disabled={isBusy}>
          {isBusy ? 'Linking...' : 'Continue to Google'}
        </Button>
        <CancelFormButton onCancel={onClose} />
      </div>
    </form>
  )
}
