import { SCHEDULE_DAYS, SCHEDULE_TIMEZONES } from '@tradewright/contract/data-collector'
import { CheckField, SelectField, TextField } from '../../../ui/form/fields.tsx'
import classes from './job-fields.module.css'
import type { JobForm } from './job-form.ts'

interface ScheduleFieldsProps {
  form: JobForm
  edit: (change: Partial<JobForm>) => void
}

export function ScheduleFields({ form, edit }: ScheduleFieldsProps) {
  const isCron = form.cron.trim() !== ''
  const because = isCron ? 'The cron expression decides' : undefined
  return (
    <>
      <div className={classes.two}>
        <SelectField
          label="Time zone"
          value={form.timezone}
          options={SCHEDULE_TIMEZONES}
          onChange={(zone) => edit({ timezone: SCHEDULE_TIMEZONES.find((one) => one === zone) ?? form.timezone })}
        />
        <TextField
          label="Cron expression"
          placeholder="0 18 * * 1-5"
          value={form.cron}
          onChange={(cron) => edit({ cron })}
        />
      </div>
      <p className={classes.cronNote}>Optional. A cron expression overrides the other schedule settings.</p>
      <div className={classes.two}>
        <TextField
          label="Start time"
          type="time"
          hint={because}
          disabled={isCron}
          value={form.startTime}
          onChange={(startTime) => edit({ startTime })}
        />
        <TextField
          label="End time"
          type="time"
          hint={because ?? 'If set, intraday jobs repeat until this time'}
          disabled={isCron}
          value={form.endTime}
          onChange={(endTime) => edit({ endTime })}
        />
        <TextField
          label="Schedule starts"
          type="datetime-local"
          value={form.scheduleStart}
          onChange={(scheduleStart) => edit({ scheduleStart })}
        />
        <TextField
          label="Schedule ends"
          type="datetime-local"
          value={form.scheduleEnd}
          onChange={(scheduleEnd) => edit({ scheduleEnd })}
        />
      </div>
      <fieldset className={classes.days} disabled={isCron}>
        <legend>Days</legend>
        {SCHEDULE_DAYS.map((day) => (
          <CheckField
            key={day}
            label={day}
            disabled={isCron}
            checked={form.days.includes(day)}
            onChange={(isOn) =>
              edit({ days: SCHEDULE_DAYS.filter((one) => (one === day ? isOn : form.days.includes(one))) })
            }
          />
        ))}
      </fieldset>
      <CheckField
        label="Market hours only"
        checked={form.marketHoursOnly}
        onChange={(marketHoursOnly) => edit({ marketHoursOnly })}
      />
      <CheckField
        label="Schedule active"
        hint="When off, the settings are kept but the job does not run"
        checked={form.isActive}
        onChange={(isActive) => edit({ isActive })}
      />
    </>
  )
}
