import { IconPlayerStop } from '@tabler/icons-react'
import type { CollectionJob } from '@tradewright/contract/data-collector'
import { IconButton } from '../../../ui/form/icon-button.tsx'
import { StatusPill, type StatusShape } from '../../../ui/feedback/status-pill.tsx'
import layout from '../layout.module.css'
import type { Tell } from '../use-notice.ts'
import { useCancelRun } from './job-queries.ts'
import classes from './job-status.module.css'

const PILLS: Readonly<Record<string, { shape: StatusShape; word: string }>> = {
  completed: { shape: 'disc', word: 'Completed' },
  failed: { shape: 'cross', word: 'Failed' },
  cancelled: { shape: 'ring', word: 'Cancelled' },
  pending: { shape: 'ring', word: 'Never run' },
}

/** Completed is green, failed is red with its reason, anything else is grey. */
export function JobStatus({ job, isRunning, tell }: { job: CollectionJob; isRunning: boolean; tell: Tell }) {
  if (isRunning) return <RunProgress job={job} tell={tell} />
  const { shape, word } = PILLS[job.status] ?? { shape: 'ring', word: job.status }
  return (
    <>
      <StatusPill shape={shape} word={word} />
      {job.status === 'failed' && job.error_message && <p className={classes.reason}>{job.error_message}</p>}
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
      <span className={classes.running}>
        <StatusPill shape="ring" word={isEnding ? 'Cancelling' : 'Running'} />
        <IconButton
          icon={IconPlayerStop}
          label={`Cancel ${name}`}
          disabled={isEnding || job.status !== 'running'}
          onClick={() => cancel.mutate(job.id)}
        />
      </span>
      <progress
        className={classes.progress}
        aria-label={`Progress of ${name}`}
        {...(fraction === null ? {} : { value: fraction })}
      />
      <output className={`${layout.second} tabular`}>{progress?.note ?? 'Starting...'}</output>
    </>
  )
}
