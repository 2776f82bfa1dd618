import { IconSparkles } from '@tabler/icons-react'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'

export function AiAssistantScreen() {
  return (
    <Page documentTitle="AI Assistant" width="work">
      <PageHeader title="AI Assistant" subtitle="Ask about a strategy, your portfolio or the market" />
      <Card>
        <EmptyState
          icon={IconSparkles}
          title="Conversations will take place here"
          text="Questions and quick actions about your own strategies and backtests. This screen is still being built."
        />
      </Card>
    </Page>
  )
}
