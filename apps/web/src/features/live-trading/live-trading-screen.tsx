import { IconRocket } from '@tabler/icons-react'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'

export function LiveTradingScreen() {
  return (
    <Page documentTitle="Live Trading">
      <PageHeader title="Live Trading" subtitle="Manage your live trading deployments and deploy new strategies" />
      <Card>
        <EmptyState
          icon={IconRocket}
          title="Deployments will be managed here"
          text="Deploy a strategy to a paper or live account and follow its capital, orders and log. This screen is still being built."
        />
      </Card>
    </Page>
  )
}
