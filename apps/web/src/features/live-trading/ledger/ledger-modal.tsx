import type { Deployment } from '@tradewright/contract/live-trading-fields'
import { SourceBadge } from '../../../ui/feedback/source-badge.tsx'
import { WideModal } from '../../../ui/layout/wide-modal.tsx'
import classes from './ledger.module.css'
import { LedgerView } from './ledger-view.tsx'

export function LedgerModal({ deployment, onClose }: { deployment: Deployment; onClose: () => void }) {
  return (
    <WideModal title={`Ledger of ${deployment.deployment_name}`} onClose={onClose}>
      {deployment.synthetic && (
        <p className={classes.source}>
          <SourceBadge synthetic tickers={deployment.synthetic_tickers} />
        </p>
      )}
      <LedgerView deploymentId={deployment.id} currency={deployment.capital_currency} />
    </WideModal>
  )
}
