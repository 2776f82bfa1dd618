import { useComputedColorScheme, VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { formatDate } from '../../lib/format-time.ts'
import { drawLineChart, type LineChartDrawing, lineStyleOf, type NamedLine } from './draw-line-chart.ts'
import type { TimePoint } from './draw-time-chart.ts'
import classes from './line-chart.module.css'
import { PALETTES } from '../theme/tokens.ts'

interface LineChartProps {
  /** Kept by the caller between renders: a new object draws the chart anew. */
  drawing: LineChartDrawing
  height: number
  /** Describes the chart to readers who cannot see the lines. */
  summary: string
}

/** Lines over time with a legend that follows the crosshair. Loaded only where a chart is shown. */
export default function LineChart({ drawing, height, summary }: LineChartProps) {
  const element = useRef<HTMLDivElement>(null)
  const theme = useComputedColorScheme('light')
  const [hovered, setHovered] = useState<number | null>(null)
  const [shadeWidth, setShadeWidth] = useState(0)

  useEffect(() => {
    if (!element.current) return undefined
    const chart = drawLineChart(element.current, drawing, PALETTES[theme])
    const { shadedUntil } = drawing
    chart.onHover(setHovered)
    chart.onRangeChange(() =>
      setShadeWidth(shadedUntil === undefined ? 0 : Math.max(0, chart.positionOf(shadedUntil) ?? 0)),
    )
    return () => {
      setHovered(null)
      chart.remove()
    }
  }, [drawing, theme])

  return (
    <div>
      <Legend drawing={drawing} hovered={hovered} />
      <div className={classes.plot} style={{ height }}>
        <VisuallyHidden>{summary}</VisuallyHidden>
        <div className={classes.canvas} ref={element} aria-hidden />
        {shadeWidth > 0 && <span className={classes.shade} style={{ width: shadeWidth }} aria-hidden />}
      </div>
    </div>
  )
}

/** Follows the crosshair, else shows the last point of each line. */
function Legend({ drawing, hovered }: { drawing: LineChartDrawing; hovered: number | null }) {
  const time = hovered ?? Math.max(...drawing.lines.map(({ points }) => points.at(-1)?.time ?? 0))
  return (
    <ul className={`${classes.legend} tabular`}>
      <li>{formatDate(new Date(time * 1000).toISOString().slice(0, 10))}</li>
      {drawing.lines.map((line, position) => (
        <li key={line.name}>
          <i className={classes.stroke} style={strokeOf(position)} aria-hidden />
          {line.name} <b>{valueAt(line, hovered, drawing.format)}</b>
        </li>
      ))}
    </ul>
  )
}

function strokeOf(position: number) {
  const { colour, cssStyle } = lineStyleOf(position)
  return { borderTopColor: `var(--tw-${colour})`, borderTopStyle: cssStyle }
}

function valueAt({ points }: NamedLine, hovered: number | null, format: (value: number) => string): string {
  const point = hovered === null ? lastWithValue(points) : points.find(({ time }) => time === hovered)
  return point?.value === null || point?.value === undefined ? '–' : format(point.value)
}

const lastWithValue = (points: readonly TimePoint[]) => points.findLast(({ value }) => value !== null)
