import type { Deployment } from '@tradewright/contract/live-trading-fields'
import { useEffect } from 'react'
import { CallError } from '../../../lib/call-error.ts'
import { DataActions, dataActionsFor } from '../../../strategy-form/data/data-actions.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { ContentModal } from '../../../ui/layout/content-modal.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { SourceBadge } from '../../../ui/feedback/source-badge.tsx'
import { usePreview } from '../actions.ts'
import { isDaily } from '../deployment-words.ts'
import { sendingText } from '../market-text.ts'
import { sentenceOf } from '../messages.ts'
import { VolumeList } from '../deploy/orders/volume-lines.tsx'
import { DecisionView } from './decision/decision-view.tsx'
import classes from './deployment-screen.module.css'
import { PlannedOrders } from './decision/planned-orders.tsx'

const PAUSED = 'The deployment is paused: nothing is sent until it is resumed.'

/** The decision and the trades as of now. Asked when it is opened, and again on Retry. */
export function PreviewModal({ deployment, onClose }: { deployment: Deployment; onClose: () => void }) {
  const { mutate, data, error, isPending } = usePreview(deployment.id)
  useEffect(() => mutate(), [mutate])
  const offers = error instanceof CallError ? dataActionsFor(error.code) : undefined
  return (
    <ContentModal
      opened
      title={`Next decision of ${deployment.deployment_name}`}
      badge={data?.decision.synthetic && <SourceBadge synthetic tickers={data.decision.synthetic_tickers} />}
      onClose={onClose}
    >
      {error && (
        <Banner
          kind="error"
          text="The preview is not available right now."
          detail={sentenceOf(error)}
          action={offers && <DataActions offers={offers} isRunning={isPending} onRetry={() => mutate()} />}
        />
      )}
      {!data && !error && <CardSkeleton rows={6} label="Deciding..." />}
      {data && (
        <div className={classes.stack}>
          <p className={classes.note}>As if it ran now. No orders are sent, and nothing is saved.</p>
          <DecisionView decision={data.decision} isDaily={isDaily(deployment)} />
          <PlannedOrders orders={data.orders} />
          <p className={classes.note}>
            {deployment.status === 'paused' ? PAUSED : sendingText(data, data.orders.length)}
          </p>
          {data.volumes.length > 0 && <VolumeList volumes={data.volumes} marked={data.decision.synthetic_tickers} />}
        </div>
      )}
    </ContentModal>
  )
}
