import { CheckField, NumberField, TextField } from '../../../ui/form/fields.tsx'
import classes from './job-fields.module.css'
import type { JobForm, JobProblems } from './job-form.ts'

interface DateFieldsProps {
  form: JobForm
  problems: JobProblems
  edit: (change: Partial<JobForm>) => void
}

/** Fixed dates, or days counted back from the day of each run. */
export function DateFields({ form, problems, edit }: DateFieldsProps) {
  return (
    <div className={classes.group}>
      <CheckField
        label="Dynamic dates"
        hint="Counted back from the day of each run, so a scheduled job covers a moving window"
        checked={form.isDynamic}
        onChange={(isDynamic) => edit({ isDynamic })}
      />
      {form.isDynamic ? (
        <div className={classes.two}>
          <NumberField
            label="Start offset"
            hint="Days before the run"
            value={form.startOffsetDays}
            error={problems.startOffsetDays}
            unit=" days"
            onChange={(startOffsetDays) => edit({ startOffsetDays })}
          />
          <NumberField
            label="End offset"
            hint="0 is the day of the run"
            value={form.endOffsetDays}
            error={problems.endOffsetDays}
            unit=" days"
            onChange={(endOffsetDays) => edit({ endOffsetDays })}
          />
        </div>
      ) : (
        <div className={classes.two}>
          <TextField
            label="Start date"
            type="date"
            value={form.startDate}
            onChange={(startDate) => edit({ startDate })}
          />
          <TextField label="End date" type="date" value={form.endDate} onChange={(endDate) => edit({ endDate })} />
        </div>
      )}
    </div>
  )
}
