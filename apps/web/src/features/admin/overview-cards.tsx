import type { OperatorOverview } from '@tradewright/contract/operator'
import { formatPast, formatExact } from '../../lib/format-time.ts'
import { capitalised, formatCount, formatNumber } from '../../lib/format.ts'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Fact, Facts, Figure, MetricsStrip } from '../../ui/table/figure.tsx'
import { numeric, Table } from '../../ui/table/table.tsx'
import classes from './admin.module.css'
import {
  brokerName,
  bytes,
  duration,
  failureCause,
  jobKind,
  limitWords,
  serviceName,
  verdictOf,
} from './overview-words.ts'

interface CardProps {
  overview: OperatorOverview
  now: number
}

export function Past({ at, now }: { at: string; now: number }) {
  return (
    <time dateTime={at} title={formatExact(at)}>
      {formatPast(at, now)}
    </time>
  )
}

export function SummaryCard({ overview, now }: CardProps) {
  const { users, deployments, jobs, storage, backups } = overview
  const waiting = jobs.filter(({ state }) => state === 'queued').reduce((sum, { count }) => sum + count, 0)
  const running = jobs.filter(({ state }) => state === 'running').reduce((sum, { count }) => sum + count, 0)
  const verdict = verdictOf(overview)
  return (
    <Card title="Instance" actions={<StatusPill {...verdict} />}>
      <MetricsStrip>
        <Figure label="Users">{formatCount(users)}</Figure>
        <Figure label="Running deployments" note={attention(deployments)}>
          {formatCount(deployments.running)}
        </Figure>
        <Figure label="Jobs running" note={`${formatCount(waiting)} waiting`}>
          {formatCount(running)}
        </Figure>
        <Figure label="Disk free" note={`of ${bytes(storage.disk_bytes)}`}>
          {bytes(storage.disk_free_bytes)}
        </Figure>
      </MetricsStrip>
      <div className={classes.facts}>
        <Facts>
          <Fact label="Version" note={overview.commit ? overview.commit.slice(0, 10) : undefined}>
            {overview.version}
          </Fact>
          <Fact label="Tables">{overview.schema}</Fact>
          <Fact label="Node.js">{overview.node}</Fact>
          <Fact label="PostgreSQL">{overview.postgres}</Fact>
          <Fact label="Database">{bytes(storage.database_bytes)}</Fact>
          <Fact label="Series files">{bytes(storage.series_bytes)}</Fact>
          <Fact
            label="Newest backup"
            note={
              backups?.last_failure_at ? (
                <>
                  last failure <Past at={backups.last_failure_at} now={now} />
                </>
              ) : undefined
            }
          >
            {backups === null ? (
              'Not scheduled here'
            ) : backups.newest_at ? (
              <Past at={backups.newest_at} now={now} />
            ) : (
              'None yet'
            )}
          </Fact>
          <Fact label="Brokerage accounts" note={unverified(overview)}>
            {overview.accounts.length === 0
              ? 'None'
              : overview.accounts.map(({ broker, accounts }) => `${brokerName(broker)} ${accounts}`).join(', ')}
          </Fact>
        </Facts>
      </div>
    </Card>
  )
}

function attention({ unattended, missed, disagreeing, blocked }: OperatorOverview['deployments']): string {
  const parts = [
    unattended > 0 && `${unattended} unattended`,
    missed > 0 && `${missed} missed a run`,
    disagreeing > 0 && `${disagreeing} differ from the broker`,
    blocked > disagreeing && `${blocked - disagreeing} do not trade`,
  ].filter(Boolean)
  return parts.length === 0 ? 'none needs attention' : parts.join(', ')
}

const unverified = ({ accounts }: OperatorOverview): string | undefined => {
  const count = accounts.reduce((sum, account) => sum + account.unverified, 0)
  return count === 0 ? undefined : `${count} not verified`
}

