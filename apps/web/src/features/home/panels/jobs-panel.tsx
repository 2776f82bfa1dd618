import type { UnfinishedJob } from '@tradewright/contract/jobs'
import { Link } from 'react-router'
import { jobWords } from './job-words.ts'
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
