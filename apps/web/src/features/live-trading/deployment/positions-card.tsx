import { formatMoney, formatPercent, formatQuantity } from '../../../lib/format.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { numeric, secondary, Table } from '../../../ui/table/table.tsx'
import type { Overview } from '../queries.ts'
import classes from './deployment-screen.module.css'

export function PositionsCard({ positions, cash }: Pick<Overview, 'positions' | 'cash'>) {
  return (
    <Card title="Positions" hint={`And ${formatMoney(cash)} in cash`}>
      {positions.length === 0 ? (
        <p className={`${classes.body} ${classes.note}`}>It holds no positions.</p>
      ) : (
        <Table label="Positions">
          <thead>
            <tr>
              <th>Symbol</th>
              <th className={numeric}>Quantity</th>
              <th className={`${numeric} ${secondary}`}>Price</th>
              <th className={numeric}>Value</th>
              <th className={numeric}>Weight</th>
            </tr>
          </thead>
          <tbody>
            {positions.map(({ symbol, quantity, price, market_value, weight }) => (
              <tr key={symbol}>
                <td>{symbol}</td>
                <td className={numeric}>{formatQuantity(quantity)}</td>
                <td className={`${numeric} ${secondary}`}>{formatMoney(price)}</td>
                <td className={numeric}>{formatMoney(market_value)}</td>
                <td className={numeric}>{formatPercent(weight)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  )
}
