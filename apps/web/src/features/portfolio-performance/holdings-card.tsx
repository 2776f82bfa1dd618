import type { Portfolio, PortfolioPosition } from '@tradewright/contract/portfolio'
import { formatMoney, formatPercent, formatQuantity, formatSignedMoney, formatSignedPercent } from '../../lib/format.ts'
import { formatDate } from '../../lib/format-time.ts'
import { Card } from '../../ui/layout/card.tsx'
import { Delta } from '../../ui/table/figure.tsx'
import { numeric, secondary, Table } from '../../ui/table/table.tsx'
import classes from './portfolio-performance-screen.module.css'

export function HoldingsCard({ portfolio }: { portfolio: Portfolio }) {
  const { positions, equity } = portfolio
  return (
    <Card title="Holdings" hint={`${positions.length} ${positions.length === 1 ? 'position' : 'positions'}`}>
      {positions.length === 0 ? (
        <p className={classes.nothing}>The account holds cash only.</p>
      ) : (
        <Table label="Holdings">
          <thead>
            <tr>
              <th>Symbol</th>
              <th className={numeric}>Quantity</th>
              <th className={`${numeric} ${secondary}`}>Average price</th>
              <th className={`${numeric} ${secondary}`}>Price</th>
              <th className={numeric}>Market value</th>
              <th className={`${numeric} ${secondary}`}>Share of equity</th>
              <th className={numeric}>Unrealized P&L</th>
            </tr>
          </thead>
          <tbody>
            {positions.map((position) => (
              <HoldingRow key={position.symbol} position={position} equity={equity} />
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  )
}

function HoldingRow({ position, equity }: { position: PortfolioPosition; equity: number }) {
  const { market_value, unrealized_pl, unrealized_plpc } = position
  return (
    <tr>
      <td>
        <b className={classes.symbol}>{position.symbol}</b>
        {position.price_date && <small className={classes.old}>price of {formatDate(position.price_date)}</small>}
      </td>
      <td className={numeric}>{formatQuantity(position.qty)}</td>
      <td className={`${numeric} ${secondary}`}>{formatMoney(position.avg_entry_price)}</td>
      <td className={`${numeric} ${secondary}`}>{formatMoney(position.current_price)}</td>
      <td className={numeric}>{formatMoney(market_value)}</td>
      <td className={`${numeric} ${secondary}`}>{formatPercent(equity > 0 ? market_value / equity : null)}</td>
      <td className={numeric}>
        <Delta value={unrealized_pl}>{formatSignedMoney(unrealized_pl)}</Delta>
        <span className={classes.beside}>
          {unrealized_plpc === null ? 'N/A' : formatSignedPercent(unrealized_plpc, 2)}
        </span>
      </td>
    </tr>
  )
}
