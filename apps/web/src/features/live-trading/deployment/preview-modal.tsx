import type { Deployment } from '@tradewright/contract/live-trading-fields'
import { useEffect } from 'react'
import { formatMoney, formatQuantity } from '../../../lib/format.ts'
import { CallError } from '../../../lib/call-error.ts'
import { DataActions, dataActionsFor } from '../../../strategy-form/data-actions.tsx'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { ContentModal } from '../../../ui/layout/content-modal.tsx'
import { CardSkeleton } from '../../../ui/feedback/skeletons.tsx'
import { SourceBadge } from '../../../ui/feedback/source-badge.tsx'
import { numeric, Table } from '../../../ui/table/table.tsx'
import { usePreview } from '../actions.ts'
import { isDaily } from '../deployment-words.ts'
import { sentenceOf } from '../messages.ts'
import { VolumeList } from '../deploy/volume-lines.tsx'
import { DecisionView } from './decision-view.tsx'
import classes from './deployment-screen.module.css'

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
          {data.volumes.length > 0 && <VolumeList volumes={data.volumes} />}
        </div>
      )}
    </ContentModal>
  )
}

type Orders = NonNullable<ReturnType<typeof usePreview>['data']>['orders']

export function PlannedOrders({ orders, title = 'Planned orders' }: { orders: Orders; title?: string }) {
  // Slices of one order differ by their place alone.
  const rows = orders.map((order, place) => Object.assign({ key: `${order.symbol} ${order.side} ${place}` }, order))
  if (orders.length === 0) return <p className={classes.note}>It would not trade.</p>
  return (
    <div>
      <h3 className={classes.heading}>{title}</h3>
      <Table label={title}>
        <thead>
          <tr>
            <th>Symbol</th>
            <th>Side</th>
            <th className={numeric}>Quantity</th>
            <th className={numeric}>About</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, symbol, side, quantity, estimated_value }) => (
            <tr key={key}>
              <td>{symbol}</td>
              <td>{side === 'buy' ? 'Buy' : 'Sell'}</td>
              <td className={numeric}>{quantity === null ? 'by amount' : formatQuantity(quantity)}</td>
              <td className={numeric}>{formatMoney(estimated_value)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}
