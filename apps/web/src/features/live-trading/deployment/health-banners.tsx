import { Button } from '@mantine/core'
import { useState } from 'react'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { isUnexplainedLoss, useAcceptBrokerFigures } from '../actions.ts'
import { sentenceOf, type Tell } from '../messages.ts'
import type { Overview } from '../queries.ts'
import { HeldOrders } from '../held-orders.tsx'
import { TickerChoices } from '../ticker-choices.tsx'

/** Why it does not trade, and what the user can do about it. */
export function HealthBanners({ overview, tell }: { overview: Overview; tell: Tell }) {
  const { deployment, health, emergency_stopped } = overview
  return (
    <>
      {emergency_stopped && (
        <Banner
          kind="warning"
          text="Stopped by the emergency stop."
          detail="No orders are sent until it is started again. Positions were kept."
        />
      )}
      {health.reasons.length > 0 && (
        <Banner
          kind={health.light === 'red' ? 'error' : 'warning'}
          text={headOf(overview)}
          detail={health.reasons.join(' ')}
          action={
            <>
              {health.books_agree === false && <AcceptBroker overview={overview} tell={tell} />}
              {deployment.ticker_changes.length > 0 && <TickerChoices deployment={deployment} tell={tell} />}
              {deployment.held_orders.length > 0 && <HeldOrders deployment={deployment} tell={tell} />}
            </>
          }
        />
      )}
    </>
  )
}

function headOf({ deployment, health }: Overview): string {
  if (health.light === 'red') return 'It will not trade until you act.'
  if (deployment.held_orders.length > 0) return 'It waits for your choice.'
  if (deployment.status === 'running') return 'Waiting.'
  return deployment.status === 'paused' ? 'Paused.' : 'Not running.'
}

function AcceptBroker({ overview: { deployment }, tell }: { overview: Overview; tell: Tell }) {
  const [isAsking, setAsking] = useState(false)
  const [loss, setLoss] = useState<string | null>(null)
  const acceptance = useAcceptBrokerFigures(deployment.id, tell)
  const close = () => {
    setAsking(false)
    setLoss(null)
  }
  const accept = (accept_losses: boolean) =>
    acceptance.mutate(
      { accept_losses },
      {
        onSuccess: close,
        onError: (error) => (isUnexplainedLoss(error) ? setLoss(sentenceOf(error)) : close()),
      },
    )
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Accept the broker’s figures
      </Button>
      <ConfirmModal
        opened={isAsking}
        title={
          loss === null
            ? `Accept the broker’s figures for ${deployment.account_name}?`
            : `Book a loss in ${deployment.account_name}?`
        }
        text={loss ?? ACCEPTING}
        confirmLabel={loss === null ? 'Accept figures' : 'Book the loss'}
        busy={acceptance.isPending}
        onCancel={close}
        onConfirm={() => accept(loss !== null)}
      />
    </>
  )
}

const ACCEPTING =
  'The broker’s cash and positions are taken as true. What changed is assigned to the deployments of this account that ' +
  'held it, at its value, as corrections in their ledgers. This cannot be undone.'
