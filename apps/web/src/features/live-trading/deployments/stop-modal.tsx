import type { Deployment } from '@tradewright/contract/live-trading-fields'
import { type ReactNode, useState } from 'react'
import { formatQuantity } from '../../../lib/format.ts'
import { CheckField } from '../../../ui/form/fields.tsx'
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
  const [isUnderstood, understand] = useState(false)
  const shorts = deployment?.short_positions ?? []
  const leavesShorts = positions === 'keep' && shorts.length > 0
  const control = useControl(tell)
  const close = () => {
    choose('keep')
    understand(false)
    onClose()
  }
  return (
    <ConfirmModal
      opened={deployment !== null}
      title={`Stop deployment “${deployment?.deployment_name ?? ''}”?`}
      text="Are you sure you want to stop this deployment? It will send no more orders, and open orders are cancelled."
      confirmLabel={positions === 'sell' ? 'Stop and sell everything' : 'Stop deployment'}
      busy={control.isPending}
      isConfirmable={!leavesShorts || isUnderstood}
      onCancel={close}
      onConfirm={() => {
        if (deployment) control.mutate({ id: deployment.id, action: 'stop', positions }, { onSettled: close })
      }}
    >
      <fieldset className={classes.choices}>
        <legend className={classes.legend}>Positions</legend>
        <Choice value="keep" chosen={positions} onChoose={choose} label="Keep positions">
          The deployment keeps them, and their value moves with the market.
          {shorts.length > 0 && <KeptShorts shorts={shorts} />}
        </Choice>
        <Choice value="sell" chosen={positions} onChoose={choose} label="Cancel and sell everything">
          <SaleConsequences shorts={shorts} />
        </Choice>
      </fieldset>
      {leavesShorts && (
        <div className={classes.understood}>
          <CheckField label="Leave the short positions open" checked={isUnderstood} onChange={understand} />
        </div>
      )}
    </ConfirmModal>
  )
}

type Shorts = Deployment['short_positions']

const owedText = (shorts: Shorts): string =>
  shorts.map(({ symbol, quantity }) => `${formatQuantity(quantity)} ${symbol}`).join(', ')

/** What a short position is without the deployment, which has to be confirmed. */
const KeptShorts = ({ shorts }: { shorts: Shorts }) => (
  <span className={classes.shorts}>
    Short positions stay open: {owedText(shorts)} owed. Borrow fees continue, the broker may issue a margin call, and no
    loss limit watches them.
  </span>
)

/** What a sale of everything means, and when it happens. */
export function SaleConsequences({ shorts }: { shorts: Shorts }) {
  const { data } = useGlance()
  return (
    <>
      Every position is sold at market prices, whatever they are, and the money stays with the deployment as cash. Sales
      cannot be undone and may be taxed.
      {shorts.length > 0 && (
        <span className={classes.shorts}>Borrowed shares are bought back: {owedText(shorts)}.</span>
      )}
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
