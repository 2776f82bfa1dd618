import type { Deployment } from '@tradewright/contract/live-trading-fields'
import { useState } from 'react'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import { type Tab, Tabs } from '../../ui/layout/tabs.tsx'
import { useControl } from './actions.ts'
import { CapitalModal } from './capital/capital-modal.tsx'
import { DeployTab } from './deploy/deploy-tab.tsx'
import { EditTab } from './deploy/edit-tab.tsx'
import { DeploymentsTab } from './deployments/deployments-tab.tsx'
import { type Asked, StateChanges } from './deployments/state-changes.tsx'
import { EmergencyStop } from './emergency-stop.tsx'
import { needsConfirmation } from './go-live/needs-confirmation.ts'
import { LedgerModal } from './ledger/ledger-modal.tsx'
import classes from './live-trading-screen.module.css'
import { LogsTab } from './logs/logs-tab.tsx'
import { MarketLine } from './market-line.tsx'
import { MessageList } from './message-list.tsx'
import { useDeployments } from './queries.ts'
import { type LiveTab, useLiveTrading } from './use-live-trading.ts'
import { useMessages } from './use-messages.ts'

export function LiveTradingScreen() {
  const messages = useMessages()
  const { tell } = messages
  const live = useLiveTrading(tell)
  const deployments = useDeployments()
  const control = useControl(tell)
  const [asked, setAsked] = useState<Asked>(null)
  const [capitalOf, setCapitalOf] = useState<Deployment | null>(null)
  const [ledgerOf, setLedgerOf] = useState<Deployment | null>(null)
  const list = deployments.data ?? []

  const tabs: Tab<LiveTab>[] = [
    {
      name: 'deployments',
      label: 'Active Deployments',
      count: deployments.data?.length,
      content: live.tab === 'deployments' && (
        <DeploymentsTab
          onDeploy={() => live.setTab('deploy')}
          onCapital={setCapitalOf}
          onLedger={setLedgerOf}
          onLogs={live.showLogs}
          onEdit={live.edit}
          onControl={(deployment, action) =>
            needsConfirmation(deployment, action)
              ? setAsked({ what: action, deployment })
              : control.mutate({ id: deployment.id, action })
          }
          onStop={(deployment) => setAsked({ what: 'stop', deployment })}
          onDelete={(deployment) => setAsked({ what: 'delete', deployment })}
          tell={tell}
          isBusy={({ id }) => control.isPending && control.variables.id === id}
        />
      ),
    },
    {
      name: 'deploy',
      label: 'Deploy New Strategy',
      content: (
        <DeployTab
          isShown={live.tab === 'deploy'}
          askedStrategyId={live.askedStrategyId}
          tell={tell}
          onCreated={(waiting) => {
            if (waiting) setAsked({ what: 'start', deployment: waiting })
            live.setTab('deployments')
            window.scrollTo({ top: 0 })
          }}
        />
      ),
    },
    ...(live.editing ? [editTab(live.editing)] : []),
    {
      name: 'logs',
      label: 'Logs',
      content: live.tab === 'logs' && (
        <LogsTab
          deployments={list}
          deploymentId={live.logsOf}
          onDeployment={live.setLogsOf}
          lines={live.rawLines}
          onLines={live.setRawLines}
        />
      ),
    },
  ]

  function editTab(deployment: Deployment): Tab<LiveTab> {
    const close = () => {
      live.closeEdit()
      window.scrollTo({ top: 0 })
    }
    return {
      name: 'edit',
      label: 'Edit Deployment',
      content: (
        <EditTab
          key={deployment.id}
          isShown={live.tab === 'edit'}
          deployment={deployment}
          tell={tell}
          onClose={close}
        />
      ),
    }
  }

  return (
    <Page documentTitle="Live Trading">
      <PageHeader
        title="Live Trading"
        subtitle="Manage your live trading deployments and deploy new strategies"
        aside={
          <div className={classes.context}>
            <MarketLine />
            {(list.length > 0 || deployments.isError) && <EmergencyStop deployment={null} tell={tell} />}
          </div>
        }
      />
      <MessageList messages={messages} />
      <div className={classes.tabs}>
        <Tabs label="Live Trading" variant="page" tabs={tabs} current={live.tab} onChange={live.setTab} />
      </div>
      <StateChanges asked={asked} tell={tell} onClose={() => setAsked(null)} />
      {capitalOf && <CapitalModal deployment={capitalOf} onClose={() => setCapitalOf(null)} />}
      {ledgerOf && <LedgerModal deployment={ledgerOf} onClose={() => setLedgerOf(null)} />}
    </Page>
  )
}