export function ProcessesCard({ overview, now }: CardProps) {
  return (
    <Card title="Processes" hint="Each reports every 15 seconds; one that was silent for two minutes is left out.">
      <Table label="Processes">
        <thead>
          <tr>
            <th>Process</th>
            <th>Version</th>
            <th>Started</th>
            <th className={numeric}>Restarts</th>
            <th className={numeric}>Memory</th>
            <th className={numeric}>Reacts within</th>
            <th className={numeric}>Computing</th>
            <th className={numeric}>Waiting</th>
          </tr>
        </thead>
        <tbody>
          {overview.processes.map((one) => (
            <tr key={one.id}>
              <td>
                {one.kind === 'web' ? 'Web' : 'Worker'}{' '}
                <span className={classes.quiet}>{`${one.host} ${one.pid}`}</span>
              </td>
              <td>{one.version}</td>
              <td className={classes.nowrap}>
                <Past at={one.started_at} now={now} />
              </td>
              <td className={numeric}>{formatCount(one.restarts)}</td>
              <td className={numeric}>{formatCount(one.memory_mb)} MB</td>
              <td className={numeric}>
                {one.event_loop_delay_ms === null
                  ? '–'
                  : formatNumber(one.event_loop_delay_ms, { decimals: 1, minDecimals: 0, suffix: ' ms' })}
              </td>
              <td className={numeric}>{formatCount(one.lanes.reduce((sum, { running }) => sum + running, 0))}</td>
              <td className={numeric}>{formatCount(one.lanes.reduce((sum, { waiting }) => sum + waiting, 0))}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}

export function JobsCard({ overview: { jobs, failed_jobs: failed }, now }: CardProps) {
  return (
    <Card title="Jobs" hint="Of all users together, while they wait or run, and those that failed within a day.">
      {jobs.length === 0 ? (
        <p className={classes.none}>Nothing is running or waiting.</p>
      ) : (
        <Table label="Jobs">
          <thead>
            <tr>
              <th>Kind</th>
              <th>State</th>
              <th className={numeric}>Jobs</th>
              <th className={numeric}>Oldest</th>
            </tr>
          </thead>
          <tbody>
            {jobs.map(({ kind, state, count, oldest_seconds }) => (
              <tr key={`${kind} ${state}`}>
                <td>{jobKind(kind)}</td>
                <td>{state === 'queued' ? 'Waiting' : 'Running'}</td>
                <td className={numeric}>{formatCount(count)}</td>
                <td className={numeric}>{duration(oldest_seconds)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
      {failed.length > 0 && <FailedJobs failed={failed} now={now} />}
    </Card>
  )
}

function FailedJobs({ failed, now }: { failed: OperatorOverview['failed_jobs']; now: number }) {
  return (
    <div className={classes.failed}>
      <Table label="Failed jobs">
        <thead>
          <tr>
            <th>Failed in 24 hours</th>
            <th>Cause</th>
            <th className={numeric}>Jobs</th>
            <th className={numeric}>Users</th>
            <th>Last</th>
          </tr>
        </thead>
        <tbody>
          {failed.map(({ kind, cause, code, count, users, last_at }) => (
            <tr key={`${kind} ${cause} ${code}`}>
              <td>{jobKind(kind)}</td>
              <td>
                {failureCause(cause)} <code className={classes.quiet}>{code}</code>
              </td>
              <td className={numeric}>{formatCount(count)}</td>
              <td className={numeric}>{formatCount(users)}</td>
              <td className={classes.nowrap}>
                <Past at={last_at} now={now} />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}

export function ServicesCard({ overview: { services }, now }: CardProps) {
  return (
    <Card title="Providers and brokers" hint="Calls since each process started. A limit is that of one key.">
      {services.length === 0 ? (
        <p className={classes.none}>No other service has been called yet.</p>
      ) : (
        <Table label="Providers and brokers">
          <thead>
            <tr>
              <th>Service</th>
              <th>Limit</th>
              <th className={numeric}>Calls</th>
              <th className={numeric}>Refused</th>
              <th className={numeric}>Over limit</th>
              <th className={numeric}>Unreachable</th>
              <th className={numeric}>Held back</th>
              <th>Last failure</th>
            </tr>
          </thead>
          <tbody>
            {services.map((one) => (
              <tr key={one.service}>
                <td>
                  {serviceName(one.service)} {one.is_broker && <span className={classes.quiet}>broker</span>}
                </td>
                <td className={classes.nowrap}>{limitWords(one.limit)}</td>
                <td className={numeric}>{formatCount(one.calls)}</td>
                <td className={numeric}>{formatCount(one.refused)}</td>
                <td className={numeric}>{formatCount(one.limited)}</td>
                <td className={numeric}>{formatCount(one.unreachable + one.failed)}</td>
                <td className={numeric}>{duration(one.waited_seconds)}</td>
                <td className={classes.nowrap}>
                  {one.last_failure_at ? <Past at={one.last_failure_at} now={now} /> : 'None'}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  )
}

export function ErrorsCard({ overview: { errors }, now }: CardProps) {
  return (
    <Card title="Recent errors" hint="What failed, without whose work it was. The log has the rest.">
      {errors.length === 0 ? (
        <p className={classes.none}>No process has logged an error since it started.</p>
      ) : (
        <Table label="Recent errors">
          <thead>
            <tr>
              <th>When</th>
              <th>Error</th>
              <th>Process</th>
            </tr>
          </thead>
          <tbody>
            {errors.map((error, index) => (
              // Two errors of one instant may read the same.
              // oxlint-disable-next-line react/no-array-index-key
              <tr key={`${error.at} ${index}`}>
                <td className={classes.nowrap}>
                  <Past at={error.at} now={now} />
                </td>
                <td className={classes.error}>
                  {error.call ?? capitalised(error.message)}{' '}
                  <code className={classes.quiet}>{[error.type, error.code].filter(Boolean).join(', ')}</code>
                </td>
                <td className={`${classes.quiet} ${classes.nowrap}`}>{error.process}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  )
}
