import { IconDna2 } from '@tabler/icons-react'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'

export function OptimizerScreen() {
  return (
    <Page documentTitle="Optimizer" width="work">
      <PageHeader title="Optimizer" subtitle="Search for good feature sets and explore leading indicators" />
      <Card>
        <EmptyState
          icon={IconDna2}
          title="Optimization runs will appear here"
          text="A genetic search over features and targets, scored on data it has not seen. This screen is still being built."
        />
      </Card>
    </Page>
  )
}
