import { IconStack2 } from '@tabler/icons-react'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'

export function StrategiesScreen() {
  return (
    <Page documentTitle="Strategies">
      <PageHeader title="Investment Strategies" />
      <Card>
        <EmptyState
          icon={IconStack2}
          title="Your strategies will be listed here"
          text="Saved strategies, ranked by their latest backtest, with filters and one click to deploy. This screen is still being built."
        />
      </Card>
    </Page>
  )
}
