import { VisuallyHidden } from '@mantine/core'
import type { Deployment } from '@tradewright/contract/live-trading-fields'
import { Link } from 'react-router'
import { AccountTag } from '../../../deployment-words/account-tag.tsx'
import { moneyIn, signedMoneyIn } from '../../../deployment-words/money-in.ts'
import { returnOn } from '../../../deployment-words/return-on.ts'
import { statusOf } from '../../../deployment-words/status.ts'
import { formatSignedPercent } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/format-time.ts'
import { Sparkline } from '../../../ui/chart/sparkline.tsx'
import { SyntheticMark } from '../../../ui/feedback/source-badge.tsx'
import { StatusPill } from '../../../ui/feedback/status-pill.tsx'
import { useNow } from '../../../ui/feedback/use-now.ts'
import { Delta } from '../../../ui/table/figure.tsx'
import { numeric, secondary, Table } from '../../../ui/table/table.tsx'
import { Panel } from './panel.tsx'
import { useDeployments, useGlance } from '../queries.ts'
import classes from './rows.module.css'
import { nextCheckText } from '../../../deployment-words/next-check.ts'

export function DeploymentsPanel() {
  const deployments = useDeployments()
  const glance = useGlance()
  if (deployments.data?.length === 0) return null
  const recent = new Map(glance.data?.recent.map(({ deployment_id, growth }) => [deployment_id, growth]))
  return (
    <Panel
      title="Deployments"
      hint={deployments.data && hintOf(deployments.data)}
      link={{ to: '/live-trading', text: 'All deployments' }}
      query={deployments}
    >
      {(data) => <Rows deployments={data} recent={recent} />}
    </Panel>
  )
}

function hintOf(deployments: readonly Deployment[]): string {
  const running = deployments.filter(({ status }) => status === 'running').length
  return `${running} of ${deployments.length} running`
}

interface RowsProps {
  deployments: readonly Deployment[]
  /** Growth of one dollar in the last 30 days, by deployment. */
  recent: ReadonlyMap<number, readonly number[]>
}

function Rows({ deployments, recent }: RowsProps) {
  const now = new Date(useNow())
  return (
    <Table label="Deployments">
      <thead>
        <tr>
          <th>Name</th>
          <th className={secondary}>Status</th>
          <th className={secondary}>Account</th>
          <th className={secondary}>Next check</th>
          <th className={`${numeric} ${secondary}`}>Capital</th>
          <th className={numeric}>P&amp;L</th>
          <th className={`${numeric} ${secondary}`}>Growth, 30 days</th>
        </tr>
      </thead>
      <tbody>
        {listedDeployments(deployments).map((deployment) => (
          <Row key={deployment.id} deployment={deployment} growth={recent.get(deployment.id)} now={now} />
        ))}
      </tbody>
    </Table>
  )
}

interface RowProps {
  deployment: Deployment
  growth: readonly number[] | undefined
  now: Date
}

function Row({ deployment, growth, now }: RowProps) {
  const { id, deployment_name, paper_trading, capital_currency: currency, committed_capital, total_pnl } = deployment
  const onContributions = returnOn(deployment)
  const check = (
    <time {...(deployment.next_run_at ? { title: formatMoment(deployment.next_run_at) } : {})}>
      {checkText(deployment, now)}
    </time>
  )
  return (
    <tr>
      <td className={classes.name}>
        <Link to={`/live-trading/${id}`}>{deployment_name}</Link>
        {deployment.synthetic && <SyntheticMark tickers={deployment.synthetic_tickers} />}
        <span className={classes.narrowOnly}>
          <StatusPill {...statusOf(deployment)} /> {check}
        </span>
      </td>
      <td className={secondary}>
        <StatusPill {...statusOf(deployment)} />
      </td>
      <td className={secondary}>
        <AccountTag isPaper={paper_trading} />
      </td>
      <td className={secondary}>{check}</td>
      <td className={`${numeric} ${secondary}`}>{moneyIn(currency, committed_capital)}</td>
      <td className={numeric}>
        <b>
          <Delta value={total_pnl} withArrow zeroIsGain>
            {signedMoneyIn(currency, total_pnl)}
          </Delta>
        </b>
        {onContributions !== null && (
          <span className={classes.beside}>
            {formatSignedPercent(onContributions, 1)}
            <VisuallyHidden> on net contributions</VisuallyHidden>
          </span>
        )}
      </td>
      <td className={`${numeric} ${secondary}`}>
        <Growth growth={growth} />
      </td>
    </tr>
  )
}

function Growth({ growth }: { growth: readonly number[] | undefined }) {
  const [first, last] = [growth?.[0], growth?.at(-1)]
  if (!growth || growth.length < 2 || !first || last === undefined) return <>n/a until the second day</>
  return (
    <span className={classes.growth}>
      <span className={classes.spark}>
        <Sparkline values={growth} height={22} />
      </span>
      <Delta value={last / first - 1}>{formatSignedPercent(last / first - 1, 1)}</Delta>
    </span>
  )
}

const MAX_ROWS = 5
const ORDER: readonly Deployment['status'][] = ['running', 'paused', 'created', 'stopped']

/** The running ones first, then by age, newest first, as the list came. */
export const listedDeployments = <D extends Pick<Deployment, 'status'>>(deployments: readonly D[]): D[] =>
  deployments.toSorted((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status)).slice(0, MAX_ROWS)

const WITHOUT_CHECK = { created: 'After Start', paused: 'After Resume', stopped: 'None, it is stopped' } as const

export function checkText({ status, next_run_at }: Pick<Deployment, 'status' | 'next_run_at'>, now: Date): string {
  if (status !== 'running') return WITHOUT_CHECK[status]
  return next_run_at ? nextCheckText(next_run_at, now) : 'Not scheduled yet'
}
