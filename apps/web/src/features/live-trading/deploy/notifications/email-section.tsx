import { NOTIFICATION_EVENTS } from '@tradewright/contract/live-trading-fields'
import { CheckField } from '../../../../ui/form/fields.tsx'
import { SwitchField } from '../../../../ui/form/fields/choice-fields.tsx'
import { useNotificationSettings } from '../../queries.ts'
import classes from '../deploy-form.module.css'
import { EmailList } from './email-list.tsx'
import { FormSection } from '../form-section.tsx'
import type { SectionProps } from '../section-props.ts'

const EVENT_WORDS = { trades: 'Trades', errors: 'Errors', signals: 'Signals', daily_summary: 'Daily summary' } as const

export function EmailSection({ chosen: { form }, edit }: SectionProps) {
  const settings = useNotificationSettings()
  return (
    <FormSection title="Email Notifications">
      <SwitchField
        label="Send e-mail notifications"
        checked={form.emailEnabled}
        onChange={(emailEnabled) => edit({ emailEnabled })}
      />
      {settings.data && !settings.data.configured && (
        <p className={classes.note}>
          E-mail is not configured on this server. Each event is written to the deployment’s activity and log instead.
        </p>
      )}
      {form.emailEnabled && (
        <>
          <EmailList
            emails={form.emails}
            canTest={settings.data?.configured ?? false}
            onChange={(emails) => edit({ emails })}
          />
          <fieldset className={classes.group}>
            <legend>Events</legend>
            <div className={classes.checks}>
              {NOTIFICATION_EVENTS.map((event) => (
                <CheckField
                  key={event}
                  label={EVENT_WORDS[event]}
                  checked={form.events[event]}
                  onChange={(isOn) => edit({ events: { ...form.events, [event]: isOn } })}
                />
              ))}
            </div>
          </fieldset>
        </>
      )}
    </FormSection>
  )
}
