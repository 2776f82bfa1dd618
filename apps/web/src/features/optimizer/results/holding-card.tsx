import type { OptimizationResults } from '@tradewright/contract/optimization-results'
import { lazy, Suspense, useMemo } from 'react'
import { formatPercentagePoints, formatRatio, formatSignedPercent } from '../../../lib/format.ts'
import { formatDate } from '../../../lib/format-time.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { Delta } from '../../../ui/table/figure.tsx'
import { numeric, secondary, Table } from '../../../ui/table/table.tsx'
import classes from './holding-card.module.css'
import { holdingLines } from './holding-lines.ts'

const LineChart = lazy(() => import('../../../ui/chart/line-chart.tsx'))

const HEIGHT = 240

interface HoldingCardProps {
  results: OptimizationResults
}

/** The winner beside its own buy allocation, always held. */
export function HoldingCard({ results }: HoldingCardProps) {
  const { buy_and_hold: compared, synthetic, luck } = results
  const drawing = useMemo(
    () =>
      compared && {
        lines: holdingLines(compared),
        format: (value: number) => `${formatRatio(value)}×`,
        baseline: 1,
        watermark: synthetic ? 'Synthetic sample data' : null,
        isLogScale: false,
      },
    [compared, synthetic],
  )
  if (!compared || !drawing) return null
  const begins = luck.hold_out.period?.start_date
  return (
    <Card
      title="Is it better than holding?"
      hint={
        `Buy and hold is ${allocationText(compared.allocation)}, always invested, with the same costs and fills` +
        (begins ? `; the hold-out begins on ${formatDate(begins)}` : '')
      }
    >
      <HoldingTable results={results} />
      <div className={classes.chart}>
        <Suspense fallback={<div style={{ height: HEIGHT + 24 }} />}>
          <LineChart
            drawing={drawing}
            height={HEIGHT}
            summary="What one dollar became with the winner and with buy and hold; the table above has the figures."
          />
        </Suspense>
      </div>
    </Card>
  )
}

const allocationText = (rows: readonly { ticker: string; allocation: number }[]): string =>
  rows.map(({ ticker, allocation }) => `${ticker} ${allocation}%`).join(', ')

interface Scores {
  cagr: number | null
  sharpe: number | null
}

function HoldingTable({ results }: HoldingCardProps) {
  const { best_performance, buy_and_hold, luck } = results
  return (
    <Table label="Winner and buy and hold">
      <thead>
        <tr>
          <th>CAGR over</th>
          <th className={numeric}>Winner</th>
          <th className={numeric}>Buy and hold</th>
          <th className={numeric}>Difference</th>
          <th className={`${numeric} ${secondary}`}>Winner Sharpe</th>
          <th className={`${numeric} ${secondary}`}>Buy and hold Sharpe</th>
        </tr>
      </thead>
      <tbody>
        {buy_and_hold && <PeriodRow period="Test windows" own={best_performance} held={buy_and_hold.performance} />}
        {luck.hold_out.buy_and_hold && (
          <PeriodRow period="Hold-out, unseen" own={luck.hold_out.performance} held={luck.hold_out.buy_and_hold} />
        )}
      </tbody>
    </Table>
  )
}

function PeriodRow({ period, own, held }: { period: string; own: Scores; held: Scores }) {
  const difference = own.cagr === null || held.cagr === null ? null : own.cagr - held.cagr
  return (
    <tr>
      <td>{period}</td>
      <td className={numeric}>{percentOr(own.cagr)}</td>
      <td className={numeric}>{percentOr(held.cagr)}</td>
      <td className={numeric}>
        <Delta value={difference} withArrow>
          {difference === null ? 'n/a' : formatPercentagePoints(difference)}
        </Delta>
      </td>
      <td className={`${numeric} ${secondary}`}>{ratioOr(own.sharpe)}</td>
      <td className={`${numeric} ${secondary}`}>{ratioOr(held.sharpe)}</td>
    </tr>
  )
}

const percentOr = (value: number | null): string => (value === null ? 'n/a' : formatSignedPercent(value))
const ratioOr = (value: number | null): string => (value === null ? 'n/a' : formatRatio(value))
