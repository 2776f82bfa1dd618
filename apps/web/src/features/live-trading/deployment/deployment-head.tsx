import { Button } from '@mantine/core'
import { IconArrowLeft, IconCoins, IconNotebook } from '@tabler/icons-react'
import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { LinkButton } from '../../../ui/form/buttons.tsx'
import { SourceBadge } from '../../../ui/feedback/source-badge.tsx'
import { StatusPill } from '../../../ui/feedback/status-pill.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { AccountTag } from '../../../deployment-words/account-tag.tsx'
import { useControl } from '../actions.ts'
import { CapitalModal } from '../capital/capital-modal.tsx'
import { statusOf } from '../../../deployment-words/status.ts'
import { daysText, frequencyText, modeText } from '../deployment-words.ts'
import { StateButtons } from '../deployments/card-foot.tsx'
import { type Asked, StateChanges } from '../deployments/state-changes.tsx'
import { EmergencyStop } from '../emergency-stop.tsx'
import { needsConfirmation } from '../go-live/needs-confirmation.ts'
import { LedgerModal } from '../ledger/ledger-modal.tsx'
import type { Tell } from '../messages.ts'
import type { Overview } from '../queries.ts'
import classes from './deployment-screen.module.css'
import { SellEverything } from './sell-everything.tsx'

export function DeploymentHead({ overview: { deployment, positions }, tell }: { overview: Overview; tell: Tell }) {
  const [asked, setAsked] = useState<Asked>(null)
  const control = useControl(tell)
  const navigate = useNavigate()
  const { id, deployment_name, strategy_name, account_name } = deployment
  return (
    <header className={classes.head} data-live={!deployment.paper_trading || undefined}>
      <Link className={classes.back} to="/live-trading">
        <IconArrowLeft size={14} stroke={1.8} aria-hidden /> Live Trading
      </Link>
      <div className={classes.titleRow}>
        <h1 className={classes.title}>{deployment_name}</h1>
        <StatusPill {...statusOf(deployment)} />
        <div className={classes.changes}>
          <StateButtons
            deployment={deployment}
            onControl={(_, action) =>
              needsConfirmation(deployment, action)
                ? setAsked({ what: action, deployment })
                : control.mutate({ id, action })
            }
            onStop={() => setAsked({ what: 'stop', deployment })}
            onDelete={() => setAsked({ what: 'delete', deployment })}
            isBusy={() => control.isPending}
          />
          <SellEverything deployment={deployment} positions={positions} tell={tell} />
          <EmergencyStop deployment={{ id, name: deployment_name }} tell={tell} />
        </div>
      </div>
      <p className={classes.tags}>
        <Tag>{strategy_name}</Tag>
        <span>{account_name}</span>
        <AccountTag isPaper={deployment.paper_trading} />
        {deployment.dry_run && <Tag>Dry run</Tag>}
        {deployment.synthetic && <SourceBadge synthetic tickers={deployment.synthetic_tickers} />}
        <span>
          {frequencyText(deployment)} · {daysText(deployment.trading_days)} · {modeText(deployment)}
        </span>
      </p>
      <MoreActions deployment={deployment} />
      <StateChanges
        asked={asked}
        tell={tell}
        onClose={() => setAsked(null)}
        onDeleted={() => void navigate('/live-trading')}
      />
    </header>
  )
}

function MoreActions({ deployment }: Pick<Overview, 'deployment'>) {
  const [opened, setOpened] = useState<'capital' | 'ledger' | null>(null)
  const close = () => setOpened(null)
  return (
    <div className={classes.more}>
      <Button
        variant="default"
        leftSection={<IconCoins size={16} stroke={1.7} aria-hidden />}
        onClick={() => setOpened('capital')}
      >
        Capital
      </Button>
      <Button
        variant="default"
        leftSection={<IconNotebook size={16} stroke={1.7} aria-hidden />}
        onClick={() => setOpened('ledger')}
      >
        Ledger
      </Button>
      <LinkButton to={`/live-trading?logs_of=${deployment.id}`}>View Logs</LinkButton>
      {deployment.status !== 'running' && <LinkButton to={`/live-trading?edit=${deployment.id}`}>Edit</LinkButton>}
      {opened === 'capital' && <CapitalModal deployment={deployment} onClose={close} />}
      {opened === 'ledger' && <LedgerModal deployment={deployment} onClose={close} />}
    </div>
  )
}
