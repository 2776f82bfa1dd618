import { Button } from '@mantine/core'
import { IconAlertTriangle, IconBellRinging, IconCircleCheck, IconInbox } from '@tabler/icons-react'
import type { InboxAlert } from '@tradewright/contract/alerts'
import { Link } from 'react-router'
import { formatMarketMoment } from '../../lib/format-time.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { CardSkeleton } from '../../ui/feedback/skeletons.tsx'
import { LinkButton } from '../../ui/form/buttons.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import classes from './inbox-screen.module.css'
import { asksForYou, useAcknowledge, useInbox } from './queries.ts'

/** Alerts, one row for each cause: what is not acknowledged, what still lasts, what is over. */
export function InboxScreen() {
  const inbox = useInbox()
  const acknowledge = useAcknowledge()
  const alerts = inbox.data ?? []
  const asking = alerts.filter(asksForYou)
  const lasting = alerts.filter((one) => !asksForYou(one) && one.state === 'open')
  const past = alerts.filter((one) => !asksForYou(one) && one.state !== 'open')
  return (
    <Page documentTitle="Inbox">
      <PageHeader
        title="Inbox"
        subtitle="Alerts about your deployments, one for each cause. Channels are told again until you acknowledge them."
        aside={<LinkButton to="/settings#alerts">Alert channels</LinkButton>}
      />
      {inbox.isError && (
        <Banner
          kind="error"
          text="The inbox could not be loaded"
          detail={inbox.error.message}
          action={
            <Button variant="default" onClick={() => void inbox.refetch()}>
              Try again
            </Button>
          }
        />
      )}
      {acknowledge.isError && (
        <Banner kind="error" text="It could not be acknowledged" detail={acknowledge.error.message} />
      )}
      {inbox.isPending && (
        <Card>
          <CardSkeleton rows={6} />
        </Card>
      )}
      {inbox.isSuccess && alerts.length === 0 && (
        <Card>
          <EmptyState
            icon={IconInbox}
            title="Nothing to know"
            text="What goes wrong with a deployment is listed here, with what it is about, how long it lasts and how it ended."
            action={<LinkButton to="/settings#alerts">Set up alert channels</LinkButton>}
          />
        </Card>
      )}
      <div className={classes.cards}>
        {asking.length > 0 && (
          <Card
            title="Asks for you"
            hint={`${asking.length} not acknowledged`}
            actions={
              <Button variant="default" disabled={acknowledge.isPending} onClick={() => acknowledge.mutate('all')}>
                Acknowledge all
              </Button>
            }
          >
            <Rows alerts={asking} acknowledge={(id) => acknowledge.mutate(id)} isBusy={acknowledge.isPending} />
          </Card>
        )}
        {lasting.length > 0 && (
          <Card title="Acknowledged, not over">
            <Rows alerts={lasting} />
          </Card>
        )}
        {past.length > 0 && (
          <Card title="Earlier" hint="Of the last 30 days">
            <Rows alerts={past} />
          </Card>
        )}
      </div>
    </Page>
  )
}

interface RowsProps {
  alerts: readonly InboxAlert[]
  /** Where they can be. */
  acknowledge?: (id: number) => void
  isBusy?: boolean
}

function Rows({ alerts, acknowledge, isBusy }: RowsProps) {
  return (
    <ul className={classes.rows}>
      {alerts.map((alert) => (
        <li key={alert.id} className={classes.row} data-unread={asksForYou(alert)}>
          <Glyph alert={alert} />
          <div className={classes.words}>
            <h3 className={classes.title}>
              {alert.title}: {alert.about}
            </h3>
            <Sentences alert={alert} />
            <p className={classes.when}>{historyOf(alert)}</p>
          </div>
          {acknowledge && (
            <Button
              variant="default"
              size="xs"
              disabled={isBusy ?? false}
              aria-label={`Acknowledge ${alert.title}: ${alert.about}`}
              onClick={() => acknowledge(alert.id)}
            >
              Acknowledge
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

function Glyph({ alert: { state, level } }: { alert: InboxAlert }) {
  const isOver = state === 'over'
  const Icon = isOver ? IconCircleCheck : level === 'urgent' ? IconBellRinging : IconAlertTriangle
  return (
    <span className={classes.glyph} data-level={isOver ? 'over' : level}>
      <Icon size={17} stroke={1.7} aria-hidden />
    </span>
  )
}

/** Each sentence once, with the deployments that it is about. */
function Sentences({ alert: { deployments } }: { alert: InboxAlert }) {
  return [...Map.groupBy(deployments, ({ text }) => text)].map(([text, about]) => (
    <p key={text} className={classes.text}>
      {text}{' '}
      {about.map(({ deployment_id, name, ended_at }, i) => (
        <span key={deployment_id}>
          {i > 0 && ', '}
          {deployment_id === 0 ? name : <Link to={`/live-trading/${deployment_id}`}>{name}</Link>}
          {ended_at !== null && about.length > 1 && ' (over)'}
        </span>
      ))}
    </p>
  ))
}

function historyOf({
  opened_at,
  ended_at,
  state,
  recovery,
  told,
  told_next_at,
  acknowledged_at,
  acknowledged_by,
}: InboxAlert): string {
  const since = state === 'happened' ? formatMarketMoment(opened_at) : `Since ${formatMarketMoment(opened_at)}`
  return [
    state === 'over' && ended_at ? `${formatMarketMoment(opened_at)} to ${formatMarketMoment(ended_at)}` : since,
    ...(recovery ? [recovery] : []),
    ...(acknowledged_at ? [`Acknowledged by ${acknowledged_by}, ${formatMarketMoment(acknowledged_at)}`] : []),
    ...(told > 1 ? [`told ${told} times`] : []),
    ...(told_next_at ? [`again ${formatMarketMoment(told_next_at)}`] : []),
  ].join(' · ')
}
