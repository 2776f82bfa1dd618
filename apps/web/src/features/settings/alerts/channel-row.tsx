import { Button } from '@mantine/core'
import { IconHistory, IconPencil, IconTrash } from '@tabler/icons-react'
import type { AlertChannel, AlertChannelKind } from '@tradewright/contract/alerts'
import { useState } from 'react'
import { formatPast } from '../../../lib/format-time.ts'
import { StatusPill } from '../../../ui/feedback/status-pill.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { useNow } from '../../../ui/feedback/use-now.ts'
import { IconButton } from '../../../ui/form/buttons.tsx'
import type { SettingsMessage } from '../messages.ts'
import screen from '../settings-screen.module.css'
import classes from './alerts.module.css'
import { DeliveryLog } from './delivery-log.tsx'
import { useTestChannel } from './queries.ts'

interface ChannelRowProps {
  channel: AlertChannel
  kind: AlertChannelKind | undefined
  tell: (message: SettingsMessage) => void
  /** Not while the form of another one is open: it would close, and lose what was typed. */
  isEditable: boolean
  onEdit: () => void
  onDelete: () => void
}

export function ChannelRow({ channel, kind, tell, isEditable, onEdit, onDelete }: ChannelRowProps) {
  const test = useTestChannel(tell)
  const [isLogOpen, setLogOpen] = useState(false)
  const now = useNow()
  const { id, name, quiet_hours: quiet, last_sent_at, last_failure, waiting } = channel
  const facts = [
    channel.target,
    ...(channel.events.length > 0 ? [`${channel.events.length} events`] : []),
    ...(quiet ? [`quiet ${quiet.from}–${quiet.to} ${quiet.time_zone}`] : []),
    ...(last_sent_at ? [`last sent ${formatPast(last_sent_at, now)}`] : []),
    ...(waiting > 0 ? [`${waiting} waiting`] : []),
  ]
  return (
    <article className={classes.channel} aria-label={name}>
      <div className={screen.words}>
        <p className={screen.name}>
          {name}
          <Tag>{kind?.label ?? channel.kind}</Tag>
          {!channel.is_enabled && <StatusPill shape="bars" word="Off" />}
          {channel.fields === null && <StatusPill shape="bars" word="Enter again" />}
        </p>
        <p className={screen.explanation}>{facts.join(' · ')}</p>
        {kind?.unavailable && <p className={classes.problem}>{kind.unavailable}</p>}
        {last_failure && <p className={classes.problem}>The last alert did not arrive: {last_failure}.</p>}
      </div>
      <div className={classes.actions}>
        <Button
          variant="default"
          aria-label={`Send test to ${name}`}
          disabled={test.isPending}
          onClick={() => test.mutate(id)}
        >
          {test.isPending ? 'Sending...' : 'Send test'}
        </Button>
        <IconButton icon={IconHistory} label={`Deliveries to ${name}`} onClick={() => setLogOpen(true)} />
        <IconButton icon={IconPencil} label={`Edit ${name}`} disabled={!isEditable} onClick={onEdit} />
        <IconButton icon={IconTrash} label={`Delete ${name}`} onClick={onDelete} />
      </div>
      {isLogOpen && <DeliveryLog channel={channel} tell={tell} onClose={() => setLogOpen(false)} />}
    </article>
  )
}
