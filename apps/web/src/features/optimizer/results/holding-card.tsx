import type {
  OptimizationResults,
  BuyAndHoldComparison,
  ComparedCurves,
} from '@tradewright/contract/optimization-results'
import { lazy, type ReactNode, Suspense, useMemo } from 'react'
import { formatPercentagePoints, formatRatio, formatSignedPercent } from '../../../lib/format.ts'
import { formatDate } from '../../../lib/format-time.ts'
import { SplicedNote, splicedDays } from '../../../strategy-form/data/spliced-days.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { Delta } from '../../../ui/table/figure.tsx'
import { numeric, secondary, Table } from '../../../ui/table/table.tsx'
import classes from './holding-card.module.css'
import type { NamedLine } from '../../../ui/chart/draw-chart.ts'

const LineChart = lazy(() => import('../../../ui/chart/line-chart.tsx'))

const HEIGHT = 240

interface HoldingCardProps {
  results: OptimizationResults
}

/** The winner beside its own buy allocation, always held. */
export function HoldingCard({ results }: HoldingCardProps) {
  const { buy_and_hold: compared, synthetic, luck, spliced_tickers } = results
  const drawing = useMemo(
    () =>
      compared && {
        lines: holdingLines(compared),
        format: (value: number) => `${formatRatio(value)}×`,
        baseline: 1,
        watermark: synthetic ? 'Synthetic sample data' : null,
        isLogScale: false,
        shadedUntil: splicedDays(spliced_tickers, compared.test_curve.dates[0])?.until,
      },
    [compared, synthetic, spliced_tickers],
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
      <HoldingTable label="Winner and buy and hold" own="Winner">
        <PeriodRow period="Test windows" own={results.best_performance} held={compared.performance} />
        {luck.hold_out.buy_and_hold && (
          <PeriodRow period="Hold-out, unseen" own={luck.hold_out.performance} held={luck.hold_out.buy_and_hold} />
        )}
      </HoldingTable>
      <div className={classes.chart}>
        <Suspense fallback={<div style={{ height: HEIGHT + 24 }} />}>
          <LineChart
            drawing={drawing}
            height={HEIGHT}
            summary="What one dollar became with the winner and with buy and hold; the table above has the figures."
          />
        </Suspense>
        <SplicedNote spliced={splicedDays(spliced_tickers, compared.test_curve.dates[0])} />
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

export function HoldingTable({ label, own, children }: { label: string; own: string; children: ReactNode }) {
  return (
    <Table label={label}>
      <thead>
        <tr>
          <th>CAGR over</th>
          <th className={numeric}>{own}</th>
          <th className={numeric}>Buy and hold</th>
          <th className={numeric}>Difference</th>
          <th className={`${numeric} ${secondary}`}>{own} Sharpe</th>
          <th className={`${numeric} ${secondary}`}>Buy and hold Sharpe</th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </Table>
  )
}

interface PeriodRowProps {
  period: ReactNode
  own: Scores
  held: Scores
}

/** CAGRs beside each other, and Sharpe ratios where there is room. */
export function PeriodRow({ period, own, held }: PeriodRowProps) {
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

const secondsOf = (date: string): number => Date.parse(date) / 1000

/** Growth of one dollar over the test windows and, from there on, over the hold-out. */
export function holdingLines({ test_curve: test, hold_out_curve: holdOut }: BuyAndHoldComparison): NamedLine[] {
  const line = (name: string, field: 'winner' | 'buy_and_hold'): NamedLine => {
    const reached = test[field].at(-1) ?? 1
    const later = (holdOut?.dates ?? []).map((date, i) => point(date, reached * (holdOut?.[field][i] ?? 1)))
    const last = pointsOf(test, field).at(-1)?.time ?? 0
    // Test and hold-out may share a date: a chart takes each instant once.
    return { name, points: [...pointsOf(test, field), ...later.filter(({ time }) => time > last)] }
  }
  return [line('Winner', 'winner'), line('Buy and hold', 'buy_and_hold')]
}

/** Growth of one dollar over one curve. */
export const curveLines = (curves: ComparedCurves, own: string): NamedLine[] => [
  { name: own, points: pointsOf(curves, 'winner') },
  { name: 'Buy and hold', points: pointsOf(curves, 'buy_and_hold') },
]

const point = (date: string, value: number) => ({ time: secondsOf(date), value })

const pointsOf = (curves: ComparedCurves, field: 'winner' | 'buy_and_hold') =>
  curves.dates.map((date, i) => point(date, curves[field][i] ?? 1))
