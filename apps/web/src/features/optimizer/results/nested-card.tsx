import type { NestedWalkForward, OptimizationResults } from '@tradewright/contract/optimization-results'
import { Fragment, lazy, Suspense, useMemo } from 'react'
import { formatCount, formatRatio } from '../../../lib/format.ts'
import { formatDateRange } from '../../../lib/format-time.ts'
import { SplicedNote, splicedDays } from '../../../strategy-form/data/spliced-days.tsx'
import { Card } from '../../../ui/layout/card.tsx'
import { Verdict } from './headline.tsx'
import { HoldingTable, PeriodRow } from './holding-card.tsx'
import { curveLines } from './holding-lines.ts'
import classes from './nested-card.module.css'

const LineChart = lazy(() => import('../../../ui/chart/line-chart.tsx'))

const HEIGHT = 240

/** The stitched curve of a search that was repeated before each window; nothing where it was not asked for. */
export function NestedCard({ results }: { results: OptimizationResults }) {
  const { nested_walk_forward: nested, synthetic, spliced_tickers } = results
  const drawing = useMemo(
    () =>
      nested && {
        lines: curveLines(nested.curve, 'Nested walk-forward'),
        format: (value: number) => `${formatRatio(value)}×`,
        baseline: 1,
        watermark: synthetic ? 'Synthetic sample data' : null,
        isLogScale: false,
        shadedUntil: splicedDays(spliced_tickers, nested.curve.dates[0])?.until,
      },
    [nested, synthetic, spliced_tickers],
  )
  if (!nested || !drawing) return null
  return (
    <Card title="Nested walk-forward" hint={hintOf(nested)}>
      <HoldingTable label="Nested walk-forward and buy and hold" own="Nested">
        <PeriodRow period="All windows" own={nested.performance} held={nested.buy_and_hold} />
        {nested.windows.map((window) => (
          <Fragment key={window.test_start}>
            <PeriodRow
              period={<span className={classes.dates}>{formatDateRange(window.test_start, window.test_end)}</span>}
              own={window.performance}
              held={window.buy_and_hold}
            />
            <tr className={classes.chosen}>
              <td colSpan={6}>
                {window.target_asset} by {window.features.join(', ')}
              </td>
            </tr>
          </Fragment>
        ))}
      </HoldingTable>
      <Verdict {...nested} />
      <div className={classes.chart}>
        <Suspense fallback={<div style={{ height: HEIGHT + 24 }} />}>
          <LineChart
            drawing={drawing}
            height={HEIGHT}
            summary="What one dollar became by searching again before each window, and with buy and hold; the table above has the figures."
          />
        </Suspense>
        <SplicedNote spliced={splicedDays(spliced_tickers, nested.curve.dates[0])} />
      </div>
    </Card>
  )
}

function hintOf({ planned_windows: planned, windows }: NestedWalkForward): string {
  const searches = `The whole search, repeated before each of ${formatCount(windows.length)} windows on the data before it`
  const sets = windows.reduce((sum, { evaluations }) => sum + evaluations, 0)
  const tried = `${formatCount(sets)} feature sets tried`
  return windows.length === planned ? `${searches}; ${tried}` : `${searches} (${planned} were asked for); ${tried}`
}
