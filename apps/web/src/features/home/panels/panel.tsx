import { Button, VisuallyHidden } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { IconCheck } from '@tabler/icons-react'
import { type Checklist, CHECKLIST_STEPS } from '@tradewright/contract/home'
import type { UnfinishedJob } from '@tradewright/contract/jobs'
import { BACKTEST_JOB } from '@tradewright/contract/backtests'
import { COLLECTION_JOB } from '@tradewright/contract/data-collector'
import { OPTIMIZER_JOB } from '@tradewright/contract/optimizer'
import { ROBUSTNESS_JOB } from '@tradewright/contract/robustness'
import { CONSTRUCTION_JOB } from '@tradewright/contract/construction'
import { STUDY_JOB } from '@tradewright/contract/studies'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import classes from './panel.module.css'
import { serverMessageOr } from '../../../lib/call-error.ts'
import checklistPanelClasses from './checklist-panel.module.css'
import { useChecklist, useHideChecklist, useJobs, nextStepOf, STEPS } from '../queries.ts'
import jobsPanelClasses from './jobs-panel.module.css'

interface PanelProps<Data> {
  title: string
  hint?: ReactNode
  link?: { to: string; text: string }
  query: UseQueryResult<Data>
  /** Rows of the skeleton. */
  rows?: number
  children: (data: Data) => ReactNode
}

/** Loads and fails on its own: the other panels stand. Figures that were there stay when asking again fails. */
export function Panel<Data>({ title, hint, link, query, rows = 3, children }: PanelProps<Data>) {
  if (query.isPending) return <CardSkeleton rows={rows} label={`Loading ${title}...`} />
  return (
    <Card
      title={title}
      hint={hint}
      {...(link
        ? {
            actions: (
              <Link className={classes.more} to={link.to}>
                {link.text}
              </Link>
            ),
          }
        : {})}
    >
      {query.data === undefined ? (
        <Failure title={title} error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        children(query.data)
      )}
    </Card>
  )
}

interface FailureProps {
  title: string
  error: Error | null
  onRetry: () => void
}

function Failure({ title, error, onRetry }: FailureProps) {
  return (
    <div className={classes.failure} role="alert">
      <p>
        {title} could not be loaded.{error?.message ? ` ${error.message}` : ''}
      </p>
      <Button variant="default" size="xs" onClick={onRetry} aria-label={`Try again: ${title}`}>
        Try again
      </Button>
    </div>
  )
}

/** One sentence in the place of rows. */
export function Nothing({ children }: { children: ReactNode }) {
  return <p className={classes.nothing}>{children}</p>
}

/** Ticked off by what really happened; gone when it is hidden or all is done. */
export function ChecklistPanel({ layout }: { layout: 'column' | 'row' }) {
  const checklist = useChecklist()
  const { data } = checklist
  return (
    <Panel
      title="Get started"
      hint={data && `${data.done.length} of ${CHECKLIST_STEPS.length} done`}
      query={checklist}
      rows={5}
    >
      {(given) => <Steps checklist={given} layout={layout} />}
    </Panel>
  )
}

function Steps({ checklist: { done }, layout }: { checklist: Checklist; layout: 'column' | 'row' }) {
  const next = nextStepOf(done)
  const hide = useHideChecklist()
  return (
    <>
      <progress
        className={checklistPanelClasses.bar}
        aria-label="First steps done"
        max={CHECKLIST_STEPS.length}
        value={done.length}
      />
      <ol className={checklistPanelClasses.steps} data-layout={layout}>
        {CHECKLIST_STEPS.map((step, index) => {
          const isDone = done.includes(step)
          const { title, text, path } = STEPS[step]
          return (
            <li key={step} className={checklistPanelClasses.step} data-done={isDone} data-next={step === next}>
              <span className={checklistPanelClasses.mark} aria-hidden>
                {isDone ? <IconCheck size={14} stroke={2.4} /> : index + 1}
              </span>
              <div className={checklistPanelClasses.words}>
                <p className={checklistPanelClasses.title}>
                  {isDone ? title : <Link to={path}>{title}</Link>}
                  {isDone && <VisuallyHidden> (done)</VisuallyHidden>}
                </p>
                <p className={checklistPanelClasses.text}>{text}</p>
              </div>
            </li>
          )
        })}
      </ol>
      <div className={checklistPanelClasses.foot}>
        <Button variant="subtle" size="compact-sm" disabled={hide.isPending} onClick={() => hide.mutate()}>
          Hide this list
        </Button>
        {hide.isError && (
          <p role="alert" className={checklistPanelClasses.failed}>
            The list could not be hidden. {serverMessageOr(hide.error, 'Please try again.')}
          </p>
        )}
      </div>
    </>
  )
}

const MAX_ROWS = 4

export function JobsPanel() {
  const jobs = useJobs()
  if (jobs.data?.length === 0) return null
  return (
    <Panel title="Jobs in progress" query={jobs} rows={2}>
      {(data) => (
        <ul className={jobsPanelClasses.rows}>
          {data.slice(0, MAX_ROWS).map((job) => (
            <JobRow key={job.job_id} job={job} />
          ))}
          {data.length > MAX_ROWS && <li className={jobsPanelClasses.others}>and {data.length - MAX_ROWS} more</li>}
        </ul>
      )}
    </Panel>
  )
}

function JobRow({ job }: { job: UnfinishedJob }) {
  const { name, path } = jobWords(job)
  const fraction = job.progress?.fraction ?? null
  return (
    <li className={jobsPanelClasses.row}>
      <p className={jobsPanelClasses.name}>
        <Link to={path}>{name}</Link>
      </p>
      <progress
        className={jobsPanelClasses.bar}
        aria-label={name}
        max={1}
        {...(fraction === null ? {} : { value: fraction })}
      />
      <p className={jobsPanelClasses.note}>
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
