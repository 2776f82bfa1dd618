import { IconChartAreaLine } from '@tabler/icons-react'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'

export function PortfolioPerformanceScreen() {
  return (
    <Page documentTitle="Portfolio Performance">
      <PageHeader title="Portfolio Performance" subtitle="Equity, holdings and true return of your brokerage account" />
      <Card>
        <EmptyState
          icon={IconChartAreaLine}
          title="Your portfolio will be shown here"
          text="Connect a brokerage account to follow its equity, holdings and time-weighted return. This screen is still being built."
        />
      </Card>
    </Page>
  )
}
