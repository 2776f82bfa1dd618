import { Button } from '@mantine/core'
import { CardSection } from '../../ui/card.tsx'
import { StatusPill } from '../../ui/status-pill.tsx'
import { type SettingsMessage, UNLINK_NEEDS_PASSWORD } from './messages.ts'
import { type AuthMethods, useLinkGoogle, useUnlinkGoogle } from './queries.ts'
import classes from './settings-screen.module.css'

interface GoogleRowProps {
  methods: AuthMethods
  tell: (message: SettingsMessage) => void
}

export function GoogleRow({ methods, tell }: GoogleRowProps) {
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
        {methods.google_linked ? <UnlinkButton methods={methods} tell={tell} /> : <LinkGoogleButton tell={tell} />}
      </div>
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

function LinkGoogleButton({ tell }: Pick<GoogleRowProps, 'tell'>) {
  const link = useLinkGoogle(tell)
  return (
    <Button variant="default" disabled={link.isPending || link.isSuccess} onClick={() => link.mutate()}>
      {link.isPending || link.isSuccess ? 'Linking...' : 'Link Google'}
    </Button>
  )
}
