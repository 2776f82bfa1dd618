import type { StudioResult } from '../../answer/studio-result.ts'
import { lazy, Suspense, useMemo, useState } from 'react'
import { formatMoney, formatPercent } from '../../../../lib/format.ts'
import { SplicedNote, splicedDays } from '../../../../strategy-form/data/spliced-days.tsx'
import { CheckField } from '../../../../ui/form/fields.tsx'
import { formatBarDay, formatBarDays } from '../bar-date.ts'
import classes from './curve-chart.module.css'
import { linesOf, positionAt, windowMarks } from './curve-points.ts'
import type { CurveView, WindowChoice } from '../view.ts'

const TimeChart = lazy(() => import('../../../../ui/chart/time-chart.tsx'))

interface CurveChartProps {
  result: StudioResult
  view: CurveView
  choice: WindowChoice
}

export function CurveChart({ result, view, choice }: CurveChartProps) {
  const [isLogScale, setLogScale] = useState(false)
  const [hovered, setHovered] = useState<number | null>(null)
  // The view is made anew with every render; what it shows changes with the result and the choice alone.
  const lines = useMemo(
    () => linesOf(view, { isSynthetic: result.synthetic, isLogScale }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [result, choice, isLogScale],
  )
  const marks = useMemo(
    () => (choice === 'overall' ? windowMarks(result.walk_forward_windows ?? []) : []),
    [result, choice],
  )
  const spliced = splicedDays(result.spliced_tickers, view.dates[0])
  return (
    <div className={classes.chart}>
      <div className={classes.legendRow}>
        <Legend view={view} referenceName={result.reference_backtest_name} hovered={hovered} />
        <CheckField label="Log scale" checked={isLogScale} onChange={setLogScale} />
      </div>
      <Suspense fallback={<div className={classes.waiting} data-drawdown={lines.drawdown !== null} />}>
        <TimeChart
          lines={lines}
          marks={marks}
          shadedUntil={spliced?.until}
          summary={summaryOf(view)}
          onHover={setHovered}
        />
      </Suspense>
      <SplicedNote spliced={spliced} />
    </div>
  )
}

interface LegendProps {
  view: CurveView
  referenceName: string | null
  hovered: number | null
}

/** Follows the crosshair, else shows the last point. */
function Legend({ view, referenceName, hovered }: LegendProps) {
  const found = hovered === null ? -1 : positionAt(view.dates, hovered)
  const at = found === -1 ? view.dates.length - 1 : found
  const drawdown = view.drawdowns?.[at]
  return (
    <p className={`${classes.legend} tabular`}>
      <span>{formatBarDay(view.dates[at])}</span>
      <span className={classes.strategy}>
        Strategy <b>{formatMoney(view.values[at])}</b>
      </span>
      {view.reference && (
        <span className={classes.reference}>
          Reference {referenceName} <b>{formatMoney(view.reference[at])}</b>
        </span>
      )}
      {drawdown !== undefined && (
        <span className={classes.drawdown}>
          Drawdown <b>{formatPercent(drawdown)}</b>
        </span>
      )}
    </p>
  )
}

function summaryOf(view: CurveView): string {
  const reference = view.reference ? ` The reference ended at ${formatMoney(view.reference.at(-1))}.` : ''
  return (
    `Account value, ${formatBarDays(view.dates[0], view.dates.at(-1))}: from ${formatMoney(view.values[0])} to ` +
    `${formatMoney(view.endValue)}, lowest drawdown ${formatPercent(view.maxDrawdown)}.${reference}`
  )
}
