import { Button } from '@mantine/core'
import { type CollectionJob, SCHEDULE_DAYS, SCHEDULE_TIMEZONES } from '@tradewright/contract/data-collector'
import { useId, useState, useCallback } from 'react'
import type { DataStore } from '@tradewright/contract/data-stores'
import { GRANULARITIES } from '@tradewright/contract/data-collector-fields'
import { useKeptForm } from '../../../app/use-kept-form.ts'
import { CancelButton } from '../../../ui/layout/content-modal.tsx'
import { CheckField, TextField, NumberField, SelectField } from '../../../ui/form/fields.tsx'
import { LEAVE_FREELY } from '../../../ui/form/unsaved-work.ts'
import { MultiSelectField } from '../../../ui/form/fields/choice-fields.tsx'
import layout from '../layout.module.css'
import { NoticeBanner, type Tell, useNotice } from '../notice.tsx'
import { useDataStores, useProviders } from '../queries.ts'
import {
  checkedJobForm,
  fromJob,
  type JobForm,
  newJobForm,
  problemsOf,
  toBody,
  type JobProblems,
  categoryChoices,
  withProvider,
  useSaveJob,
} from './job-form.ts'
import { JobTickersField } from './job-tickers-field.tsx'
import classes from './job-fields.module.css'

interface JobFieldsProps {
  /** Undefined: a new one. */
  job: CollectionJob | undefined
  others: readonly CollectionJob[]
  tell: Tell
  onClose: () => void
}

export function JobFields({ job, others, tell, onClose }: JobFieldsProps) {
  const stores = useDataStores().data ?? []
  const defaultStore = String(stores.find(({ is_default }) => is_default)?.id ?? '')
  const { form, change, isKept, startOver } = useKeptForm<JobForm>({
    name: job ? null : 'collection job',
    checked: checkedJobForm,
    fresh: () => (job ? fromJob(job, today()) : newJobForm(today(), defaultStore)),
  })
  const [isChecked, setChecked] = useState(false)
  const { notice, tell: tellHere, dismiss } = useNotice()
  const save = useSaveJob({
    tell,
    onSaved: () => {
      startOver()
      onClose()
    },
    onFailed: tellHere,
  })
  const focusFirstError = useFirstErrorFocus()
  const id = useId()
  const problems = isChecked ? problemsOf(form) : {}
  const edit = (part: Partial<JobForm>) => change((before) => ({ ...before, ...part }))
  const submit = () => {
    setChecked(true)
    if (Object.keys(problemsOf(form)).length > 0) focusFirstError(id)
    else save.mutate({ id: job?.id, body: toBody(form) })
  }
  return (
    <form
      id={id}
      className={layout.form}
      noValidate
      {...(!job && LEAVE_FREELY)}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <NoticeBanner notice={notice} onClose={dismiss} />
      <TextField
        label="Job name"
        required
        value={form.name}
        error={problems.name}
        onChange={(name) => edit({ name })}
      />
      <SourceFields form={form} problems={problems} stores={stores} onChange={(next) => change(() => next)} />
      <JobTickersField value={form.tickers} error={problems.tickers} onChange={(tickers) => edit({ tickers })} />
      <DateFields form={form} problems={problems} edit={edit} />
      {others.length > 0 && (
        <MultiSelectField
          label="Depends on"
          hint="Runs only after these jobs have completed"
          value={form.dependsOn.map(String)}
          options={others.map((other) => ({ value: String(other.id), label: other.name }))}
          onChange={(ids) => edit({ dependsOn: ids.map(Number) })}
        />
      )}
      <div className={classes.group}>
        <CheckField
          label="Run on a schedule"
          checked={form.isScheduled}
          onChange={(isScheduled) => edit({ isScheduled })}
        />
        {form.isScheduled && <ScheduleFields form={form} edit={edit} />}
      </div>
      <div className={layout.foot}>
        {isKept && (
          <Button variant="subtle" color="gray" disabled={save.isPending} onClick={startOver}>
            Start over
          </Button>
        )}
        <CancelButton />
        <Button type="submit" disabled={save.isPending}>
          {buttonWord(job !== undefined, save.isPending)}
        </Button>
      </div>
    </form>
  )
}

