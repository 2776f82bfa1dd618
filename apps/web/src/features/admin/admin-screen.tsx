import { Button } from '@mantine/core'
import { CallError } from '../../lib/call-error.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { ScreenSkeleton } from '../../ui/feedback/skeletons.tsx'
import { useNow } from '../../ui/feedback/use-now.ts'
import { NotFound, Page, PageHeader } from '../../ui/layout/page.tsx'
import classes from './admin.module.css'
import { InvitationsCard } from './invitations-card.tsx'
import { ErrorsCard, JobsCard, ProcessesCard, ServicesCard, SummaryCard } from './overview-cards.tsx'
import { SecurityLogCard } from './security-log-card.tsx'
import { useOverview } from './queries.ts'
import { UsersCard } from './users-card.tsx'

/** For the operator of the instance; to every other user there is no such page. */
export function AdminScreen() {
  const { data: overview, error, refetch } = useOverview()
  const now = useNow()
  if (error instanceof CallError && error.status === 404) return <NotFound />
  if (!overview && !error) return <ScreenSkeleton />
  return (
    <Page documentTitle="Administration">
      <PageHeader
        title="Administration"
        subtitle="How this instance is doing, who uses it and who may join. You see no keys, positions or strategies of others."
      />
      <div className={classes.cards}>
        {error && (
          <Banner
            kind="error"
            text="The state of the instance could not be loaded"
            detail={error.message}
            action={
              <Button variant="default" onClick={() => void refetch()}>
                Try again
              </Button>
            }
          />
        )}
        {overview && (
          <>
            <SummaryCard overview={overview} now={now} />
            <ProcessesCard overview={overview} now={now} />
            <JobsCard overview={overview} now={now} />
            <ServicesCard overview={overview} now={now} />
            <UsersCard />
            <InvitationsCard />
            <SecurityLogCard now={now} />
            <ErrorsCard overview={overview} now={now} />
          </>
        )}
      </div>
    </Page>
  )
}
