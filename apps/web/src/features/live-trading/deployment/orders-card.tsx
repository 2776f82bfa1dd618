import { formatMoney, formatQuantity } from '../../../lib/format.ts'
import { formatExact, formatMoment } from '../../../lib/format-time.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { numeric, secondary, Table } from '../../../ui/table/table.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { sideText } from '../order-words.ts'
import type { Overview } from '../queries.ts'
import classes from './deployment-screen.module.css'

export function OrdersCard({ orders }: Pick<Overview, 'orders'>) {
  return (
    <Card title="Orders" hint="Newest first, with the last state reported by the broker">
      {orders.length === 0 ? (
        <p className={`${classes.body} ${classes.note}`}>
          No orders yet. They appear when a decision has to change what it holds.
        </p>
      ) : (
        <Table label="Orders">
          <thead>
            <tr>
              <th>Order</th>
              <th>State</th>
              <th className={numeric}>Filled</th>
              <th className={`${numeric} ${secondary}`}>Average price</th>
              <th className={`${numeric} ${secondary}`}>Placed</th>
            </tr>
          </thead>
          <tbody>
            {orders.map((order) => (
              <tr key={order.client_order_id}>
                <td title={order.client_order_id}>
                  {sideText(order)} {amountText(order)} {order.symbol}
                </td>
                <td>
                  <Tag>{order.state}</Tag>
                  {order.reason && <span className={classes.reason}>{order.reason}</span>}
                </td>
                <td className={numeric}>{formatQuantity(order.filled_quantity)}</td>
                <td className={`${numeric} ${secondary}`}>{formatMoney(order.average_price)}</td>
                <td className={`${numeric} ${secondary}`}>
                  <time dateTime={order.created_at} title={formatExact(order.created_at)}>
                    {formatMoment(order.created_at)}
                  </time>
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  )
}

const amountText = ({ quantity, notional }: Overview['orders'][number]) =>
  quantity === null ? `${formatMoney(notional)} of` : formatQuantity(quantity)
