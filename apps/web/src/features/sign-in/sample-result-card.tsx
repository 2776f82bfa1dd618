import { VisuallyHidden } from '@mantine/core'
import { useMemo } from 'react'
import { formatPercent, formatRatio, formatSignedPercent } from '../../lib/format.ts'
import { Delta } from '../../ui/table/figure.tsx'
import { SourceBadge } from '../../ui/feedback/source-badge.tsx'
import { areaPath, linePath } from './line-path.ts'
import classes from './sample-result-card.module.css'
import { sampleResult, type SampleResult } from './sample-result.ts'

/** Computed here and now from a made-up market: the figures belong to the lines above them. */
export function SampleResultCard() {
  const result = useMemo(() => sampleResult(), [])
  return (
    <section className={classes.card} aria-labelledby="sample-title">
      <div className={classes.head}>
        <div>
          <h2 className={classes.title} id="sample-title">
            100-day trend rule
          </h2>
          <p className={classes.hint}>Account value over 5 years, against holding the index</p>
        </div>
        <SourceBadge synthetic />
      </div>
      <SampleChart result={result} />
      <VisuallyHidden>
        Two lines on synthetic data: the trend rule, drawn thick, and holding the index, drawn thin.
      </VisuallyHidden>
      <dl className={classes.figures}>
        <div>
          <dt>CAGR</dt>
          <dd>
            <Delta value={result.cagr}>{formatSignedPercent(result.cagr)}</Delta>
          </dd>
        </div>
        <div>
          <dt>Sharpe</dt>
          <dd className="tabular">{formatRatio(result.sharpe)}</dd>
        </div>
        <div>
          <dt>Max drawdown</dt>
          <dd className="tabular">{formatPercent(result.maxDrawdown)}</dd>
        </div>
      </dl>
    </section>
  )
}

const WIDTH = 600
const HEIGHT = 240

function SampleChart({ result: { strategy, reference } }: { result: SampleResult }) {
  const all = [...strategy, ...reference]
  const box = { width: WIDTH, height: HEIGHT, min: Math.min(...all) * 0.97, max: Math.max(...all) * 1.02 }
  return (
    <svg className={classes.chart} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
      <defs>
        <linearGradient id="sample-area" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" className={classes.areaTop} />
          <stop offset="1" className={classes.areaFoot} />
        </linearGradient>
      </defs>
      {[0.2, 0.4, 0.6, 0.8].map((share) => (
        <line key={share} className={classes.grid} x1="0" x2={WIDTH} y1={HEIGHT * share} y2={HEIGHT * share} />
      ))}
      <path d={areaPath(strategy, box)} fill="url(#sample-area)" />
      <path d={linePath(reference, box)} className={classes.reference} />
      <path d={linePath(strategy, box)} className={classes.strategy} />
    </svg>
  )
}
