import { Button } from '@mantine/core'
import {
  IconDatabaseImport,
  IconFileUpload,
  IconPlus,
  IconClock,
  IconPencil,
  IconPlayerPlay,
  IconTrash,
  IconPlayerStop,
} from '@tabler/icons-react'
import type { CollectionJob, Provider } from '@tradewright/contract/data-collector'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { formatCount } from '../../../lib/format.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import layout from '../layout.module.css'
import { NotLoaded } from '../load-failure.tsx'
import { useCollectionJobs, useProviders } from '../queries.ts'
import { useDialog, type Tell, TRANSFORM_JOBS_READ_ONLY } from '../notice.tsx'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { useDeleteJob, useRunJob, useCancelRun } from './job-form.ts'
import { ContentModal } from '../../../ui/layout/content-modal.tsx'
import { ImportForm } from '../csv/import-form.tsx'
import { JobFields } from './job-fields.tsx'
import { numeric, Table } from '../../../ui/table/table.tsx'
import classes from './jobs-table.module.css'
import { formatExact, formatMarketMoment, formatDate } from '../../../lib/format-time.ts'
import { IconButton } from '../../../ui/form/buttons.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { StatusPill, type StatusShape } from '../../../ui/feedback/status-pill.tsx'
import jobStatusClasses from './job-status.module.css'

export function JobsTab({ tell }: { tell: Tell }) {
  const jobs = useCollectionJobs()
  const form = useDialog<CollectionJob | 'new'>()
  const deletion = useDialog<CollectionJob>()
  const upload = useImportDialog()
  const list = jobs.data ?? []
  const own = list.filter(({ is_system }) => !is_system)
  return (
    <Card>
      <div className={layout.toolbar}>
        <p className={layout.words}>{summaryOf(list)}</p>
        <div className={layout.actions}>
          <Button
            variant="default"
            leftSection={<IconFileUpload size={15} aria-hidden />}
            onClick={() => upload.open(true)}
          >
            Import CSV
          </Button>
          <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={() => form.open('new')}>
            Create Job
          </Button>
        </div>
      </div>
      {jobs.isPending && <CardSkeleton rows={6} />}
      {jobs.isError && !jobs.data && <NotLoaded onRetry={() => void jobs.refetch()} />}
      {jobs.data && own.length === 0 && (
        <EmptyState
          icon={IconDatabaseImport}
          title="No collection jobs yet"
          text="A job fetches series from a provider into a store, once or on a schedule. Prices of your own come in by Import CSV."
          action={
            <Button variant="default" onClick={() => form.open('new')}>
              Create a first job
            </Button>
          }
        />
      )}
      {list.length > 0 && <JobsTable jobs={list} tell={tell} onEdit={form.open} onDelete={deletion.open} />}
      <JobModal dialog={form} jobs={list} tell={tell} />
      <DeleteJob dialog={deletion} tell={tell} />
      <ImportModal dialog={upload} tell={tell} />
    </Card>
  )
}

/** Other screens lead here with `?import=csv`: the dialog is then open, and the address is plain again. */
function useImportDialog() {
  const upload = useDialog<true>()
  const [query, setQuery] = useSearchParams()
  const isAsked = query.has('import')
  useEffect(() => {
    if (!isAsked) return
    upload.open(true)
    setQuery({}, { replace: true })
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each such address
  }, [isAsked])
  return upload
}

function summaryOf(jobs: readonly CollectionJob[]): string {
  if (jobs.length === 0) return 'Fetch market data into your stores'
  const own = jobs.filter(({ is_system }) => !is_system)
  const running = jobs.filter(({ status }) => status === 'running').length
  const scheduled = own.filter(({ is_scheduled, schedule_active }) => is_scheduled && schedule_active).length
  const parts = own.length > 0 ? [countOf(own.length, 'job')] : []
  if (scheduled > 0) parts.push(`${formatCount(scheduled)} scheduled`)
  if (running > 0) parts.push(`${formatCount(running)} running`)
  if (own.length < jobs.length) parts.push(countOf(jobs.length - own.length, 'system job'))
  return parts.join(' · ')
}

const countOf = (count: number, what: string): string => `${formatCount(count)} ${what}${count === 1 ? '' : 's'}`

interface DeleteJobProps {
  dialog: ReturnType<typeof useDialog<CollectionJob>>
  tell: Tell
}

function DeleteJob({ dialog, tell }: DeleteJobProps) {
  const deletion = useDeleteJob(tell)
  const { subject: job } = dialog
  return (
    <ConfirmModal
      opened={dialog.isOpen}
      title={`Delete collection job “${job?.name ?? ''}”?`}
      text="Its schedule and run history are deleted too; the data it collected is kept. A few seconds later this cannot be undone."
      confirmLabel="Delete job"
      busy={deletion.isPending}
      onCancel={dialog.close}
      onConfirm={() => job && deletion.mutate(job, { onSettled: dialog.close })}
    />
  )
}

interface ImportModalProps {
  dialog: ReturnType<typeof useDialog<true>>
  tell: Tell
}

