import type { UnfinishedJob } from '@tradewright/contract/jobs'
import { Link } from 'react-router'
import { BACKTEST_JOB } from '@tradewright/contract/backtests'
import { COLLECTION_JOB } from '@tradewright/contract/data-collector'
import { OPTIMIZER_JOB } from '@tradewright/contract/optimizer'
import { ROBUSTNESS_JOB } from '@tradewright/contract/robustness'
import { CONSTRUCTION_JOB } from '@tradewright/contract/construction'
import { STUDY_JOB } from '@tradewright/contract/studies'
import classes from './jobs-panel.module.css'
import { Panel } from './panel.tsx'
import { useJobs } from '../queries.ts'

const MAX_ROWS = 4

export function JobsPanel() {
  const jobs = useJobs()
  if (jobs.data?.length === 0) return null
  return (
    <Panel title="Jobs in progress" query={jobs} rows={2}>
      {(data) => (
        <ul className={classes.rows}>
          {data.slice(0, MAX_ROWS).map((job) => (
            <JobRow key={job.job_id} job={job} />
          ))}
          {data.length > MAX_ROWS && <li className={classes.others}>and {data.length - MAX_ROWS} more</li>}
        </ul>
      )}
    </Panel>
  )
}

function JobRow({ job }: { job: UnfinishedJob }) {
  const { name, path } = jobWords(job)
  const fraction = job.progress?.fraction ?? null
  return (
    <li className={classes.row}>
      <p className={classes.name}>
        <Link to={path}>{name}</Link>
      </p>
      <progress className={classes.bar} aria-label={name} max={1} {...(fraction === null ? {} : { value: fraction })} />
      <p className={classes.note}>
        {job.state === 'queued' ? 'Waiting for its turn' : job.progress?.note || 'Running'}
      </p>
    </li>
  )
}

interface JobWords {
  name: string
  /** The screen that shows it. */
  path: string
}

type Named = Pick<UnfinishedJob, 'kind' | 'subject' | 'strategy_name'>

export function jobWords({ kind, subject, strategy_name }: Named): JobWords {
  if (kind === BACKTEST_JOB)
    return { name: strategy_name ? `Backtest, ${strategy_name}` : 'Backtest', path: '/backtest' }
  if (kind === OPTIMIZER_JOB) return { name: `Optimizer run ${subject}`, path: `/optimizer?run=${subject}` }
  if (kind === ROBUSTNESS_JOB) {
    return { name: `Robustness of result ${subject}`, path: `/backtest?backtest_id=${subject}&section=robustness` }
  }
  if (kind === CONSTRUCTION_JOB) {
    return { name: `Portfolio construction ${subject}`, path: `/backtest?construct=${subject}` }
  }
  if (kind === STUDY_JOB) return { name: `Parameter study ${subject}`, path: `/backtest?study=${subject}` }
  if (kind === COLLECTION_JOB) return { name: `Collection, ${subject}`, path: '/data-collector?tab=runs' }
  return { name: subject, path: '/' }
}
