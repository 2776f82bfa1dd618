import { useParams } from 'react-router'
import { LinkButton } from '../../../ui/form/link-button.tsx'
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
  const { data } = useRecord(recorded)
  const record = data?.record
  const title = record ? `Forward record of ${record.name}` : 'Forward record'
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
