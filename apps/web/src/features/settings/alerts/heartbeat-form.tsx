import { Button } from '@mantine/core'
import type { AlertsAnswer } from '@tradewright/contract/alerts'
import { type FormEvent, useState } from 'react'
import { formatPast } from '../../../lib/format-time.ts'
import { useNow } from '../../../ui/feedback/use-now.ts'
import { BoundedNumberField } from '../../../ui/form/fields/bounded-number-field.tsx'
import { SecretField } from '../../../ui/form/fields/text-fields.tsx'
import type { SettingsMessage } from '../messages.ts'
import screen from '../settings-screen.module.css'
import classes from './alerts.module.css'
import { useSetHeartbeat } from './queries.ts'

interface HeartbeatFormProps {
  heartbeat: AlertsAnswer['heartbeat']
  tell: (message: SettingsMessage) => void
}

export function HeartbeatForm({ heartbeat, tell }: HeartbeatFormProps) {
  const [url, setUrl] = useState('')
  const [minutes, setMinutes] = useState(String(heartbeat.minutes))
  const save = useSetHeartbeat(tell)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ minutes: Number(minutes), ...(url.trim() ? { url } : {}) }, { onSuccess: () => setUrl('') })
  }
  return (
    <form className={classes.form} aria-label="Heartbeat" noValidate onSubmit={submit}>
      <HeartbeatState heartbeat={heartbeat} />
      <div className={classes.heartbeat}>
        <SecretField
          label="Heartbeat address"
          placeholder={heartbeat.is_on ? 'Leave empty to keep' : 'https://hc-ping.com/…'}
          value={url}
          onChange={setUrl}
        />
        <BoundedNumberField label="Interval" unit=" min" min={1} max={1440} value={minutes} onChange={setMinutes} />
      </div>
      <div className={screen.buttons}>
        <Button type="submit" variant="default" disabled={save.isPending}>
          Save heartbeat
        </Button>
        {heartbeat.is_on && (
          <Button
            variant="default"
            className={screen.destructive ?? ''}
            disabled={save.isPending}
            onClick={() => save.mutate({ url: '' })}
          >
            End heartbeat
          </Button>
        )}
      </div>
    </form>
  )
}

function HeartbeatState({
  heartbeat: { is_on, host, last_called_at, problem },
}: Pick<HeartbeatFormProps, 'heartbeat'>) {
  const now = useNow()
  if (!is_on) return null
  const called = last_called_at ? `last called ${formatPast(last_called_at, now)}` : 'not called yet'
  return (
    <div>
      <p className={screen.explanation}>
        {host ? `${host}, ${called}` : 'The stored address can no longer be read. Enter it again.'}
      </p>
      {problem && <p className={classes.problem}>{problem}</p>}
    </div>
  )
}
