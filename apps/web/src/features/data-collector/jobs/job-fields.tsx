import { Button } from '@mantine/core'
import type { CollectionJob } from '@tradewright/contract/data-collector'
import { useId, useState } from 'react'
import { useKeptForm } from '../../../app/use-kept-form.ts'
import { CancelButton } from '../../../ui/layout/content-modal.tsx'
import { CheckField, TextField } from '../../../ui/form/fields.tsx'
import { LEAVE_FREELY } from '../../../ui/form/unsaved-work.ts'
import { MultiSelectField } from '../../../ui/form/fields/multi-select-field.tsx'
import layout from '../layout.module.css'
import { NoticeBanner } from '../notice-banner.tsx'
import { useDataStores } from '../queries.ts'
import { type Tell, useNotice } from '../use-notice.ts'
import { useFirstErrorFocus } from '../use-first-error-focus.ts'
import { DateFields } from './date-fields.tsx'
import { checkedJobForm, fromJob, type JobForm, newJobForm, problemsOf, toBody } from './job-form.ts'
import { useSaveJob } from './job-queries.ts'
import { ScheduleFields } from './schedule-fields.tsx'
import { SourceFields } from './source-fields.tsx'
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
