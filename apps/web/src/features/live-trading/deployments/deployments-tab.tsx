import { Button } from '@mantine/core'
import { IconRocket } from '@tabler/icons-react'
import type { Deployment } from '@tradewright/contract/live-trading-fields'
import { Card } from '../../../ui/layout/card.tsx'
import { HelpLink } from '../../../help/help-link.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { LoadFailure } from '../load-failure.tsx'
import { useDeployments, useGlance, useTradingAccounts } from '../queries.ts'
import { StaleBanner } from '../stale-banner.tsx'
import type { CardActions } from './card-foot.tsx'
import { DeploymentCard } from './deployment-card.tsx'
import classes from './deployments-tab.module.css'
import { TotalsStrip } from './totals-strip.tsx'

interface DeploymentsTabProps extends CardActions {
  onDeploy: () => void
}

export function DeploymentsTab({ onDeploy, ...actions }: DeploymentsTabProps) {
  const deployments = useDeployments()
  if (deployments.data) {
    return (
      <>
        <StaleBanner query={deployments} />
        <DeploymentList deployments={deployments.data} onDeploy={onDeploy} actions={actions} />
      </>
    )
  }
  if (deployments.isError) return <LoadFailure onRetry={() => void deployments.refetch()} />
  return (
    <div className={classes.cards}>
      {[1, 2].map((key) => (
        <Card key={key}>
          <CardSkeleton rows={6} />
        </Card>
      ))}
    </div>
  )
}

interface DeploymentListProps {
  deployments: readonly Deployment[]
  onDeploy: () => void
  actions: CardActions
}

function DeploymentList({ deployments, onDeploy, actions }: DeploymentListProps) {
  const accounts = useTradingAccounts()
  const { data: glance } = useGlance()
  if (deployments.length === 0) return <NoDeployments onDeploy={onDeploy} />
  return (
    <>
      <TotalsStrip deployments={deployments} accounts={accounts.data ?? []} />
      <div className={classes.cards}>
        {deployments.map((deployment) => (
          <DeploymentCard
            key={deployment.id}
            deployment={deployment}
            glance={glance?.deployments.find((one) => one.deployment_id === deployment.id)}
            recent={glance?.recent.find((one) => one.deployment_id === deployment.id)?.growth}
            {...actions}
          />
        ))}
      </div>
    </>
  )
}

function NoDeployments({ onDeploy }: { onDeploy: () => void }) {
  return (
    <Card>
      <EmptyState
        icon={IconRocket}
        title="No Active Deployments"
        text="Deploy a saved strategy to a paper or live account and follow its capital, orders and log here."
        action={
          <>
            <Button onClick={onDeploy}>Deploy Your First Strategy</Button>
            <HelpLink page="backtest-to-paper">From backtest to paper in five minutes</HelpLink>
          </>
        }
      />
    </Card>
  )
}