function ImportModal({ dialog, tell }: ImportModalProps) {
  return (
    <ContentModal opened={dialog.isOpen} title="Import CSV File" onClose={dialog.close}>
      <ImportForm key={dialog.times} tell={tell} onClose={dialog.close} />
    </ContentModal>
  )
}

interface JobModalProps {
  dialog: ReturnType<typeof useDialog<CollectionJob | 'new'>>
  /** All jobs, for those that this one may wait for. */
  jobs: readonly CollectionJob[]
  tell: Tell
}

function JobModal({ dialog, jobs, tell }: JobModalProps) {
  const job = dialog.subject === 'new' || dialog.subject === null ? undefined : dialog.subject
  return (
    <ContentModal
      opened={dialog.isOpen}
      title={job ? 'Edit Collection Job' : 'Create Collection Job'}
      onClose={dialog.close}
    >
      <JobFields
        key={dialog.times}
        job={job}
        others={jobs.filter(({ id }) => id !== job?.id)}
        tell={tell}
        onClose={dialog.close}
      />
    </ContentModal>
  )
}

interface JobsTableProps {
  jobs: readonly CollectionJob[]
  tell: Tell
  onEdit: (job: CollectionJob) => void
  onDelete: (job: CollectionJob) => void
}

function JobsTable({ jobs, tell, onEdit, onDelete }: JobsTableProps) {
  const providers = useProviders().data ?? []
  return (
    <div className={classes.table}>
      <Table label="Collection jobs">
        <thead>
          <tr>
            <th>Name</th>
            <th>Provider</th>
            <th>Store</th>
            <th>Tickers</th>
            <th>Data/Schedule</th>
            <th>Status</th>
            <th className={numeric}>Records</th>
            <th className={numeric}>Actions</th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <JobRow
              key={job.id}
              job={job}
              provider={providers.find(({ id }) => id === job.provider_id)}
              tell={tell}
              onEdit={() => onEdit(job)}
              onDelete={() => onDelete(job)}
            />
          ))}
        </tbody>
      </Table>
    </div>
  )
}

const SHOWN_TICKERS = 4
const SHOWN_CATEGORIES = 3

const shortList = (words: readonly string[], shown: number): string =>
  words.length > shown ? `${words.slice(0, shown).join(', ')} + ${words.length - shown} more` : words.join(', ')

export const shownTickers = ({ tickers }: CollectionJob): string[] => tickers.slice(0, SHOWN_TICKERS)

export const hiddenTickers = ({ tickers }: CollectionJob): number => Math.max(0, tickers.length - SHOWN_TICKERS)

/** The system job refreshes whatever is stored when it runs. */
const isOfAllStored = ({ is_system, tickers }: CollectionJob): boolean => is_system && tickers.length === 0

/** `1d · open, close`. */
export const dataText = (job: CollectionJob): string =>
  isOfAllStored(job) ? 'New and corrected rows' : requestedData(job)

const requestedData = ({ data_granularity, categories }: CollectionJob): string =>
  [data_granularity, shortList(categories, SHOWN_CATEGORIES)].filter(Boolean).join(' · ')

export function rangeText(job: CollectionJob): string {
  if (isOfAllStored(job)) return 'Since the last row – today'
  if (!job.dynamic_date_mode) {
    return `${job.start_date ? formatDate(job.start_date) : 'First'} – ${job.end_date ? formatDate(job.end_date) : 'today'}`
  }
  const end = job.dynamic_end_offset_days ?? 0
  const until = end === 0 ? 'today' : end > 0 ? `${days(end)} ago` : `${days(-end)} ahead`
  return `${days(job.dynamic_start_offset_days ?? 0)} ago – ${until}`
}

const days = (count: number): string => `${count} ${count === 1 ? 'day' : 'days'}`

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']

/** Null for a job that is run by hand only. */
export function scheduleText(job: CollectionJob): string | null {
  if (!job.is_scheduled) return null
  const what = job.schedule_cron ? `cron ${job.schedule_cron}` : `${daysText(job.schedule_days)} ${timesText(job)}`
  const zone = (job.schedule_timezone ?? 'UTC').split('/').at(-1)!.replace('_', ' ')
  return `${what}, ${zone}`
}

function daysText(days: readonly string[]): string {
  if (days.length === 7) return 'Every day'
  const isWeek = days.length === WEEKDAYS.length && WEEKDAYS.every((day) => days.includes(day))
  return isWeek ? 'Weekdays' : days.map((day) => day.slice(0, 3)).join(', ')
}

function timesText({ schedule_start_time: start, schedule_end_time: end }: CollectionJob): string {
  const from = (start ?? '00:00').slice(0, 5)
  return end ? `${from}–${end.slice(0, 5)}` : `at ${from}`
}

/** When it runs by itself the next time, or why it does not. */
export function nextRunText(job: CollectionJob): string {
  if (!job.schedule_active) return 'Schedule off'
  return job.next_run ? `Next ${formatMarketMoment(job.next_run)}` : 'No further run'
}

