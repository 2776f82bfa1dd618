import { IconFlask2 } from '@tabler/icons-react'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'

export function BacktestScreen() {
  return (
    <Page documentTitle="Backtest Studio" width="work">
      <PageHeader title="Test your investment strategies with historical data" subtitle="Backtest Studio" />
      <Card>
        <EmptyState
          icon={IconFlask2}
          title="Backtests will run here"
          text="Set up an allocation or a machine-learning strategy, run it on past data, and read the result with its limits. This screen is still being built."
        />
      </Card>
    </Page>
  )
}
