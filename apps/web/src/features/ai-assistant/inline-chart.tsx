import { VisuallyHidden } from '@mantine/core'
import { ChartBlock } from '@tradewright/contract/ai-assistant'
import { useId } from 'react'
import { formatDate } from '../../lib/format-time.ts'
import { formatMoney, formatNumber, formatWholeMoney } from '../../lib/format.ts'
import { parsed } from '../../lib/http.ts'
import { SourceBadge } from '../../ui/feedback/source-badge.tsx'
import { chartPaths, CHART_HEIGHT, CHART_WIDTH } from './chart-paths.ts'
import classes from './inline-chart.module.css'

const plainFigure = (value: number) => formatNumber(value, { decimals: 2 })

/** Undefined where the block is no chart: then it is shown as the code it is. */
export function chartOf(text: string) {
  const block = ChartBlock.safeParse(parsed(text))
  return block.success ? <InlineChart {...block.data} /> : undefined
}

/** A small line with its ends in words; the figures themselves are in the message. */
function InlineChart({ title, points, synthetic, unit }: ChartBlock) {
  const heading = useId()
  const figure = unit === 'usd' ? formatMoney : plainFigure
  const axis = unit === 'usd' ? formatWholeMoney : plainFigure
  const { line, area, lowest, highest } = chartPaths(points.map(([, value]) => value))
  const [first, last] = [points[0]!, points.at(-1)!]
  const summary = `From ${figure(first[1])} on ${formatDate(first[0])} to ${figure(last[1])} on ${formatDate(last[0])}, between ${figure(lowest)} and ${figure(highest)}.`
  return (
    <figure className={classes.chart} aria-labelledby={heading}>
      <figcaption className={classes.caption}>
        <span id={heading}>{title || 'Chart'}</span>
        {synthetic && <SourceBadge synthetic />}
        <span className={`${classes.last} tabular`}>{figure(last[1])}</span>
      </figcaption>
      <VisuallyHidden>{summary}</VisuallyHidden>
      <svg
        className={classes.plot}
        viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden
      >
        <path className={classes.area} d={area} />
        <path className={classes.line} d={line} />
      </svg>
      <div className={`${classes.axis} tabular`} aria-hidden>
        <span>{formatDate(first[0])}</span>
        <span>
          {axis(lowest)} to {axis(highest)}
        </span>
        <span>{formatDate(last[0])}</span>
      </div>
    </figure>
  )
}
