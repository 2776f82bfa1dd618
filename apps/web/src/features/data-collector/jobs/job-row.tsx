import { IconClock, IconPencil, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import type { CollectionJob, Provider } from '@tradewright/contract/data-collector'
import { formatCount } from '../../../lib/format.ts'
import { formatExact, formatMarketMoment } from '../../../lib/format-time.ts'
import { IconButton } from '../../../ui/form/icon-button.tsx'
import { numeric } from '../../../ui/table/table.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import layout from '../layout.module.css'
import { TRANSFORM_JOBS_READ_ONLY } from '../messages.ts'
import type { Tell } from '../use-notice.ts'
import { useRunJob } from './job-queries.ts'
import { JobStatus } from './job-status.tsx'
import {
  dataText,
  hiddenTickers,
  isOfAllStored,
  nextRunText,
  rangeText,
  scheduleText,
  shownTickers,
} from './job-words.ts'
import classes from './jobs-table.module.css'

interface JobRowProps {
  job: CollectionJob
  provider: Provider | undefined
  tell: Tell
  onEdit: () => void
  onDelete: () => void
}

export function JobRow({ job, provider, tell, onEdit, onDelete }: JobRowProps) {
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
