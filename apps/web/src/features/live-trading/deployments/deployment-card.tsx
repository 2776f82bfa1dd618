import type { Deployment } from '@tradewright/contract/live-trading-fields'
import type { getDeploymentsAtAGlance } from '@tradewright/contract/live-trading-watch'
import { useId } from 'react'
import { Link } from 'react-router'
import type { AnswerOf } from '../../../lib/http.ts'
import { formatSignedMoney, formatSignedPercent } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/format-time.ts'
import { Delta } from '../../../ui/table/figure.tsx'
import { SourceBadge } from '../../../ui/feedback/source-badge.tsx'
import { Sparkline } from '../../../ui/chart/sparkline.tsx'
import { StatusPill } from '../../../ui/feedback/status-pill.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { AccountTag } from '../../../deployment-words/account-tag.tsx'
import { moneyIn } from '../../../deployment-words/money-in.ts'
import { statusOf } from '../../../deployment-words/status.ts'
import { daysText, frequencyText, hasUnkeptHours, modeText, percentText, UNKEPT_HOURS } from '../deployment-words.ts'
import { OUTCOMES } from '../deployment/decision/decision-words.ts'
import { HealthLight } from '../deployment/health-light.tsx'
import { Holdings } from '../holdings.tsx'
import type { Tell } from '../messages.ts'
import { HeldOrders } from '../held-orders.tsx'
import { TickerChoices } from '../ticker-choices.tsx'
import { type CardActions, CardFoot } from './card-foot.tsx'
import { CheckNow } from './check-now.tsx'
import classes from './deployment-card.module.css'
import { nextCheckText } from '../../../deployment-words/next-check.ts'
import { returnOn } from '../../../deployment-words/return-on.ts'

interface DeploymentCardProps extends CardActions {
  deployment: Deployment
  /** A value a day of the last 30, flows left out. */
  recent: readonly number[] | undefined
  /** Its light, holdings and last decision; undefined until they are known. */
  glance: Glance | undefined
}

type Glance = AnswerOf<typeof getDeploymentsAtAGlance>['deployments'][number]

export function DeploymentCard({ deployment, recent, glance, ...actions }: DeploymentCardProps) {
  const heading = useId()
  return (
    <article className={classes.card} data-live={!deployment.paper_trading || undefined} aria-labelledby={heading}>
      <div className={classes.head}>
        <Head deployment={deployment} light={glance?.light} headingId={heading} tell={actions.tell} />
        {deployment.health_problem && <p className={classes.problem}>{deployment.health_problem}</p>}
        {deployment.ticker_changes.length > 0 && (
          <div className={classes.choices}>
            <TickerChoices deployment={deployment} tell={actions.tell} />
          </div>
        )}
        {deployment.held_orders.map(({ sentence }) => (
          <p className={classes.problem} key={sentence}>
            {sentence}
          </p>
        ))}
        {deployment.held_orders.length > 0 && (
          <div className={classes.choices}>
            <HeldOrders deployment={deployment} tell={actions.tell} />
          </div>
        )}
        <div className={classes.result}>
          <ProfitAndLoss deployment={deployment} />
          {recent && <Recently growth={recent} />}
        </div>
      </div>
      {glance && (
        <div className={classes.now}>
          <div className={classes.holdings}>
            <Holdings holdings={glance.holdings} leftOut={glance.holdings_left_out} />
          </div>
          <LastDecision decision={glance.last_decision} />
        </div>
      )}
      <CardFacts deployment={deployment} />
      <CardFoot deployment={deployment} {...actions} />
    </article>
  )
}

function LastDecision({ decision }: { decision: Glance['last_decision'] }) {
  return (
    <div className={classes.decision}>
      {decision ? (
        <>
          <p className={classes.label}>
            Last decision, <time dateTime={decision.decided_at}>{formatMoment(decision.decided_at)}</time>
          </p>
          <p className={classes.outcome}>{OUTCOMES[decision.outcome]}</p>
          <p className={classes.reason}>{decision.reason}</p>
        </>
      ) : (
        <>
          <p className={classes.label}>Last decision</p>
          <p className={classes.reason}>Nothing was decided yet.</p>
        </>
      )}
    </div>
  )
}

