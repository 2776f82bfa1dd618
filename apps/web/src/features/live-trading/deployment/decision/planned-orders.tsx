import type { previewDecision } from '@tradewright/contract/live-trading-watch'
import { formatMoney, formatQuantity } from '../../../../lib/format.ts'
import type { AnswerOf } from '../../../../lib/http.ts'
import { numeric, Table } from '../../../../ui/table/table.tsx'
import { sideText } from '../../order-words.ts'
import classes from '../deployment-screen.module.css'

interface PlannedOrdersProps {
  orders: AnswerOf<typeof previewDecision>['orders']
  title?: string
  /** Where the card around it says what they are. */
  hideTitle?: boolean
}

export function PlannedOrders({ orders, title = 'Planned orders', hideTitle = false }: PlannedOrdersProps) {
  // Slices of one order differ by their place alone.
  const rows = orders.map((order, place) => Object.assign({ key: `${order.symbol} ${order.side} ${place}` }, order))
  if (orders.length === 0) return <p className={classes.note}>It would not trade.</p>
  return (
    <div className={hideTitle ? classes.flush : undefined}>
      {!hideTitle && <h3 className={classes.heading}>{title}</h3>}
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
          {rows.map(({ key, symbol, quantity, estimated_value, ...order }) => (
            <tr key={key}>
              <td>{symbol}</td>
              <td>{sideText(order)}</td>
              <td className={numeric}>{quantity === null ? 'by amount' : formatQuantity(quantity)}</td>
              <td className={numeric}>{formatMoney(estimated_value)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  )
}
