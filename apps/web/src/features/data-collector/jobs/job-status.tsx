import type { CollectionJob } from '@tradewright/contract/data-collector'
import { StatusPill, type StatusShape } from '../../../ui/status-pill.tsx'
import layout from '../layout.module.css'
import classes from './job-status.module.css'

const PILLS: Readonly<Record<string, { shape: StatusShape; word: string }>> = {
  completed: { shape: 'disc', word: 'Completed' },
  failed: { shape: 'cross', word: 'Failed' },
  pending: { shape: 'ring', word: 'Never run' },
}

/** Completed is green, failed is red with its reason, anything else is grey. */
export function JobStatus({ job, isRunning }: { job: CollectionJob; isRunning: boolean }) {
  if (isRunning) return <RunProgress name={job.name} progress={job.progress} />
  const { shape, word } = PILLS[job.status] ?? { shape: 'ring', word: job.status }
  return (
    <>
      <StatusPill shape={shape} word={word} />
      {job.status === 'failed' && job.error_message && <p className={classes.reason}>{job.error_message}</p>}
    </>
  )
}

/** Records so far and the ticker they are of, as the run itself reports them. */
function RunProgress({ name, progress }: { name: string; progress: CollectionJob['progress'] }) {
  const fraction = progress?.fraction ?? null
  return (
    <>
      <StatusPill shape="ring" word="Running" />
      <progress
        className={classes.progress}
        aria-label={`Progress of ${name}`}
        {...(fraction === null ? {} : { value: fraction })}
      />
      <output className={`${layout.second} tabular`}>{progress?.note ?? 'Starting...'}</output>
    </>
  )
}
