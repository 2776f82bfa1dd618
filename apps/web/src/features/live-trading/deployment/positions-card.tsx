import { formatMoney, formatPercent, formatQuantity, formatSignedMoney } from '../../../lib/format.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { Delta } from '../../../ui/table/figure.tsx'
import { numeric, secondary, Table } from '../../../ui/table/table.tsx'
import { gapText } from '../holdings.tsx'
import type { Overview } from '../queries.ts'
import classes from './deployment-screen.module.css'

/** What is held against what the last decision wanted, and what it gained since it was bought. */
export function PositionsCard({ positions, cash }: Pick<Overview, 'positions' | 'cash'>) {
  const gap = gapText(positions)
  return (
    <Card title="Positions" hint={`And ${formatMoney(cash)} in cash.${gap ? ` ${gap}.` : ''}`}>
      {positions.length === 0 ? (
        <p className={`${classes.body} ${classes.note}`}>It holds no positions.</p>
      ) : (
        <Table label="Positions">
          <thead>
            <tr>
              <th>Symbol</th>
              <th className={`${numeric} ${secondary}`}>Quantity</th>
              <th className={`${numeric} ${secondary}`}>Entry</th>
              <th className={`${numeric} ${secondary}`}>Price</th>
              <th className={numeric}>Value</th>
              <th className={numeric}>Weight</th>
              <th className={numeric}>Target</th>
              <th className={numeric}>Gain</th>
            </tr>
          </thead>
          <tbody>
            {positions.map(({ symbol, quantity, price, market_value, weight, target, average_cost, gain }) => (
              <tr key={symbol}>
                <td>{symbol}</td>
                <td className={`${numeric} ${secondary}`}>{formatQuantity(quantity)}</td>
                <td className={`${numeric} ${secondary}`}>{average_cost === null ? '–' : formatMoney(average_cost)}</td>
                <td className={`${numeric} ${secondary}`}>{price === null ? '–' : formatMoney(price)}</td>
                <td className={numeric}>{formatMoney(market_value)}</td>
                <td className={numeric}>{formatPercent(weight)}</td>
                <td className={numeric}>{target === null ? '–' : formatPercent(target)}</td>
                <td className={numeric}>
                  {gain === null ? '–' : <Delta value={gain}>{formatSignedMoney(gain)}</Delta>}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  )
}
