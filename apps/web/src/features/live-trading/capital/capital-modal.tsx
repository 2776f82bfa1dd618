import type { Deployment } from '@tradewright/contract/live-trading-fields'
import { useState } from 'react'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { ExpandableModal } from '../../../ui/layout/wide-modal.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { SourceBadge } from '../../../ui/feedback/source-badge.tsx'
import { Tabs } from '../../../ui/layout/tabs.tsx'
import { LedgerView } from '../ledger/ledger-view.tsx'
import { NO_FILTER, ledgerQuery } from '../ledger/ledger-filter.ts'
import { MessageList } from '../message-list.tsx'
import { detailsFailed } from '../messages.ts'
import { useDetails } from '../queries.ts'
import { useMessages } from '../use-messages.ts'
import { CapitalOverview } from './capital-overview.tsx'
import classes from './capital.module.css'

export function CapitalModal({ deployment, onClose }: { deployment: Deployment; onClose: () => void }) {
  const [tab, setTab] = useState<'overview' | 'ledger'>('overview')
  const [isAsking, setAsking] = useState(false)
  const messages = useMessages()
  return (
    <ExpandableModal title={`Capital of ${deployment.deployment_name}`} onClose={onClose} isAsking={isAsking}>
      {deployment.synthetic && <SourceBadge synthetic tickers={deployment.synthetic_tickers} />}
      <Tabs
        label="Capital"
        variant="page"
        current={tab}
        onChange={setTab}
        tabs={[
          {
            name: 'overview',
            label: 'Overview',
            content: (
              <div className={classes.panel}>
                <MessageList messages={messages} />
                <Overview id={deployment.id} tell={messages.tell} onAsking={setAsking} isAsking={isAsking} />
              </div>
            ),
          },
          {
            name: 'ledger',
            label: 'Ledger',
            content: (
              <div className={classes.panel}>
                {tab === 'ledger' && (
                  <LedgerView deploymentId={deployment.id} currency={deployment.capital_currency} withSearch />
                )}
              </div>
            ),
          },
        ]}
      />
    </ExpandableModal>
  )
}

type OverviewProps = Pick<Parameters<typeof CapitalOverview>[0], 'tell' | 'onAsking' | 'isAsking'> & { id: number }

function Overview({ id, ...rest }: OverviewProps) {
  const details = useDetails(id, ledgerQuery(NO_FILTER, [], 1))
  if (details.data) return <CapitalOverview details={details.data} {...rest} />
  if (details.isError) return <Banner kind="error" text={detailsFailed(details.error)} />
  return <CardSkeleton rows={8} />
}
