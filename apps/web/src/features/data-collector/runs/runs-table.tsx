import type { CollectionRun } from '@tradewright/contract/data-collector'
import { formatCount } from '../../../lib/format.ts'
import { formatExact, formatMarketMoment } from '../../../lib/format-time.ts'
import { StatusPill, type StatusShape } from '../../../ui/feedback/status-pill.tsx'
import { numeric, Table } from '../../../ui/table/table.tsx'
import layout from '../layout.module.css'
import { withoutCounts } from '../messages.ts'
import { formatDuration } from './duration.ts'
import classes from './runs-table.module.css'

const PILLS: Record<CollectionRun['status'], { shape: StatusShape; word: string }> = {
  running: { shape: 'ring', word: 'Running' },
  completed: { shape: 'disc', word: 'Completed' },
  failed: { shape: 'cross', word: 'Failed' },
  cancelled: { shape: 'ring', word: 'Cancelled' },
}

export function RunsTable({ runs }: { runs: readonly CollectionRun[] }) {
  return (
    <div className={classes.table}>
      <Table label="Runs">
        <thead>
          <tr>
            <th>Job</th>
            <th>Provider</th>
            <th>Store</th>
            <th>Status</th>
            <th className={numeric}>Started</th>
            <th className={numeric}>Completed</th>
            <th className={numeric}>Fetched</th>
            <th className={numeric}>Stored</th>
            <th>Layers (bronze/silver/gold)</th>
            <th className={numeric}>Duration</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunRow key={run.run_id} run={run} />
          ))}
        </tbody>
      </Table>
    </div>
  )
}

function RunRow({ run }: { run: CollectionRun }) {
  const words = run.error_message ?? withoutCounts(run.message ?? '')
  return (
    <tr>
      <td className={classes.job}>
        <b>{run.job_name}</b>
        {words && (
          <span className={layout.second} data-failed={run.status === 'failed'}>
            {words}
          </span>
        )}
      </td>
      <td className={classes.provider}>{run.provider ?? '—'}</td>
      <td className={classes.store}>{run.store}</td>
      <td className={classes.status}>
        <StatusPill {...PILLS[run.status]} />
      </td>
      <td className={`${numeric} ${classes.started}`}>
        <Moment when={run.started_at} />
      </td>
      <td className={`${numeric} ${classes.completed}`}>
        {run.completed_at ? <Moment when={run.completed_at} /> : '—'}
      </td>
      <td className={`${numeric} ${classes.fetched}`} data-word="fetched">
        {formatCount(run.records_fetched)}
      </td>
      <td className={`${numeric} ${classes.stored}`} data-word="stored">
        {formatCount(run.records_stored)}
      </td>
      <td className={`${classes.layers} tabular`}>
        {layersText(run.run_counts)} <span className={layout.second}>of {layersText(run.layer_counts)}</span>
      </td>
      <td className={`${numeric} ${classes.duration}`}>{formatDuration(run.total_duration_ms)}</td>
    </tr>
  )
}

const Moment = ({ when }: { when: string }) => (
  <time dateTime={when} title={formatExact(when)}>
    {formatMarketMoment(when)}
  </time>
)

const layersText = ({ bronze, silver, gold }: CollectionRun['run_counts']): string =>
  [bronze, silver, gold].map(formatCount).join(' / ')
