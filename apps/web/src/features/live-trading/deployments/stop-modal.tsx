import type { Deployment } from '@tradewright/contract/live-trading-fields'
import { type ReactNode, useState } from 'react'
import { ConfirmModal } from '../../../ui/layout/confirm-modal.tsx'
import { useControl } from '../actions.ts'
import type { StoppedPositions, Tell } from '../messages.ts'
import { marketText } from '../market-text.ts'
import { useGlance } from '../queries.ts'
import classes from './stop-modal.module.css'

interface StopModalProps {
  /** Null: closed. */
  deployment: Deployment | null
  tell: Tell
  onClose: () => void
}

/** Asks before a deployment is stopped, and what becomes of what it holds. */
export function StopModal({ deployment, tell, onClose }: StopModalProps) {
  const [positions, choose] = useState<StoppedPositions>('keep')
  const control = useControl(tell)
  const close = () => {
    choose('keep')
    onClose()
  }
  return (
    <ConfirmModal
      opened={deployment !== null}
      title={`Stop deployment “${deployment?.deployment_name ?? ''}”?`}
      text="Are you sure you want to stop this deployment? It will send no more orders, and open orders are cancelled."
      confirmLabel={positions === 'sell' ? 'Stop and sell everything' : 'Stop deployment'}
      busy={control.isPending}
      onCancel={close}
      onConfirm={() => {
        if (deployment) control.mutate({ id: deployment.id, action: 'stop', positions }, { onSettled: close })
      }}
    >
      <fieldset className={classes.choices}>
        <legend className={classes.legend}>Positions</legend>
        <Choice value="keep" chosen={positions} onChoose={choose} label="Keep positions">
          The deployment keeps them, and their value moves with the market.
        </Choice>
        <Choice value="sell" chosen={positions} onChoose={choose} label="Cancel and sell everything">
          <SaleConsequences />
        </Choice>
      </fieldset>
    </ConfirmModal>
  )
}

/** What a sale of everything means, and when it happens. */
export function SaleConsequences() {
  const { data } = useGlance()
  return (
    <>
      Every position is sold at market prices, whatever they are, and the money stays with the deployment as cash. Sales
      cannot be undone and may be taxed.
      {data && !data.market.is_open && (
        <span className={classes.closed}>
          {marketText(data.market)}. Sales of stocks wait at the broker for the open; coins are sold at once.
        </span>
      )}
    </>
  )
}

interface ChoiceProps {
  value: StoppedPositions
  chosen: StoppedPositions
  label: string
  onChoose: (value: StoppedPositions) => void
  children: ReactNode
}

function Choice({ value, chosen, label, onChoose, children }: ChoiceProps) {
  return (
    <label className={classes.choice} data-chosen={value === chosen}>
      <input type="radio" name="positions" checked={value === chosen} onChange={() => onChoose(value)} />
      <span className={classes.label}>{label}</span>
      <span className={classes.consequences}>{children}</span>
    </label>
  )
}
