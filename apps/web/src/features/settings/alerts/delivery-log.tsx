import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import type { AlertChannel, AlertDelivery } from '@tradewright/contract/alerts'
import { useState } from 'react'
import { serverMessageOr } from '../../../lib/call-error.ts'
import { formatPast, formatExact } from '../../../lib/format-time.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { type StatusShape, StatusPill } from '../../../ui/feedback/status-pill.tsx'
import { useNow } from '../../../ui/feedback/use-now.ts'
import { SelectField } from '../../../ui/form/fields.tsx'
import { LEAVE_FREELY } from '../../../ui/form/unsaved-work.ts'
import { ContentModal } from '../../../ui/layout/content-modal.tsx'
import type { SettingsMessage } from '../messages.ts'
import screen from '../settings-screen.module.css'
import classes from './alerts.module.css'
import { useDeliveries, useSendAgain, useTestEvent } from './queries.ts'

interface DeliveryLogProps {
  channel: AlertChannel
  tell: (message: SettingsMessage) => void
  onClose: () => void
}

/** What was sent to a channel, and what became of it. */
export function DeliveryLog({ channel, tell, onClose }: DeliveryLogProps) {
  const log = useDeliveries(channel.id)
  return (
    <ContentModal opened title={`Deliveries to ${channel.name}`} onClose={onClose}>
      {channel.events.length > 0 && <TestEvent channel={channel} tell={tell} />}
      {log.error && <Banner kind="error" text={serverMessageOr(log.error, 'The deliveries could not be loaded.')} />}
      {log.isPending && <CardSkeleton rows={4} label="Loading the deliveries..." />}
      {log.data?.deliveries.length === 0 && (
        <EmptyState
          icon={IconHistory}
          titleAs="p"
          title="Nothing has been sent yet"
          text="Alerts and events of the last 30 days are listed here, with the answer of their receiver."
        />
      )}
      <ul className={classes.log}>
        {log.data?.deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} channelId={channel.id} delivery={delivery} tell={tell} />
        ))}
      </ul>
    </ContentModal>
  )
}

const STATES: Record<AlertDelivery['state'], { shape: StatusShape; word: string }> = {
  sent: { shape: 'disc', word: 'Delivered' },
  waiting: { shape: 'ring', word: 'Waiting' },
  given_up: { shape: 'cross', word: 'Given up' },
}

interface DeliveryRowProps {
  channelId: number
  delivery: AlertDelivery
  tell: DeliveryLogProps['tell']
}

function DeliveryRow({ channelId, delivery, tell }: DeliveryRowProps) {
  const again = useSendAgain(channelId, tell)
  const now = useNow()
  const { id, event, subject, state, attempts, failure, created_at, due_at, data } = delivery
  const facts = [
    event,
    formatPast(created_at, now),
    ...(attempts > 1 ? [`${attempts} tries`] : []),
    ...(due_at && failure ? [`next try ${formatExact(due_at)}`] : []),
  ]
  return (
    <li className={classes.delivery}>
      <div>
        <p className={screen.name}>
          {subject} <StatusPill {...STATES[state]} />
        </p>
        <p className={screen.explanation} title={formatExact(created_at)}>
          {facts.join(' · ')}
        </p>
        {failure && <p className={classes.problem}>{failure}</p>}
        {data && (
          <details>
            <summary className={screen.explanation}>Content</summary>
            <pre className={classes.content}>{JSON.stringify(data, null, 2)}</pre>
          </details>
        )}
      </div>
      {state === 'given_up' && (
        <Button variant="default" disabled={again.isPending} onClick={() => again.mutate(id)}>
          Send again
        </Button>
      )}
    </li>
  )
}

function TestEvent({ channel, tell }: Pick<DeliveryLogProps, 'channel' | 'tell'>) {
  const [event, setEvent] = useState(channel.events[0]!)
  const test = useTestEvent(channel.id, tell)
  return (
    <form
      className={classes.tests}
      aria-label="Test an event"
      {...LEAVE_FREELY}
      onSubmit={(submitted) => {
        submitted.preventDefault()
        test.mutate(event)
      }}
    >
      <SelectField
        label="Test event"
        value={event}
        options={channel.events.map((id) => ({ value: id, label: id }))}
        onChange={setEvent}
      />
      <Button type="submit" variant="default" disabled={test.isPending}>
        {test.isPending ? 'Sending...' : 'Send example'}
      </Button>
    </form>
  )
}
