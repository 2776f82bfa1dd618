import { Button } from '@mantine/core'
import { useState } from 'react'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { useControl } from '../actions.ts'
import { SaleConsequences } from '../deployments/stop-modal.tsx'
import stopClasses from '../deployments/stop-modal.module.css'
import dangerClasses from '../emergency-stop.module.css'
import type { Tell } from '../messages.ts'
import type { Overview } from '../queries.ts'

type SellEverythingProps = Pick<Overview, 'deployment' | 'positions'> & { tell: Tell }

/** For what a deployment kept when it was stopped. */
export function SellEverything({ deployment, positions, tell }: SellEverythingProps) {
  const [isAsking, setAsking] = useState(false)
  const control = useControl(tell)
  const close = () => setAsking(false)
  if (deployment.status !== 'stopped' || deployment.liquidating || positions.length === 0) return null
  const sell = { id: deployment.id, action: 'stop', positions: 'sell' } as const
  return (
    <>
      <Button variant="default" className={dangerClasses.button ?? ''} onClick={() => setAsking(true)}>
        Sell everything
      </Button>
      <ConfirmModal
        opened={isAsking}
        title={`Sell everything that “${deployment.deployment_name}” holds?`}
        text={`It is stopped and holds ${positions.map(({ symbol }) => symbol).join(', ')}.`}
        confirmLabel="Sell everything"
        busy={control.isPending}
        onCancel={close}
        onConfirm={() => control.mutate(sell, { onSettled: close })}
      >
        <p className={stopClasses.consequences}>
          <SaleConsequences shorts={deployment.short_positions} />
        </p>
      </ConfirmModal>
    </>
  )
}
