import { Button } from '@mantine/core'
import { IconLinkOff } from '@tabler/icons-react'
import { useParams } from 'react-router'
import { CallError } from '../../../lib/call-error.ts'
import { formatDate } from '../../../lib/format-time.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ScreenSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { LinkButton } from '../../../ui/form/buttons.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { Page, PageHeader } from '../../../ui/layout/page.tsx'
import classes from './record.module.css'
import { useSharedRecord } from './queries.ts'
import { RecordEntries, RecordSummary } from './record-view.tsx'

/** One forward record, to read, for anyone who has its link. */
export function SharedRecordScreen() {
  const { token = '' } = useParams()
  const { data, error, isPending } = useSharedRecord(token)
  return (
    <Page documentTitle={data?.record.name ?? 'Forward record'}>
      <meta name="robots" content="noindex" />
      {isPending && <ScreenSkeleton />}
      {error && <NotShown error={error} />}
      {data && (
        <>
          <PageHeader
            title={data.record.name}
            aside={
              <Button
                component="a"
                variant="default"
                href={`/api/records/${encodeURIComponent(token)}/file`}
                download="record.json"
              >
                Download
              </Button>
            }
          />
          <div className={classes.page}>
            <p className={classes.text}>
              Forward record of {data.record.strategy} ({data.record.strategy_type}
              {data.record.is_paper ? ', paper money' : ''}), read only. This link works until{' '}
              {formatDate(data.expires_at)}.
            </p>
            <Card title="Record">
              <div className={classes.body}>
                <RecordSummary record={data.record} />
                <p className={classes.text}>
                  Verify the downloaded file yourself with <code>tradewright verify record.json</code>: it computes the
                  chain anew and needs no server.
                </p>
              </div>
            </Card>
            <Card title="Entries" hint="The newest 200; the file has all">
              <RecordEntries record={data.record} />
            </Card>
          </div>
        </>
      )}
    </Page>
  )
}

function NotShown({ error }: { error: Error }) {
  if (!(error instanceof CallError && error.status === 404)) {
    return <Banner kind="error" text="The record could not be loaded" detail={error.message} />
  }
  return (
    <EmptyState
      icon={IconLinkOff}
      titleAs="h1"
      title="This record is not available"
      text="The link may be mistyped or expired, or its owner may have revoked it."
      action={
        <LinkButton to="/" primary>
          Go to Home
        </LinkButton>
      }
    />
  )
}
