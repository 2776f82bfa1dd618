import { useComputedColorScheme, VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { formatDate } from '../../lib/format-time.ts'
import { drawLineChart, type LineChartDrawing, lineStyleOf, type NamedLine } from './draw-chart.ts'
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

/** Follows the crosshair, else shows the last value of each line, with its own date where it ended before the others. */
function Legend({ drawing, hovered }: { drawing: LineChartDrawing; hovered: number | null }) {
  const { time, values } = legendOf(drawing.lines, hovered)
  return (
    <ul className={`${classes.legend} tabular`}>
      <li>{dateAt(time)}</li>
      {values.map(({ name, value, endedAt }, position) => (
        <li key={name}>
          <i className={classes.stroke} style={strokeOf(position)} aria-hidden />
          {name} <b>{value === null ? '–' : drawing.format(value)}</b>
          {endedAt !== null && ` on ${dateAt(endedAt)}`}
        </li>
      ))}
    </ul>
  )
}

const dateAt = (time: number): string => formatDate(new Date(time * 1000).toISOString().slice(0, 10))

function strokeOf(position: number) {
  const { colour, cssStyle } = lineStyleOf(position)
  return { borderTopColor: `var(--tw-${colour})`, borderTopStyle: cssStyle }
}

interface LegendValue {
  readonly name: string
  readonly value: number | null
  /** Where the last value of the line is earlier than the time of the legend. */
  readonly endedAt: number | null
}

/** The values at a time, or the last ones, which a line may have had before the others. */
export function legendOf(
  lines: readonly NamedLine[],
  hovered: number | null,
): { time: number; values: readonly LegendValue[] } {
  if (hovered !== null) {
    const valueAt = ({ points }: NamedLine) => points.find(({ time }) => time === hovered)?.value ?? null
    return { time: hovered, values: lines.map((line) => ({ name: line.name, value: valueAt(line), endedAt: null })) }
  }
  const last = lines.map(({ points }) => points.findLast(({ value }) => value !== null))
  const time = Math.max(0, ...last.map((point) => point?.time ?? 0))
  return {
    time,
    values: lines.map(({ name }, i) => ({
      name,
      value: last[i]?.value ?? null,
      endedAt: last[i] && last[i].time < time ? last[i].time : null,
    })),
  }
}
