import type { Portfolio } from '@tradewright/contract/portfolio'
import { useState, type ReactNode } from 'react'
import { formatMoney, formatQuantity, formatSignedMoney, formatCount } from '../../../lib/format.ts'
import { formatDate, formatExact } from '../../../lib/format-time.ts'
import { numeric, Table, Pagination } from '../../../ui/table/table.tsx'
import classes from '../portfolio-performance-screen.module.css'
import { ACTIVITIES_PER_PAGE, useActivities } from '../queries.ts'
import { Delta } from '../../../ui/table/figure.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { activityWord } from '../messages.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { serverMessageOr } from '../../../lib/call-error.ts'

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

const HISTORY_ROWS = 50

type Day = Portfolio['full_history'][number]

interface HistoryRow extends Day {
  /** Gain or loss since the day before, without what was paid in or out; null for the first day. */
  change: number | null
}

/** A page of 50 days, newest first. Pages count from 1; the history is kept oldest first. */
export function historyPage(history: readonly Day[], page: number): HistoryRow[] {
  const end = history.length - (page - 1) * HISTORY_ROWS
  const rows: HistoryRow[] = []
  for (let index = end - 1; index >= Math.max(0, end - HISTORY_ROWS); index -= 1) {
    const { date, equity, net_amount } = history[index]!
    const before = history[index - 1]
    rows.push({ date, equity, net_amount, change: before ? equity - before.equity - net_amount : null })
  }
  return rows
}

interface ActivitiesPagesProps {
  title: string
  hint: string
  /** Said where there is none at all. */
  nothing: string
  total: number
  page: number
  onPage: (page: number) => void
  error: Error | null
  isStale: boolean
  children: ReactNode
}

/** A card with a table of which one page is in sight. */
function ActivitiesPages({ title, hint, nothing, total, page, onPage, ...rest }: ActivitiesPagesProps) {
  return (
    <Card title={title} hint={hint}>
      {total === 0 ? (
        <p className={classes.nothing}>{nothing}</p>
      ) : rest.error ? (
        <p className={classes.nothing} role="alert">
          {serverMessageOr(rest.error, 'This page could not be loaded.')}
        </p>
      ) : (
        <div className={classes.stale} data-stale={rest.isStale}>
          {rest.children}
        </div>
      )}
      <Pagination
        page={page}
        pageSize={ACTIVITIES_PER_PAGE}
        total={total}
        onChange={onPage}
        label={`Pages of ${title.toLowerCase()}`}
      />
    </Card>
  )
}
