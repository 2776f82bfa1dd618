import type { Portfolio } from '@tradewright/contract/portfolio'
import { useState } from 'react'
import { formatSignedMoney } from '../../../lib/format.ts'
import { formatDate } from '../../../lib/format-time.ts'
import { Delta } from '../../../ui/table/figure.tsx'
import { numeric, Table } from '../../../ui/table/table.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { ActivitiesPages } from './activities-pages.tsx'
import { activityWord } from '../messages.ts'
import classes from '../portfolio-performance-screen.module.css'
import { ACTIVITIES_PER_PAGE, useActivities } from '../queries.ts'

export function TransactionsCard({ portfolio }: { portfolio: Portfolio }) {
  const [page, setPage] = useState(1)
  const later = useActivities(portfolio.account.id, 'transactions', page)
  const shown = page === 1 ? portfolio.transactions.slice(0, ACTIVITIES_PER_PAGE) : (later.data?.transactions ?? [])
  return (
    <ActivitiesPages
      title="Recent transactions"
      hint="Deposits, withdrawals, dividends, interest and fees, newest first"
      nothing="No transactions yet."
      total={portfolio.transactions_count}
      page={page}
      onPage={setPage}
      error={page === 1 ? null : later.error}
      isStale={page > 1 && (later.isPending || later.isPlaceholderData)}
    >
      <Table label="Recent transactions">
        <thead>
          <tr>
            <th>Date</th>
            <th>Type</th>
            <th className={classes.description}>Description</th>
            <th className={numeric}>Amount</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((transaction) => (
            // Parts of one event may share an id.
            <tr
              key={`${transaction.id} ${transaction.activity_type} ${transaction.description} ${transaction.net_amount}`}
            >
              <td className="tabular">{formatDate(transaction.date)}</td>
              <td>
                <span title={transaction.activity_type}>{activityWord(transaction.activity_type)}</span>{' '}
                {transaction.is_external && <Tag>Cash flow</Tag>}
              </td>
              <td className={classes.description}>{transaction.description}</td>
              <td className={numeric}>
                <Delta value={transaction.net_amount}>{formatSignedMoney(transaction.net_amount)}</Delta>
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </ActivitiesPages>
  )
}