interface HeadProps {
  deployment: Deployment
  light: Glance['light'] | undefined
  headingId: string
  tell: Tell
}

function Head({ deployment, light, headingId, tell }: HeadProps) {
  const { id, deployment_name, status, strategy_name, account_name, paper_trading, next_run_at } = deployment
  return (
    <>
      <div className={classes.titleRow}>
        <h2 className={classes.title} id={headingId}>
          <Link to={`/live-trading/${id}`}>{deployment_name}</Link>
        </h2>
        <span className={classes.state}>
          {status === 'running' && next_run_at && (
            <time className={classes.next} dateTime={next_run_at} title={formatMoment(next_run_at)}>
              Next check {nextCheckText(next_run_at)}
            </time>
          )}
          <CheckNow deployment={deployment} tell={tell} isSmall />
          {light && light !== 'idle' && (
            <span className={classes.light}>
              <HealthLight light={light} status={status} />
            </span>
          )}
          <StatusPill {...statusOf(deployment)} />
        </span>
      </div>
      <p className={classes.tags}>
        <Tag>{strategy_name}</Tag>
        <span>{account_name}</span>
        <AccountTag isPaper={paper_trading} />
        {deployment.dry_run && <Tag>Dry run</Tag>}
        {deployment.synthetic && <SourceBadge synthetic tickers={deployment.synthetic_tickers} />}
      </p>
    </>
  )
}

function ProfitAndLoss({ deployment }: { deployment: Deployment }) {
  const { total_pnl } = deployment
  const onContributions = returnOn(deployment)
  return (
    <div className={classes.pnl}>
      <p className={classes.label}>P&amp;L</p>
      <p className={classes.figure}>
        <Delta value={total_pnl} withArrow zeroIsGain>
          {formatSignedMoney(total_pnl)}
        </Delta>
      </p>
      {onContributions !== null && (
        <p className={classes.label}>
          <Delta value={onContributions}>{formatSignedPercent(onContributions, 2)}</Delta> on net contributions
        </p>
      )}
    </div>
  )
}

function Recently({ growth }: { growth: readonly number[] }) {
  if (growth.length < 2) return null
  return (
    <div className={classes.recent}>
      <Sparkline values={growth} />
      <p className={classes.label}>Growth, 30 days</p>
    </div>
  )
}

function CardFacts({ deployment }: { deployment: Deployment }) {
  const { capital_policy, capital_policy_value, capital_currency, committed_capital, committed_cash } = deployment
  const isPercent = capital_policy === 'percent_of_account'
  return (
    <dl className={classes.facts}>
      <div>
        <dt>Capital</dt>
        <dd className="tabular">
          <span>
            {isPercent
              ? `${percentText(capital_policy_value)} of account`
              : moneyIn(capital_currency, committed_capital)}
          </span>
          {!isPercent && <small> committed</small>}
        </dd>
      </div>
      <div>
        <dt>{isPercent ? 'Committed' : 'Cash'}</dt>
        <dd className="tabular">{moneyIn(capital_currency, isPercent ? committed_capital : committed_cash)}</dd>
      </div>
      <div>
        <dt>Days</dt>
        <dd>{daysText(deployment.trading_days)}</dd>
      </div>
      <div className={classes.wide}>
        <dt>Frequency</dt>
        <dd>{frequencyText(deployment)}</dd>
      </div>
      <div>
        <dt>Mode</dt>
        <dd>
          {modeText(deployment)}
          {hasUnkeptHours(deployment) && <small> {UNKEPT_HOURS}</small>}
        </dd>
      </div>
    </dl>
  )
}
