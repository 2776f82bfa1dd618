import { useComputedColorScheme, VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import {
  DRAWDOWN_PANE_HEIGHT,
  type DrawnChart,
  drawTimeChart,
  type TimeChartLines,
  VALUE_PANE_HEIGHT,
} from './draw-chart.ts'
import classes from './time-chart.module.css'
import { PALETTES } from '../theme/tokens.ts'

export interface TimeMark {
  time: number
  label: string
}

interface TimeChartProps {
  lines: TimeChartLines
  /** Dashed verticals with a short label. */
  marks: readonly TimeMark[]
  /** Up to this time, in seconds, the plot is shaded. */
  shadedUntil?: number | undefined
  /** Describes the chart to readers who cannot see the lines. */
  summary: string
  onHover: (time: number | null) => void
  /** The height of the upper pane, in even pixels. */
  valueHeight?: number
}

const TIME_AXIS_HEIGHT = 28
const SEPARATOR_HEIGHT = 1

/** Drawn on canvas, again whenever the lines or the theme change. Loaded only where a chart is shown. */
export default function TimeChart({
  lines,
  marks,
  shadedUntil,
  summary,
  onHover,
  valueHeight = VALUE_PANE_HEIGHT,
}: TimeChartProps) {
  const element = useRef<HTMLDivElement>(null)
  const theme = useComputedColorScheme('light')
  const [positions, setPositions] = useState<readonly (number | null)[]>([])
  const [shadeWidth, setShadeWidth] = useState(0)

  useEffect(() => {
    if (!element.current) return undefined
    const chart: DrawnChart = drawTimeChart(element.current, lines, PALETTES[theme])
    const place = () => {
      setPositions(marks.map(({ time }) => chart.positionOf(time)))
      setShadeWidth(shadedUntil === undefined ? 0 : Math.max(0, chart.positionOf(shadedUntil) ?? 0))
    }
    chart.onHover(onHover)
    chart.onRangeChange(place)
    return () => {
      onHover(null)
      chart.remove()
    }
  }, [lines, marks, shadedUntil, theme, onHover])

  const below = lines.drawdown ? SEPARATOR_HEIGHT + DRAWDOWN_PANE_HEIGHT : 0
  const height = valueHeight + TIME_AXIS_HEIGHT + below
  return (
    <div className={classes.chart} style={{ height }}>
      <VisuallyHidden>{summary}</VisuallyHidden>
      <div className={classes.canvas} ref={element} aria-hidden />
      {shadeWidth > 0 && <span className={classes.shade} style={{ width: shadeWidth }} aria-hidden />}
      {marks.map(({ time, label }, index) => {
        const left = positions[index]
        return left === null || left === undefined ? null : (
          <span key={time} className={classes.mark} style={{ left }} aria-hidden>
            {label}
          </span>
        )
      })}
    </div>
  )
}
