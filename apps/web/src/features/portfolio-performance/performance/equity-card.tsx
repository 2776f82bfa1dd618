import type { Portfolio } from '@tradewright/contract/portfolio'
import { lazy, Suspense, useMemo, useState } from 'react'
import { formatMoney } from '../../../lib/format.ts'
import { formatDate, formatDateRange } from '../../../lib/format-time.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { equityLines } from './chart-points.ts'
import classes from '../portfolio-performance-screen.module.css'

const TimeChart = lazy(() => import('../../../ui/chart/time-chart.tsx'))
const NO_MARKS: never[] = []

/** Deposits and withdrawals move this line; the growth above it has them taken out. */
export function EquityCard({ portfolio }: { portfolio: Portfolio }) {
  const [hovered, setHovered] = useState<number | null>(null)
  const lines = useMemo(() => equityLines(portfolio), [portfolio])
  const { history } = portfolio
  const shown = history.find(({ date }) => Date.parse(date) / 1000 === hovered) ?? history.at(-1)
  return (
    <Card title="Account value" hint="With deposits and withdrawals">
      {history.length < 2 ? (
        <p className={classes.nothing}>
          {shown
            ? `Only one day is available so far: ${formatMoney(shown.equity)} on ${formatDate(shown.date)}. The chart starts with the second day.`
            : 'There are no account values in this period.'}
        </p>
      ) : (
        <div className={classes.chart}>
          <p className={`${classes.legend} tabular`}>
            <span>{formatDate(shown?.date)}</span>
            <span>
              Equity <b>{formatMoney(shown?.equity)}</b>
            </span>
          </p>
          <Suspense fallback={<div className={classes.waiting} />}>
            <TimeChart lines={lines} marks={NO_MARKS} summary={summaryOf(history)} onHover={setHovered} />
          </Suspense>
        </div>
      )}
    </Card>
  )
}

function summaryOf(history: Portfolio['history']): string {
  const [first, last] = [history[0], history.at(-1)]
  return `Account value, ${formatDateRange(first?.date, last?.date)}: from ${formatMoney(first?.equity)} to ${formatMoney(last?.equity)}.`
}
