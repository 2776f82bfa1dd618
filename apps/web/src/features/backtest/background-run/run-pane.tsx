import { Button } from '@mantine/core'
import { IconArrowLeft, IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { HelpLink } from '../../../help/help-link.tsx'
import { formatPast } from '../../../lib/format-time.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { useNow } from '../../../ui/feedback/use-now.ts'
import { Card, CardSection } from '../../../ui/layout/card.tsx'
import { numeric, secondary, Table } from '../../../ui/table/table.tsx'
import type { OpenInAddress } from '../use-open-in-address.ts'
import classes from './background-run.module.css'

interface RunPaneProps {
  open: Exclude<OpenInAddress, null>
  onOpen: (open: OpenInAddress) => void
  /** Labels of the buttons that lead away. */
  back: string
  another: string
  help: { page: string; label: string }
  children: ReactNode
}

/** The wide column of the Studio while it shows a computation instead of a backtest. */
export function RunPane({ open, onOpen, back, another, help, children }: RunPaneProps) {
  return (
    <div className={classes.pane}>
      <div className={classes.bar}>
        <Button variant="default" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={() => onOpen(null)}>
          {back}
        </Button>
        {open !== 'new' && (
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => onOpen('new')}>
            {another}
          </Button>
        )}
        <HelpLink page={help.page}>{help.label}</HelpLink>
      </div>
      {children}
    </div>
  )
}

type RunStatus = 'running' | 'completed' | 'failed' | 'cancelled'

interface UnfinishedRunProps {
  run: {
    status: RunStatus
    progress: { fraction: number; note: string } | null
    error_message: string | null
  }
  title: string
  hint: string
  cancelLabel: string
  progressLabel: string
  failure: string
  /** Said of a run that was cancelled. */
  cancelled: ReactNode
  isCancelling: boolean
  onCancel: () => void
  onDelete: () => void
}

/** A run that has no result: its progress, or why there is none. */
export function UnfinishedRun(props: UnfinishedRunProps) {
  const { run, title, hint, isCancelling, onCancel, onDelete } = props
  const isRunning = run.status === 'running'
  return (
    <Card
      title={title}
      hint={hint}
      actions={
        isRunning ? (
          <Button variant="default" disabled={isCancelling} onClick={onCancel}>
            {isCancelling ? 'Cancelling...' : props.cancelLabel}
          </Button>
        ) : (
          <Button variant="default" onClick={onDelete}>
            Delete
          </Button>
        )
      }
    >
      <CardSection>
        {isRunning ? (
          <>
            <progress
              className={classes.progress}
              max={1}
              value={run.progress?.fraction ?? 0}
              aria-label={props.progressLabel}
            />
            <p className={`${classes.note} tabular`}>{run.progress?.note}</p>
            <p className={classes.note}>It continues if you leave this page.</p>
          </>
        ) : run.status === 'failed' ? (
          <Banner kind="error" text={props.failure} detail={run.error_message} />
        ) : (
          <p className={classes.note}>{props.cancelled}</p>
        )}
      </CardSection>
    </Card>
  )
}

const MAX_RECENT = 10
const STATUS_WORDS: Readonly<Record<RunStatus, string>> = {
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

interface RecentRun {
  id: number
  to: string
  title: string
  /** The line below the title. */
  about: string
  count: string
  status: RunStatus
  startedAt: string
}

interface RecentRunsProps {
  /** The word for several of them: "studies" in "Recent studies". */
  plural: string
  /** Titles of the first two columns. */
  columns: readonly [string, string]
  open: OpenInAddress
  runs: readonly RecentRun[]
  error: Error | null
}

/** The newest others than the open one; nothing where there are none. */
export function RecentRuns({ plural, columns, open, runs, error }: RecentRunsProps) {
  const now = useNow()
  if (error) return <Banner kind="error" text={`Failed to load recent ${plural}`} detail={error.message} />
  const others = runs.filter(({ id }) => id !== open).slice(0, MAX_RECENT)
  if (others.length === 0) return null
  const title = `Recent ${plural}`
  return (
    <Card title={title}>
      <Table label={title}>
        <thead>
          <tr>
            <th>{columns[0]}</th>
            <th className={numeric}>{columns[1]}</th>
            <th className={secondary}>Status</th>
            <th className={numeric}>Started</th>
          </tr>
        </thead>
        <tbody>
          {others.map((run) => (
            <tr key={run.id}>
              <td>
                <Link to={run.to}>{run.title}</Link>
                <span className={classes.below}>{run.about}</span>
              </td>
              <td className={numeric}>{run.count}</td>
              <td className={secondary}>{STATUS_WORDS[run.status]}</td>
              <td className={numeric}>{formatPast(run.startedAt, now)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}
