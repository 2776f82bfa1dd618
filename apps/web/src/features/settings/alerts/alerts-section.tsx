import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { AlertChannel, AlertsAnswer } from '@tradewright/contract/alerts'
import { useState } from 'react'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { CardSection } from '../../../ui/layout/card.tsx'
import type { SettingsMessage } from '../messages.ts'
import screen from '../settings-screen.module.css'
import { LoadedSection } from '../settings-section.tsx'
import classes from './alerts.module.css'
import { ChannelForm } from './channel-form.tsx'
import { ChannelRow } from './channel-row.tsx'
import { HeartbeatForm } from './heartbeat-form.tsx'
import { LevelsForm } from './levels-form.tsx'
import { useAlerts, useDeleteChannel } from './queries.ts'

type Tell = (message: SettingsMessage) => void

export function AlertsSection({ tell }: { tell: Tell }) {
  const [editing, setEditing] = useState<AlertChannel | 'new' | null>(null)
  return (
    <LoadedSection
      id="alerts"
      hint="What you and your programs are told, and how. Secrets are sealed before they are stored, and never shown again."
      loading={useAlerts()}
      failure="The alerts could not be loaded"
      actions={
        editing === null && (
          <Button variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={() => setEditing('new')}>
            Add channel
          </Button>
        )
      }
    >
      {(alerts) => (
        <>
          <Channels alerts={alerts} editing={editing} onEdit={setEditing} tell={tell} />
          <CardSection>
            <h3 className={classes.heading}>Events</h3>
            <p className={screen.explanation}>
              A notice waits for the end of a channel’s quiet hours; an urgent alert is sent at once.
            </p>
            <LevelsForm events={alerts.events} tell={tell} />
          </CardSection>
          <CardSection>
            <h3 className={classes.heading}>Heartbeat</h3>
            <p className={screen.explanation}>
              An address that is called while all is well, for example of a monitoring service. It is not called after a
              missed run, a disagreement or an emergency stop, nor while this program is down: the service notices the
              silence and tells you.
            </p>
            <HeartbeatForm key={alerts.heartbeat.host} heartbeat={alerts.heartbeat} tell={tell} />
          </CardSection>
        </>
      )}
    </LoadedSection>
  )
}

interface ChannelsProps {
  alerts: AlertsAnswer
  editing: AlertChannel | 'new' | null
  onEdit: (channel: AlertChannel | null) => void
  tell: Tell
}

function Channels({ alerts: { channels, kinds, outgoing_events: outgoing }, editing, onEdit, tell }: ChannelsProps) {
  const [asked, setAsked] = useState<AlertChannel | null>(null)
  const deletion = useDeleteChannel(tell)
  const close = () => onEdit(null)
  return (
    <>
      {editing === 'new' && (
        <CardSection>
          <ChannelForm kinds={kinds} outgoing={outgoing} channel={null} tell={tell} onClose={close} />
        </CardSection>
      )}
      {channels.map((channel) => (
        <CardSection key={channel.id}>
          {editing !== 'new' && editing?.id === channel.id ? (
            <ChannelForm kinds={kinds} outgoing={outgoing} channel={channel} tell={tell} onClose={close} />
          ) : (
            <ChannelRow
              channel={channel}
              kind={kinds.find(({ id }) => id === channel.kind)}
              tell={tell}
              isEditable={editing === null}
              onEdit={() => onEdit(channel)}
              onDelete={() => setAsked(channel)}
            />
          )}
        </CardSection>
      ))}
      {channels.length === 0 && editing === null && (
        <CardSection>
          <p className={screen.explanation}>No channel yet: alerts are shown on Home and in Live Trading only.</p>
        </CardSection>
      )}
      <ConfirmModal
        opened={asked !== null}
        title={`Delete channel “${asked?.name ?? ''}”?`}
        text="Alerts are no longer sent there, and waiting ones are discarded. A few seconds later this cannot be undone."
        confirmLabel="Delete channel"
        busy={deletion.isPending}
        onCancel={() => setAsked(null)}
        onConfirm={() => asked && deletion.mutate(asked, { onSettled: () => setAsked(null) })}
      />
    </>
  )
}
