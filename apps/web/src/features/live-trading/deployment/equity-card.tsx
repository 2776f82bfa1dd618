import { lazy, Suspense, useMemo, useState } from 'react'
import { formatMoney, formatNumber, formatWholeMoney } from '../../../lib/format.ts'
import { formatMoment } from '../../../lib/format-time.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { ChoiceField } from '../../../ui/form/fields.tsx'
import { HowComputed } from '../../../ui/feedback/how-computed.tsx'
import type { Overview } from '../queries.ts'
import classes from './equity-card.module.css'
import { HOW } from './explanations.ts'
import { type EquityRow, equityRows, type EquityView, GROWTH_OF, linesOf } from './equity-points.ts'

const TimeChart = lazy(() => import('../../../ui/chart/time-chart.tsx'))
const NO_MARKS: readonly never[] = []

/** Growth of its money, against the backtest that is replayed over the same days. */
export function EquityCard({ overview }: { overview: Overview }) {
  const [view, setView] = useState<EquityView>('Growth')
  const [hovered, setHovered] = useState<number | null>(null)
  const { equity, replay, model } = overview
  const isSynthetic = model?.synthetic === true || overview.deployment.synthetic
  const rows = useMemo(() => equityRows({ equity, replay }, view), [equity, replay, view])
  const lines = useMemo(() => linesOf(rows, isSynthetic), [rows, isSynthetic])
  return (
    <Card
      title="Equity"
      hint={
        view === 'Growth'
          ? `Growth of ${formatWholeMoney(GROWTH_OF)} without contributions and withdrawals, against the replayed backtest`
          : 'In dollars, against what was paid in'
      }
      actions={
        <ChoiceField label="Curve" hideLabel value={view} options={['Growth', 'Value'] as const} onChange={setView} />
      }
    >
      <div className={classes.body}>
        <DriftLine replay={replay} />
        {rows.length < 2 ? (
          <p className={classes.note}>The curve appears after the second snapshot.</p>
        ) : (
          <>
            <Legend rows={rows} view={view} hovered={hovered} />
            <Suspense fallback={<div className={classes.waiting} />}>
              <TimeChart lines={lines} marks={NO_MARKS} summary={summaryOf(rows, view)} onHover={setHovered} />
            </Suspense>
          </>
        )}
      </div>
    </Card>
  )
}

/** Drift has no good side, so it has no colour. */
function DriftLine({ replay }: Pick<Overview, 'replay'>) {
  if (!replay) return <p className={classes.note}>Replayed as a backtest after each session; not replayed yet.</p>
  if (replay.error) return <p className={classes.note}>The replay failed: {replay.error}</p>
  return (
    <p className={`${classes.drift} tabular`}>
      Drift
      <HowComputed of="Drift">{HOW.drift}</HowComputed>
      <b>{formatNumber(replay.drift_pct, { decimals: 2, suffix: ' pp', sign: 'always' })}</b>
      <small>live minus replay at the last common day · replayed {formatMoment(replay.computed_at)}</small>
    </p>
  )
}

const OTHER_WORDS: Record<EquityView, string> = { Growth: 'Replayed backtest', Value: 'Paid in' }

function Legend({ rows, view, hovered }: { rows: readonly EquityRow[]; view: EquityView; hovered: number | null }) {
  const row = rows.find(({ time }) => time === hovered) ?? rows.at(-1)
  if (!row) return null
  return (
    <p className={`${classes.legend} tabular`}>
      <span>{formatMoment(new Date(row.time * 1000).toISOString())}</span>
      <span className={classes.live}>
        Live <b>{formatMoney(row.live)}</b>
      </span>
      {row.other !== null && (
        <span className={classes.other}>
          {OTHER_WORDS[view]} <b>{formatMoney(row.other)}</b>
        </span>
      )}
    </p>
  )
}

function summaryOf(rows: readonly EquityRow[], view: EquityView): string {
  const last = rows.at(-1)
  const other = last?.other === null ? '' : ` ${OTHER_WORDS[view]} ended at ${formatMoney(last?.other)}.`
  return `Equity from ${formatMoney(rows[0]?.live)} to ${formatMoney(last?.live)}.${other}`
}
