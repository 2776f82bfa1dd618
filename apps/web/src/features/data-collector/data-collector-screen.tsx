import { IconDatabase } from '@tabler/icons-react'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'

export function DataCollectorScreen() {
  return (
    <Page documentTitle="Data Collector" width="work">
      <PageHeader title="Data Collector" subtitle="Collect and inspect the market data your strategies use" />
      <Card>
        <EmptyState
          icon={IconDatabase}
          title="Collection jobs will be listed here"
          text="Schedule downloads, watch their progress, and look into the stored series. This screen is still being built."
        />
      </Card>
    </Page>
  )
}
