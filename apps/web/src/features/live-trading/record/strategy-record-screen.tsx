import { useParams } from 'react-router'
import { IconListCheck } from '@tabler/icons-react'
import { CallError } from '../../../lib/call-error.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ScreenSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { LinkButton } from '../../../ui/form/buttons.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { Page, PageHeader } from '../../../ui/layout/page.tsx'
import classes from './record.module.css'
import { useRecord } from './queries.ts'
import { RecordCard } from './record-card.tsx'
import { RecordEntries } from './record-view.tsx'

/** The forward record of a saved strategy, which needs no deployment. */
export function StrategyRecordScreen() {
  const { id = '' } = useParams()
  const recorded = { of: 'strategy', id: Number(id) } as const
  const { data, error, isPending } = useRecord(recorded)
  const record = data?.record
  const title = record ? `Forward record of ${record.name}` : 'Forward record'
  if (isPending) return <ScreenSkeleton />
  if (error instanceof CallError && error.status === 404) return <NoSuchStrategy />
  return (
    <Page documentTitle={title}>
      <PageHeader title={title} aside={<LinkButton to="/strategies">All strategies</LinkButton>} />
      <div className={classes.page}>
        <RecordCard recorded={recorded} />
        {record && (
          <Card title="Entries" hint="The newest 200; the file has all">
            <RecordEntries record={record} />
          </Card>
        )}
      </div>
    </Page>
  )
}

function NoSuchStrategy() {
  return (
    <Page documentTitle="Forward record">
      <EmptyState
        icon={IconListCheck}
        titleAs="h1"
        title="There is no such strategy"
        text="It may have been deleted. A link to its record that was shared works until it expires."
        action={
          <LinkButton to="/strategies" primary>
            All strategies
          </LinkButton>
        }
      />
    </Page>
  )
}
