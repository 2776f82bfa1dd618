import type { Trade } from '@tradewright/contract/backtest-figures'
import { useState } from 'react'
import { formatCount, formatMoney, formatQuantity } from '../../../lib/format.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { Pagination, numeric, secondary, Table, ShowAll } from '../../../ui/table/table.tsx'
import { formatBarDate } from './bar-date.ts'
import { pageOf } from './newest-first.ts'

const PAGE_SIZE = 10
const FEW = 5

export function TradesCard({ trades }: { trades: readonly Trade[] }) {
  const [page, setPage] = useState(1)
  const [isAll, setAll] = useState(false)
  if (trades.length === 0) return null
  return (
    <Card title="Trades" hint={`${formatCount(trades.length)}, newest first`}>
      <Table label="Trades">
        <thead>
          <tr>
            <th>Date</th>
            <th>Side</th>
            <th>Ticker</th>
            <th className={numeric}>Quantity</th>
            <th className={`${numeric} ${secondary}`}>Price</th>
            <th className={numeric}>Value</th>
            <th className={`${numeric} ${secondary}`}>Cost</th>
          </tr>
        </thead>
        <tbody>
          {pageOf(trades, page, isAll ? PAGE_SIZE : FEW).map(({ item: trade, position }) => (
            <tr key={position}>
              <td className="tabular">{formatBarDate(trade.date)}</td>
              <td>{trade.side === 'buy' ? 'Buy' : 'Sell'}</td>
              <td>{trade.ticker}</td>
              <td className={numeric}>{formatQuantity(trade.quantity)}</td>
              <td className={`${numeric} ${secondary}`}>{formatMoney(trade.price)}</td>
              <td className={numeric}>{formatMoney(trade.value)}</td>
              <td className={`${numeric} ${secondary}`}>{formatMoney(trade.fee)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
      {isAll ? (
        <Pagination page={page} pageSize={PAGE_SIZE} total={trades.length} onChange={setPage} label="Pages of trades" />
      ) : (
        trades.length > FEW && <ShowAll total={trades.length} of="trades" onShow={() => setAll(true)} />
      )}
    </Card>
  )
}
