import { Button } from '@mantine/core'
import type { AlertChannel, AlertChannelKind, AlertsAnswer } from '@tradewright/contract/alerts'
import { type FormEvent, useState } from 'react'
import { CancelFormButton } from '../../../ui/form/buttons.tsx'
import { CheckField, SelectField, TextField } from '../../../ui/form/fields.tsx'
import { SecretField } from '../../../ui/form/fields/text-fields.tsx'
import { SwitchField } from '../../../ui/form/fields/choice-fields.tsx'
import type { SettingsMessage } from '../messages.ts'
import screen from '../settings-screen.module.css'
import classes from './alerts.module.css'
import { useSaveChannel } from './queries.ts'

const ESCALATIONS = [0, 15, 30, 60, 240]

const escalationWords = (minutes: number): string =>
  minutes === 0
    ? 'At once'
    : `If nobody acknowledges within ${minutes < 60 ? `${minutes} minutes` : minutes === 60 ? 'an hour' : `${minutes / 60} hours`}`

interface ChannelFormProps {
  kinds: readonly AlertChannelKind[]
  /** What a webhook can be told of beside alerts. */
  outgoing: AlertsAnswer['outgoing_events']
  /** Null for a new one. */
  channel: AlertChannel | null
  tell: (message: SettingsMessage) => void
  onClose: () => void
}

const NIGHT = { from: '22:00', to: '07:00' }

/** The fields are those of the kind. Secrets of a stored channel that are left empty stay as they are. */
export function ChannelForm({ kinds, outgoing, channel, tell, onClose }: ChannelFormProps) {
  const [kindId, setKindId] = useState(channel?.kind ?? kinds[0]?.id ?? '')
  const [name, setName] = useState(channel?.name ?? '')
  const [fields, setFields] = useState<Record<string, string>>(channel?.fields ?? {})
  const [isEnabled, setEnabled] = useState(channel?.is_enabled ?? true)
  const [quiet, setQuiet] = useState(channel?.quiet_hours ?? null)
  const [escalation, setEscalation] = useState(channel?.escalation_minutes ?? 0)
  const [events, setEvents] = useState<readonly string[]>(channel?.events ?? [])
  const save = useSaveChannel(tell)
  const kind = kinds.find(({ id }) => id === kindId)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const chosen = kind?.carries_events ? [...events] : []
    const body = {
      name,
      fields,
      is_enabled: isEnabled,
      quiet_hours: quiet,
      events: chosen,
      escalation_minutes: escalation,
    }
    save.mutate({ id: channel?.id ?? null, kind: kindId, body }, { onSuccess: onClose })
  }
  return (
    <form
      className={classes.form}
      aria-label={channel ? `Edit ${channel.name}` : 'Add channel'}
      noValidate
      onSubmit={submit}
    >
      <div className={classes.pair}>
        <SelectField
          label="Kind"
          disabled={channel !== null}
          value={kindId}
          options={kinds.map(({ id, label }) => ({ value: id, label }))}
          onChange={(id) => {
            setKindId(id)
            setFields({})
          }}
        />
        <TextField label="Name" placeholder={kind?.label ?? ''} value={name} onChange={setName} />
      </div>
      {kind && <p className={screen.explanation}>{kind.unavailable ?? kind.hint}</p>}
      {kind?.fields.map((field) => {
        const isKept = field.is_secret && channel !== null && channel.fields !== null
        const props = {
          label: field.is_optional ? `${field.label} (optional)` : field.label,
          ...(field.hint ? { hint: field.hint } : {}),
          placeholder: isKept ? 'Leave empty to keep' : (field.placeholder ?? ''),
          value: fields[field.name] ?? '',
          onChange: (value: string) => setFields((before) => ({ ...before, [field.name]: value })),
        }
        return field.is_secret ? <SecretField key={field.name} {...props} /> : <TextField key={field.name} {...props} />
      })}
      {kind?.carries_events && (
        <fieldset className={classes.outgoing}>
          <legend>Events in addition to alerts</legend>
          <p className={screen.explanation}>
            For programs: each event is sent at once, as JSON with typed content, whatever the quiet hours.
          </p>
          <div className={classes.choices}>
            {outgoing.map(({ id, label, hint }) => (
              <CheckField
                key={id}
                label={label}
                hint={hint}
                checked={events.includes(id)}
                onChange={(isOn) => setEvents(isOn ? [...events, id] : events.filter((one) => one !== id))}
              />
            ))}
          </div>
        </fieldset>
      )}
      <SelectField
        label="Told"
        hint="A channel that is told later is for somebody else, or a louder device: acknowledging in time spares it"
        value={String(escalation)}
        options={ESCALATIONS.map((minutes) => ({ value: String(minutes), label: escalationWords(minutes) }))}
        onChange={(minutes) => setEscalation(Number(minutes))}
      />
      <SwitchField
        label="Quiet hours"
        hint="Notices wait until they are over; urgent alerts do not"
        checked={quiet !== null}
        onChange={(isOn) => setQuiet(isOn ? { ...NIGHT, time_zone: ownTimeZone() } : null)}
      />
      {quiet && (
        <div className={classes.hours}>
          <TextField label="From" type="time" value={quiet.from} onChange={(from) => setQuiet({ ...quiet, from })} />
          <TextField label="To" type="time" value={quiet.to} onChange={(to) => setQuiet({ ...quiet, to })} />
          <SelectField
            label="Time zone"
            value={quiet.time_zone}
            options={timeZones(quiet.time_zone)}
            onChange={(time_zone) => setQuiet({ ...quiet, time_zone })}
          />
        </div>
      )}
      <SwitchField label="On" hint="Alerts are sent to this channel" checked={isEnabled} onChange={setEnabled} />
      <div className={screen.buttons}>
        <Button type="submit" disabled={save.isPending}>
          {save.isPending ? 'Saving...' : 'Save channel'}
        </Button>
        <CancelFormButton onCancel={onClose} />
      </div>
    </form>
  )
}

const ownTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** All that the browser knows, and the chosen one, whatever it is. */
const timeZones = (chosen: string): string[] =>
  [...new Set(['UTC', chosen, ...Intl.supportedValuesOf('timeZone')])].sort()
