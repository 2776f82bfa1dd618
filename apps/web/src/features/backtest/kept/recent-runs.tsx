import { Button } from '@mantine/core'
import type { RecentRun } from '@tradewright/contract/backtests'
import { MAX_RECENT_RUNS } from '@tradewright/core/recent-runs'
import { IconCertificate, IconHistory } from '@tabler/icons-react'
import { type MouseEvent, useState } from 'react'
import { Link } from 'react-router'
import { formatPast, formatExact } from '../../../lib/format-time.ts'
import { formatPercent, formatRatio, formatSignedPercent } from '../../../lib/format.ts'
import { SplicedMark } from '../../../strategy-form/data/spliced-days.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { SyntheticMark } from '../../../ui/feedback/source-badge.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { useNow } from '../../../ui/feedback/use-now.ts'
import { ContentModal } from '../../../ui/layout/content-modal.tsx'
import { Delta } from '../../../ui/table/figure.tsx'
import { numeric, secondary, Table } from '../../../ui/table/table.tsx'
import { useRecentRuns } from '../queries.ts'
import classes from './kept.module.css'
import { VerifyPassportModal } from './verify-passport.tsx'

export function RecentRuns({ onOpen }: { onOpen: (id: number) => void }) {
  // One dialog at a time: the second takes the place of the first.
  const [dialog, setDialog] = useState<'runs' | 'verify' | null>(null)
  const close = () => setDialog(null)
  const open = (id: number) => {
    close()
    onOpen(id)
  }
  return (
    <>
      <Button variant="default" leftSection={<IconHistory size={16} aria-hidden />} onClick={() => setDialog('runs')}>
        Recent runs
      </Button>
      <ContentModal opened={dialog === 'runs'} title="Recent runs" onClose={close}>
        <Runs onOpen={open} />
        <div className={classes.foot}>
          <Button
            variant="default"
            leftSection={<IconCertificate size={16} aria-hidden />}
            onClick={() => setDialog('verify')}
          >
            Verify a passport
          </Button>
        </div>
      </ContentModal>
      <VerifyPassportModal opened={dialog === 'verify'} onClose={close} />
    </>
  )
}

function Runs({ onOpen }: { onOpen: (id: number) => void }) {
  const runs = useRecentRuns()
  const now = useNow()
  if (runs.isPending) return <CardSkeleton rows={5} />
  if (runs.isError) return <Banner kind="error" text="Failed to load recent runs" detail={runs.error.message} />
  if (runs.data.length === 0) {
    return (
      <EmptyState
        icon={IconHistory}
        title="No runs yet"
        text="Every backtest that you run appears here, saved or not."
      />
    )
  }
  return (
    <>
      <p className={classes.hint}>
        Of the runs that are not saved, the newest {MAX_RECENT_RUNS} are kept. Save a result to keep it for good.
      </p>
      <div className={classes.runs}>
        <Table label="Recent runs">
          <thead>
            <tr>
              <th>Result</th>
              <th className={numeric}>CAGR</th>
              <th className={numeric}>Sharpe</th>
              <th className={`${numeric} ${secondary}`}>Max drawdown</th>
            </tr>
          </thead>
          <tbody>
            {runs.data.map((run) => (
              <Row key={run.id} run={run} now={now} onOpen={() => onOpen(run.id)} />
            ))}
          </tbody>
        </Table>
      </div>
    </>
  )
}

function Row({ run, now, onOpen }: { run: RecentRun; now: number; onOpen: () => void }) {
  // A plain click stays in this page; with a key held the address opens in another tab.
  const click = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    onOpen()
  }
  return (
    <tr>
      <td className={classes.run}>
        <Link to={`/backtest?backtest_id=${run.id}`} onClick={click}>
          {run.name}
        </Link>{' '}
        {run.synthetic && <SyntheticMark />} <SplicedMark spliced={run.spliced_tickers} />{' '}
        {run.saved && <Tag tone="accent">Saved</Tag>}
        <time className={classes.below} dateTime={run.created_at} title={formatExact(run.created_at)}>
          {formatPast(run.created_at, now)}
        </time>
      </td>
      <td className={numeric}>
        {run.cagr === null ? 'n/a' : <Delta value={run.cagr}>{formatSignedPercent(run.cagr)}</Delta>}
      </td>
      <td className={numeric}>{run.sharpe === null ? 'n/a' : formatRatio(run.sharpe)}</td>
      <td className={`${numeric} ${secondary}`}>{formatPercent(run.max_drawdown)}</td>
    </tr>
  )
}
