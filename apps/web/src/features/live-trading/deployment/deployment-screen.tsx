import { kindNamed } from '@tradewright/core/strategy-kinds'
import { IconZoomQuestion } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { replayDeploymentMonth } from '@tradewright/contract/live-trading-watch'
import { CallError } from '../../../lib/call-error.ts'
import { call } from '../../../lib/http.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { LinkButton } from '../../../ui/form/buttons.tsx'
import { Page, PageHeader } from '../../../ui/layout/page.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { EmergencyStop } from '../emergency-stop.tsx'
import { LoadFailure } from '../load-failure.tsx'
import { ActivityPanel } from '../logs/activity-panel.tsx'
import { MessageList } from '../message-list.tsx'
import { type Overview, useActivity, useOverview } from '../queries.ts'
import { MonthReplayCard } from '../replay/month-replay-card.tsx'
import { RecordCard } from '../record/record-card.tsx'
import { type Messages, useMessages } from '../use-messages.ts'
import { StaleBanner } from '../stale-banner.tsx'
import { DecisionCard } from './decision/decision-card.tsx'
import { DeploymentHead } from './deployment-head.tsx'
import classes from './deployment-screen.module.css'
import { DriftCard } from './drift-card.tsx'
import { EquityCard } from './equity-card.tsx'
import { HealthBanners } from './health-banners.tsx'
import { KeyFigures } from './key-figures.tsx'
import { ModelCard } from './decision/model-card.tsx'
import { OrdersCard } from './orders-card.tsx'
import { PositionsCard } from './positions-card.tsx'
import { SafetyCard } from './safety-card.tsx'

export function DeploymentScreen() {
  const { id = '' } = useParams()
  const overview = useOverview(id)
  const messages = useMessages()
  if (overview.data) {
    return (
      <DeploymentPage overview={overview.data} messages={messages}>
        <StaleBanner query={overview} />
      </DeploymentPage>
    )
  }
  const isUnknown = overview.error instanceof CallError && [400, 404].includes(overview.error.status)
  return (
    <Page documentTitle="Deployment">
      <PageHeader
        title="Deployment"
        // The stop works where nothing else can be loaded.
        aside={
          overview.isError &&
          !isUnknown && <EmergencyStop deployment={{ id: Number(id), name: `deployment ${id}` }} tell={messages.tell} />
        }
      />
      <MessageList messages={messages} />
      {isUnknown ? (
        <UnknownDeployment />
      ) : overview.isError ? (
        <LoadFailure onRetry={() => void overview.refetch()} />
      ) : (
        <Card>
          <CardSkeleton rows={10} />
        </Card>
      )}
    </Page>
  )
}

interface DeploymentPageProps {
  overview: Overview
  messages: Messages
  /** Stands above all figures. */
  children: ReactNode
}

function DeploymentPage({ overview, messages, children }: DeploymentPageProps) {
  const { deployment } = overview
  const activity = useActivity(String(deployment.id))
  return (
    <Page documentTitle={deployment.deployment_name}>
      <DeploymentHead overview={overview} tell={messages.tell} />
      <MessageList messages={messages} />
      <div className={classes.cards}>
        {children}
        <HealthBanners overview={overview} tell={messages.tell} />
        <KeyFigures overview={overview} />
        {overview.last_decision === null && <LastMonth deployment={deployment} />}
        <EquityCard overview={overview} />
        <DriftCard replay={overview.replay} />
        <div className={classes.columns}>
          <div className={classes.cards}>
            <DecisionCard overview={overview} tell={messages.tell} />
            <OrdersCard orders={overview.orders} />
            <PositionsCard positions={overview.positions} cash={overview.cash} />
          </div>
          <div className={classes.cards}>
            <SafetyCard key={deployment.id} deployment={deployment} tell={messages.tell} />
            <Card title="Activity" hint="Signals & Trades">
              <ActivityPanel activity={activity} isChosen />
            </Card>
            <ModelCard overview={overview} />
            <RecordCard recorded={{ of: 'deployment', id: deployment.id }} />
          </div>
        </div>
      </div>
    </Page>
  )
}

/** Until its first decision there is nothing of its own to show. A model is trained for it, so that waits for the button. */
function LastMonth({ deployment: { id, strategy_type } }: Pick<Overview, 'deployment'>) {
  return (
    <MonthReplayCard
      question={String(id)}
      ask={(signal) => call(replayDeploymentMonth, { params: { id }, signal })}
      isAskedAtOnce={!kindNamed(strategy_type).learns}
    />
  )
}

function UnknownDeployment() {
  return (
    <Card>
      <EmptyState
        icon={IconZoomQuestion}
        title="This deployment does not exist"
        text="It may have been deleted."
        action={<LinkButton to="/live-trading">Back to Live Trading</LinkButton>}
      />
    </Card>
  )
}
