import type { Portfolio } from '@tradewright/contract/portfolio'
import { useState } from 'react'
import { formatCount, formatMoney, formatSignedMoney } from '../../../lib/format.ts'
import { formatDate } from '../../../lib/format-time.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { Delta } from '../../../ui/table/figure.tsx'
import { Pagination } from '../../../ui/table/pagination.tsx'
import { numeric, Table } from '../../../ui/table/table.tsx'
import { HISTORY_ROWS, historyPage } from './history-page.ts'
import classes from '../portfolio-performance-screen.module.css'

/** The days of the period, newest first. */
export function HistoryCard({ history }: { history: Portfolio['full_history'] }) {
  const [page, setPage] = useState(1)
  const pages = Math.max(1, Math.ceil(history.length / HISTORY_ROWS))
  // A shorter period may have fewer pages.
  const shownPage = Math.min(page, pages)
  return (
    <Card
      title="Portfolio history"
      hint={`${formatCount(history.length)} ${history.length === 1 ? 'day' : 'days'} of the period, newest first`}
    >
      {history.length === 0 ? (
        <p className={classes.nothing}>There are no account values in this period. Choose a longer one.</p>
      ) : (
        <div className={classes.tall}>
          <Table label="Portfolio history">
            <thead>
              <tr>
                <th>Date</th>
                <th className={numeric}>Equity</th>
                <th className={numeric}>Change</th>
                <th className={numeric}>Paid in or out</th>
              </tr>
            </thead>
            <tbody>
              {historyPage(history, shownPage).map(({ date, equity, change, net_amount }) => (
                <tr key={date}>
                  <td className="tabular">{formatDate(date)}</td>
                  <td className={numeric}>{formatMoney(equity)}</td>
                  <td className={numeric}>
                    {change === null ? '–' : <Delta value={change}>{formatSignedMoney(change)}</Delta>}
                  </td>
                  <td className={numeric}>{net_amount === 0 ? '–' : formatSignedMoney(net_amount)}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        </div>
      )}
      <Pagination
        page={shownPage}
        pageSize={HISTORY_ROWS}
        total={history.length}
        onChange={setPage}
        label="Pages of portfolio history"
      />
    </Card>
  )
}
