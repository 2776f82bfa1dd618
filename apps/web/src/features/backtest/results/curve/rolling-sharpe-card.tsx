import type { StudioResult } from '../../answer/studio-result.ts'
import { lazy, Suspense, useMemo } from 'react'
import { formatRatio } from '../../../../lib/format.ts'
import { Card } from '../../../../ui/layout/card.tsx'
import { pointsOf, SYNTHETIC_WATERMARK } from './curve-points.ts'
import classes from '../results.module.css'

const LineChart = lazy(() => import('../../../../ui/chart/line-chart.tsx'))

const HEIGHT = 180

/** How steady the reward for the risk was; nothing where the run is shorter than one window. */
export function RollingSharpeCard({ result }: { result: StudioResult }) {
  const { rolling_sharpe_history: history, test_dates: dates, synthetic } = result
  const drawing = useMemo(
    () => ({
      lines: [{ name: 'Rolling Sharpe', points: pointsOf(dates, history) }],
      format: formatRatio,
      baseline: 0,
      watermark: synthetic ? SYNTHETIC_WATERMARK : null,
      isLogScale: false,
    }),
    [dates, history, synthetic],
  )
  const known = history.filter((value) => value !== null)
  if (known.length === 0) return null
  const lowest = known.reduce((a, b) => Math.min(a, b))
  const highest = known.reduce((a, b) => Math.max(a, b))
  return (
    <Card title="Rolling Sharpe" hint="Over the six months before each date">
      <div className={classes.body}>
        <Suspense fallback={<div style={{ height: HEIGHT + 24 }} />}>
          <LineChart
            drawing={drawing}
            height={HEIGHT}
            summary={`Rolling Sharpe: between ${formatRatio(lowest)} and ${formatRatio(highest)}, at the end ${formatRatio(known.at(-1))}.`}
          />
        </Suspense>
      </div>
    </Card>
  )
}
