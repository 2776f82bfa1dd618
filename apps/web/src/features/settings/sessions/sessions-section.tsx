import { Button } from '@mantine/core'
import type { OwnSession } from '@tradewright/contract/sessions'
import { useState } from 'react'
import { formatPast, formatDate, formatExact } from '../../../lib/format-time.ts'
import { CardSection } from '../../../ui/layout/card.tsx'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { StatusPill } from '../../../ui/feedback/status-pill.tsx'
import { useNow } from '../../../ui/feedback/use-now.ts'
import type { SettingsMessage } from '../messages.ts'
import classes from '../settings-screen.module.css'
import { LoadedSection } from '../settings-section.tsx'
import { useEndAllSessions, useEndSession, useOwnSessions } from './queries.ts'

interface SectionProps {
  tell: (message: SettingsMessage) => void
}

export function SessionsSection({ tell }: SectionProps) {
  const own = useOwnSessions()
  const limit = own.data?.max_age_days
  return (
    <LoadedSection
      id="sessions"
      hint={`Where you are signed in. A session ends automatically after 30 days without use${limit ? `, and ${limit} days after its sign-in` : ''}.`}
      loading={own}
      failure="The sessions could not be loaded"
    >
      {({ sessions }) => (
        <>
          {sessions.map((session) => (
            <CardSection key={session.id}>
              <SessionRow session={session} tell={tell} />
            </CardSection>
          ))}
          <CardSection>
            <SignOutEverywhere tell={tell} />
          </CardSection>
        </>
      )}
    </LoadedSection>
  )
}

function SessionRow({ session, tell }: SectionProps & { session: OwnSession }) {
  const end = useEndSession(tell)
  const now = useNow()
  const { device, address, created_at, last_seen_at, is_current } = session
  return (
    <div className={classes.row}>
      <div className={classes.words}>
        <p className={classes.name}>
          {device}
          {is_current && <StatusPill shape="disc" word="This session" />}
        </p>
        <p className={classes.explanation}>
          {address} · signed in <time dateTime={created_at}>{formatDate(created_at)}</time>
          {!is_current && (
            <>
              {' '}
              · last seen{' '}
              <time dateTime={last_seen_at} title={formatExact(last_seen_at)}>
                {formatPast(last_seen_at, now)}
              </time>
            </>
          )}
        </p>
      </div>
      {!is_current && (
        <Button
          variant="default"
          aria-label={`Sign out ${device}`}
          disabled={end.isPending}
          onClick={() => end.mutate(session)}
        >
          {end.isPending ? 'Signing out...' : 'Sign out'}
        </Button>
      )}
    </div>
  )
}

function SignOutEverywhere({ tell }: SectionProps) {
  const [isAsking, setAsking] = useState(false)
  const endAll = useEndAllSessions(tell)
  const close = () => setAsking(false)
  return (
    <div className={classes.row}>
      <p className={`${classes.words} ${classes.explanation}`}>
        If you lost a device, or do not recognise one of these sessions: sign out everywhere, then change your password.
      </p>
      <Button variant="default" className={classes.destructive ?? ''} onClick={() => setAsking(true)}>
        Sign out everywhere
      </Button>
      <ConfirmModal
        opened={isAsking}
        title="Sign out everywhere?"
        text="Every browser and program is signed out at once, this one too. Deployments and jobs keep running."
        confirmLabel="Sign out everywhere"
        busy={endAll.isPending}
        onCancel={close}
        onConfirm={() => endAll.mutate(undefined, { onSettled: close })}
      />
    </div>
  )
}
