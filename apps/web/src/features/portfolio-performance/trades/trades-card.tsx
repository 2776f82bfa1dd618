import type { Portfolio } from '@tradewright/contract/portfolio'
import { useState } from 'react'
import { formatMoney, formatQuantity } from '../../../lib/format.ts'
import { formatDate, formatExact } from '../../../lib/format-time.ts'
import { numeric, Table } from '../../../ui/table/table.tsx'
import { ActivitiesPages } from './activities-pages.tsx'
import classes from '../portfolio-performance-screen.module.css'
import { ACTIVITIES_PER_PAGE, useActivities } from '../queries.ts'

export function TradesCard({ portfolio }: { portfolio: Portfolio }) {
  const [page, setPage] = useState(1)
  const later = useActivities(portfolio.account.id, 'trades', page)
  const shown = page === 1 ? portfolio.trades.slice(0, ACTIVITIES_PER_PAGE) : (later.data?.trades ?? [])
  return (
    <ActivitiesPages
      title="Trade history"
      hint="Every execution, newest first"
      nothing="No trades yet."
      total={portfolio.trades_count}
      page={page}
      onPage={setPage}
      error={page === 1 ? null : later.error}
      isStale={page > 1 && (later.isPending || later.isPlaceholderData)}
    >
      <Table label="Trade history">
        <thead>
          <tr>
            <th>Date</th>
            <th>Side</th>
            <th>Symbol</th>
            <th className={numeric}>Quantity</th>
            <th className={`${numeric} ${classes.price}`}>Price</th>
            <th className={numeric}>Amount</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((trade) => (
            <tr key={trade.id}>
              <td className="tabular" title={formatExact(trade.executed_at)}>
                {formatDate(trade.date)}
              </td>
              <td>{trade.side === 'buy' ? 'Buy' : 'Sell'}</td>
              <td>{trade.symbol}</td>
              <td className={numeric}>{formatQuantity(trade.qty)}</td>
              <td className={`${numeric} ${classes.price}`}>{formatMoney(trade.price)}</td>
              <td className={numeric}>{formatMoney(trade.amount)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </ActivitiesPages>
  )
}
