import { ALERT_LEVELS, type AlertsAnswer } from '@tradewright/contract/alerts'
import { SelectField } from '../../../ui/form/fields.tsx'
import type { SettingsMessage } from '../messages.ts'
import screen from '../settings-screen.module.css'
import classes from './alerts.module.css'
import { useSetLevels } from './queries.ts'

type Level = (typeof ALERT_LEVELS)[number]

const WORDS: Record<Level, string> = { off: 'Off', notice: 'Notice', urgent: 'Urgent' }
const OPTIONS = ALERT_LEVELS.map((value) => ({ value, label: WORDS[value] }))

interface LevelsFormProps {
  events: AlertsAnswer['events']
  tell: (message: SettingsMessage) => void
}

/** Saved as it is chosen. */
export function LevelsForm({ events, tell }: LevelsFormProps) {
  const save = useSetLevels(tell)
  const shown = (id: string, level: Level) => (save.isPending ? (save.variables[id] ?? level) : level)
  return (
    <ul className={classes.events}>
      {events.map(({ id, label, hint, level }) => (
        <li key={id} className={classes.event}>
          <div className={screen.words}>
            <p className={classes.eventName}>{label}</p>
            <p className={screen.explanation}>{hint}</p>
          </div>
          <SelectField
            label={`Level of ${label}`}
            hideLabel
            value={shown(id, level)}
            options={OPTIONS}
            onChange={(next) => save.mutate({ [id]: next as Level })}
          />
        </li>
      ))}
    </ul>
  )
}
