import { getSharedResult } from '@tradewright/contract/shared-results'
import { Button } from '@mantine/core'
import { IconFileCertificate, IconLinkOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { CallError } from '../../../lib/call-error.ts'
import { call } from '../../../lib/http.ts'
import { formatDate } from '../../../lib/format-time.ts'
import { PUBLIC } from '../../../lib/public-queries.ts'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { ScreenSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { LinkButton } from '../../../ui/form/buttons.tsx'
import { Page } from '../../../ui/layout/page.tsx'
import { DataSourcesCard } from '../results/honesty/data-sources-modal.tsx'
import { ReportPage } from './report-page.tsx'
import { SettingsCard } from './settings-card.tsx'

/** One result, to read, for anyone who has its link. */
export function SharedResultScreen() {
  const { token = '' } = useParams()
  const shared = useQuery({
    queryKey: ['shared result', token],
    meta: PUBLIC,
    queryFn: ({ signal }) => call(getSharedResult, { params: { token }, signal }),
    retry: false,
    staleTime: Infinity,
    structuralSharing: false,
  })
  return (
    <Page documentTitle={shared.data?.result.strategy_name ?? 'Shared result'} width="work">
      <meta name="robots" content="noindex" />
      {shared.isPending && <ScreenSkeleton />}
      {shared.isError && <NotShown error={shared.error} />}
      {shared.data && (
        <ReportPage
          result={shared.data.result}
          note={`Shared result, read only. This link works until ${formatDate(shared.data.expires_at)}.`}
          actions={
            shared.data.has_passport && (
              <Button
                component="a"
                href={`/api/shared/${encodeURIComponent(token)}/passport`}
                download="passport.json"
                title="A file with which another Tradewright verifies this result to the last bit"
                variant="default"
                leftSection={<IconFileCertificate size={16} aria-hidden />}
              >
                Passport
              </Button>
            )
          }
        >
          <SettingsCard result={shared.data.result} />
          <DataSourcesCard result={shared.data.result} />
        </ReportPage>
      )}
    </Page>
  )
}

function NotShown({ error }: { error: Error }) {
  const isMissing = error instanceof CallError && error.status === 404
  if (!isMissing) return <Banner kind="error" text="The result could not be loaded" detail={error.message} />
  return (
    <EmptyState
      icon={IconLinkOff}
      titleAs="h1"
      title="This result is not available"
      text="The link may be mistyped or expired, or its owner may have revoked it."
      action={
        <LinkButton to="/" primary>
          Go to Home
        </LinkButton>
      }
    />
  )
}