function buttonWord(isEdit: boolean, isBusy: boolean): string {
  if (isBusy) return 'Saving...'
  return isEdit ? 'Update Job' : 'Create Job'
}

/** In UTC, as the server counts days: a local date may be a future one to it. */
const today = (): string => new Date().toISOString().slice(0, 10)

/** Once the errors are drawn, the first field that has one gets the focus. */
function useFirstErrorFocus(): (formId: string) => void {
  return useCallback((formId) => {
    requestAnimationFrame(() => {
      const form = document.getElementById(formId)
      const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]')
      field?.focus({ preventScroll: true })
      // In the middle: the dialog's own title would cover what scrolls to its upper edge.
      field?.scrollIntoView({ block: 'center' })
    })
  }, [])
}

interface DateFieldsProps {
  form: JobForm
  problems: JobProblems
  edit: (change: Partial<JobForm>) => void
}

/** Fixed dates, or days counted back from the day of each run. */
function DateFields({ form, problems, edit }: DateFieldsProps) {
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

interface SourceFieldsProps {
  form: JobForm
  problems: JobProblems
  stores: readonly DataStore[]
  onChange: (form: JobForm) => void
}

/** Where data come from, what of them, and where they go. */
function SourceFields({ form, problems, stores, onChange }: SourceFieldsProps) {
  const providers = useProviders().data ?? []
  const provider = providers.find(({ id }) => id === form.providerId)
  const choices = categoryChoices(provider)
  const edit = (change: Partial<JobForm>) => onChange({ ...form, ...change })
  return (
    <>
      <div className={classes.three}>
        <SelectField
          label="Provider"
          required
          value={form.providerId}
          error={problems.providerId}
          options={[
            { value: '', label: 'Choose a provider...' },
            ...providers.map(({ id, display_name }) => ({ value: id, label: display_name })),
          ]}
          onChange={(id) => onChange(withProvider(form, id, providers))}
        />
        <SelectField
          label="Data store"
          value={form.storeId}
          options={stores.map(({ id, name, is_default }) => ({
            value: String(id),
            label: is_default ? `${name} (default)` : name,
          }))}
          onChange={(storeId) => edit({ storeId })}
        />
        <SelectField
          label="Data granularity"
          required
          value={form.granularity}
          error={problems.granularity}
          options={[
            { value: '', label: 'Choose...' },
            ...GRANULARITIES.map((word) => ({
              value: word,
              label: word,
              disabled: provider !== undefined && !provider.granularities.includes(word),
            })),
          ]}
          onChange={(word) => edit({ granularity: GRANULARITIES.find((one) => one === word) ?? '' })}
        />
      </div>
      <div>
        <MultiSelectField
          label="Categories"
          hint={provider ? `What ${provider.display_name} offers` : 'Choose a provider to see what it offers'}
          value={form.categories}
          options={choices}
          onChange={(categories) => edit({ categories })}
        />
        {provider && form.categories.length < choices.length && (
          <Button variant="subtle" className={classes.inline ?? ''} onClick={() => edit({ categories: choices })}>
            All {choices.length} categories
          </Button>
        )}
      </div>
      {provider?.capabilities.bulk_mode && (
        <CheckField
          label="Bulk mode"
          hint="Requests all tickers of a batch in one call"
          checked={form.isBulk}
          onChange={(isBulk) => edit({ isBulk })}
        />
      )}
    </>
  )
}

interface ScheduleFieldsProps {
  form: JobForm
  edit: (change: Partial<JobForm>) => void
}

function ScheduleFields({ form, edit }: ScheduleFieldsProps) {
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
