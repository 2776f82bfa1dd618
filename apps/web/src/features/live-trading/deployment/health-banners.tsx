import { Button } from '@mantine/core'
import { useState } from 'react'
import { Banner } from '../../../ui/feedback/banner.tsx'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { useAcceptBrokerFigures } from '../actions.ts'
import type { Tell } from '../messages.ts'
import type { Overview } from '../queries.ts'

/** Why it does not trade, and what the user can do about it. */
export function HealthBanners({ overview, tell }: { overview: Overview; tell: Tell }) {
  const { health, emergency_stopped } = overview
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
          text={health.light === 'red' ? 'It will not trade until you act.' : 'It waits.'}
          detail={health.reasons.join(' ')}
          action={health.books_agree === false && <AcceptBroker overview={overview} tell={tell} />}
        />
      )}
    </>
  )
}

function AcceptBroker({ overview: { deployment }, tell }: { overview: Overview; tell: Tell }) {
  const [isAsking, setAsking] = useState(false)
  const acceptance = useAcceptBrokerFigures(deployment.id, tell)
  const close = () => setAsking(false)
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Accept the broker’s figures
      </Button>
      <ConfirmModal
        opened={isAsking}
        title={`Accept the broker’s figures for ${deployment.account_name}?`}
        text={
          'The broker’s cash and positions are taken as true. What is missing is charged to the deployments of this ' +
          'account in proportion to what they hold, as corrections in their ledgers. This cannot be undone.'
        }
        confirmLabel="Accept figures"
        busy={acceptance.isPending}
        onCancel={close}
        onConfirm={() => acceptance.mutate(undefined, { onSettled: close })}
      />
    </>
  )
}