interface JobRowProps {
  job: CollectionJob
  provider: Provider | undefined
  tell: Tell
  onEdit: () => void
  onDelete: () => void
}

function JobRow({ job, provider, tell, onEdit, onDelete }: JobRowProps) {
  const run = useRunJob(tell)
  const isRunning = run.isPending || job.status === 'running'
  const edit = () => (job.job_kind === 'transform' ? tell({ kind: 'info', text: TRANSFORM_JOBS_READ_ONLY }) : onEdit())
  return (
    <tr>
      <td className={classes.name}>
        <span className={classes.words}>
          <b>{job.name}</b>
          {job.is_system && <Tag>System</Tag>}
          {job.job_kind === 'transform' && <Tag tone="accent">Transform</Tag>}
        </span>
      </td>
      <td className={classes.provider}>
        {job.provider ?? '—'}
        {provider && (
          <span className={layout.second} title="Providers Max Batch">
            Max Batch: {formatCount(provider.max_ticker_batch)}
          </span>
        )}
      </td>
      <td className={classes.store}>{isOfAllStored(job) ? 'All stores' : job.store}</td>
      <td className={classes.tickers} title={job.tickers.join(', ')}>
        <Tickers job={job} />
      </td>
      <td className={classes.data}>
        {dataText(job)}
        <span className={`${layout.second} tabular`}>{rangeText(job)}</span>
        {job.is_scheduled && (
          <span className={`${layout.second} tabular`}>
            <IconClock className={classes.clock} size={12} aria-hidden /> {scheduleText(job)} · {nextRunText(job)}
          </span>
        )}
      </td>
      <td className={classes.status}>
        <JobStatus job={job} isRunning={isRunning} tell={tell} />
      </td>
      <td className={`${numeric} ${classes.records}`}>
        {formatCount(job.total_records)}
        <span className={classes.recordsWord}> records</span>
        {job.last_run && (
          <time className={layout.second} dateTime={job.last_run} title={formatExact(job.last_run)}>
            {formatMarketMoment(job.last_run)}
          </time>
        )}
      </td>
      <td className={`${numeric} ${classes.actions}`}>
        <IconButton
          icon={IconPlayerPlay}
          label={`Run ${job.name}`}
          disabled={isRunning}
          onClick={() => run.mutate(job.id)}
        />
        <IconButton icon={IconPencil} label={`Edit ${job.name}`} disabled={job.is_system} onClick={edit} />
        <IconButton
          icon={IconTrash}
          label={`Delete ${job.name}`}
          disabled={job.is_system || isRunning}
          onClick={onDelete}
        />
      </td>
    </tr>
  )
}

/** A symbol is never broken at its hyphen. */
function Tickers({ job }: { job: CollectionJob }) {
  const hidden = hiddenTickers(job)
  if (isOfAllStored(job)) return 'All stored series'
  return (
    <>
      {shownTickers(job).map((ticker, position) => (
        <span key={ticker}>
          {position > 0 && ', '}
          <span className={classes.symbol}>{ticker}</span>
        </span>
      ))}
      {hidden > 0 && ` + ${hidden} more`}
    </>
  )
}

const PILLS: Readonly<Record<string, { shape: StatusShape; word: string }>> = {
  completed: { shape: 'disc', word: 'Completed' },
  failed: { shape: 'cross', word: 'Failed' },
  cancelled: { shape: 'ring', word: 'Cancelled' },
  pending: { shape: 'ring', word: 'Never run' },
}

/** Completed is green, failed is red with its reason, anything else is grey. */
function JobStatus({ job, isRunning, tell }: { job: CollectionJob; isRunning: boolean; tell: Tell }) {
  if (isRunning) return <RunProgress job={job} tell={tell} />
  const { shape, word } = PILLS[job.status] ?? { shape: 'ring', word: job.status }
  return (
    <>
      <StatusPill shape={shape} word={word} />
      {job.status === 'failed' && job.error_message && <p className={jobStatusClasses.reason}>{job.error_message}</p>}
    </>
  )
}

/** Records so far and the ticker they are of, as the run itself reports them. */
function RunProgress({ job, tell }: { job: CollectionJob; tell: Tell }) {
  const cancel = useCancelRun(tell)
  const { name, progress } = job
  const fraction = progress?.fraction ?? null
  const isEnding = cancel.isPending || cancel.isSuccess
  return (
    <>
      <span className={jobStatusClasses.running}>
        <StatusPill shape="ring" word={isEnding ? 'Cancelling' : 'Running'} />
        <IconButton
          icon={IconPlayerStop}
          label={`Cancel ${name}`}
          disabled={isEnding || job.status !== 'running'}
          onClick={() => cancel.mutate(job.id)}
        />
      </span>
      <progress
        className={jobStatusClasses.progress}
        aria-label={`Progress of ${name}`}
        {...(fraction === null ? {} : { value: fraction })}
      />
      <output className={`${layout.second} tabular`}>{progress?.note ?? 'Starting...'}</output>
    </>
  )
}
