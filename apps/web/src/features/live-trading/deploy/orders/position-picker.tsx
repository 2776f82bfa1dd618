import '@mantine/core/styles/Checkbox.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import { Checkbox } from '@mantine/core'
import type { AccountPosition } from '@tradewright/contract/live-trading-fields'
import { formatMoney, formatQuantity, formatSignedMoney } from '../../../../lib/format.ts'
import { BoundedNumberField } from '../../../../ui/form/fields/bounded-number-field.tsx'
import { Delta } from '../../../../ui/table/figure.tsx'
import { Tag } from '../../../../ui/feedback/tag.tsx'
import classes from './position-picker.module.css'
import type { SectionProps } from '../section-props.ts'

interface PositionPickerProps extends SectionProps {
  positions: readonly AccountPosition[]
  isLoading: boolean
}

const NO_POSITIONS =
  'No positions found in this account. Please select an account with existing positions or use cash contribution mode.'

/** Positions of the account. What other deployments own already cannot be given again. */
export function PositionPicker({ chosen: { form }, edit, positions, isLoading }: PositionPickerProps) {
  const { positions: picked } = form
  const pick = (symbol: string, quantity: string | null) => {
    const rest = Object.fromEntries(Object.entries(picked).filter(([one]) => one !== symbol))
    edit({ positions: quantity === null ? rest : { ...rest, [symbol]: quantity } })
  }
  if (positions.length === 0) {
    return <p className={classes.empty}>{isLoading ? 'Loading positions...' : NO_POSITIONS}</p>
  }
  return (
    <ul className={classes.positions} aria-label="Positions">
      {positions.map((position) => (
        <PositionRow
          key={position.symbol}
          position={position}
          quantity={picked[position.symbol] ?? null}
          onPick={(quantity) => pick(position.symbol, quantity)}
        />
      ))}
    </ul>
  )
}

interface PositionRowProps {
  position: AccountPosition
  /** Null: not picked. */
  quantity: string | null
  onPick: (quantity: string | null) => void
}

function PositionRow({ position, quantity, onPick }: PositionRowProps) {
  const { symbol, available_quantity, is_fully_allocated, market_value, unrealized_pl } = position
  return (
    <li className={classes.position} data-free={!is_fully_allocated}>
      <Checkbox
        size="xs"
        label={symbol}
        checked={quantity !== null}
        disabled={is_fully_allocated}
        onChange={(event) => onPick(event.currentTarget.checked ? String(available_quantity) : null)}
      />
      <span className={`${classes.words} tabular`}>
        {formatQuantity(position.quantity)} shares · {formatMoney(market_value)} ·{' '}
        <Delta value={unrealized_pl}>{formatSignedMoney(unrealized_pl)}</Delta>
        <span className={classes.owners}>{ownersText(position)}</span>
      </span>
      {is_fully_allocated && <Tag>Fully allocated</Tag>}
      {quantity !== null && (
        <BoundedNumberField
          label={`Quantity of ${symbol}`}
          hideLabel
          min={0}
          max={available_quantity}
          value={quantity}
          onChange={onPick}
        />
      )}
    </li>
  )
}

function ownersText({ allocated_to_deployments, available_quantity }: AccountPosition): string {
  if (allocated_to_deployments.length === 0) return ''
  const owners = allocated_to_deployments.map(
    ({ deployment_name, quantity }) => `${deployment_name} (${formatQuantity(quantity)})`,
  )
  return `Owned by ${owners.join(', ')}; ${formatQuantity(available_quantity)} available`
}
