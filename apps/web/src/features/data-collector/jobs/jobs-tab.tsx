import { Button } from '@mantine/core'
import { IconDatabaseImport, IconFileUpload, IconPlus } from '@tabler/icons-react'
import type { CollectionJob } from '@tradewright/contract/data-collector'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { formatCount } from '../../../lib/format.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import layout from '../layout.module.css'
import { NotLoaded } from '../load-failure.tsx'
import { useCollectionJobs, useProviders } from '../queries.ts'
import { useDialog } from '../use-dialog.ts'
import type { Tell } from '../use-notice.ts'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { useDeleteJob } from './job-queries.ts'
import { ContentModal } from '../../../ui/layout/content-modal.tsx'
import { ImportForm } from '../csv/import-form.tsx'
import { JobFields } from './job-fields.tsx'
import { numeric, Table } from '../../../ui/table/table.tsx'
import { JobRow } from './job-row.tsx'
import classes from './jobs-table.module.css'

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
