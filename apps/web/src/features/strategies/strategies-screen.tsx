import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { LinkButton } from '../../ui/form/buttons.tsx'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import { CardSkeleton } from '../../ui/feedback/skeletons.tsx'
import { useStrategies, useStrategyPerformance } from './queries.ts'
import { StrategiesCard } from './strategies-card.tsx'
import classes from './strategies-screen.module.css'
import { TopPerformersCard } from './top-performers-card.tsx'

export function StrategiesScreen() {
  const strategies = useStrategies()
  const performances = useStrategyPerformance().data ?? []
  return (
    <Page documentTitle="Strategies">
      <PageHeader
        title="Investment Strategies"
        aside={
          <LinkButton to="/backtest" primary>
            <IconPlus className={classes.plus} size={16} aria-hidden />
            Create Strategy
          </LinkButton>
        }
      />
      <div className={classes.cards}>
        {strategies.isError && (
          <Banner
            kind="error"
            text="Failed to load strategies"
            detail={strategies.error.message}
            action={
              <Button variant="default" onClick={() => void strategies.refetch()}>
                Try again
              </Button>
            }
          />
        )}
        <TopPerformersCard performances={performances} />
        {strategies.isPending ? (
          <Card>
            <CardSkeleton rows={10} />
          </Card>
        ) : (
          <StrategiesCard strategies={strategies.isError ? [] : strategies.data} performances={performances} />
        )}
      </div>
    </Page>
  )
}
