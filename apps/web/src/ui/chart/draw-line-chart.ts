import { createChart, LineSeries, LineStyle, PriceScaleMode } from 'lightweight-charts'
import { addWatermark, chartOptions, dataOf, placesOf, type TimePoint } from './draw-time-chart.ts'
import { timeAxisOf } from './time-axis.ts'
import type { Palette } from '../theme/tokens.ts'

export interface NamedLine {
  name: string
  points: readonly TimePoint[]
}

export interface LineChartDrawing {
  lines: readonly NamedLine[]
  format: (value: number) => string
  /** A dotted horizontal to read the lines against. */
  baseline: number | null
  /** In a corner of the plot, for made-up data. */
  watermark: string | null
  isLogScale: boolean
  /** A dot at each point of the first line; for few points only. */
  hasDots?: boolean
  /** Up to this time, in seconds, the plot is shaded. */
  shadedUntil?: number | undefined
}

interface LineStroke {
  colour: keyof Pick<Palette, 'accent' | 'warn' | 'gain' | 'loss' | 'ref'>
  style: LineStyle
  cssStyle: 'solid' | 'dashed' | 'dotted'
}

const COLOURS = ['accent', 'warn', 'gain', 'loss', 'ref'] as const
const STYLES = [
  { style: LineStyle.Solid, cssStyle: 'solid' },
  { style: LineStyle.Dashed, cssStyle: 'dashed' },
  { style: LineStyle.Dotted, cssStyle: 'dotted' },
] as const

/** Neighbours differ in stroke as well as in colour. */
export function lineStyleOf(position: number): LineStroke {
  const colour = COLOURS[position % COLOURS.length] ?? 'accent'
  return { colour, ...(STYLES[position % STYLES.length] ?? STYLES[0]) }
}

interface DrawnLines {
  onHover: (listener: (time: number | null) => void) => void
  positionOf: (time: number) => number | null
  onRangeChange: (listener: () => void) => void
  remove: () => void
}

/** Any number of lines over time, on one scale. */
export function drawLineChart(element: HTMLElement, drawing: LineChartDrawing, palette: Palette): DrawnLines {
  const chart = createChart(element, chartOptions(palette, timeAxisOf(drawing.lines[0]?.points ?? [])))
  const priceFormat = { type: 'custom', minMove: 0.0001, formatter: drawing.format } as const
  drawing.lines.forEach(({ points }, position) => {
    const { colour, style } = lineStyleOf(position)
    const series = chart.addSeries(LineSeries, {
      color: palette[colour],
      lineStyle: style,
      lineWidth: position === 0 ? 2 : 1,
      priceLineVisible: false,
      pointMarkersVisible: position === 0 && (drawing.hasDots ?? false),
      priceFormat,
    })
    series.setData(dataOf(points))
    if (position > 0 || drawing.baseline === null) return
    const line = { color: palette.borderStrong, lineWidth: 1, lineStyle: LineStyle.Dotted } as const
    series.createPriceLine({ ...line, price: drawing.baseline, axisLabelVisible: false, title: '' })
  })
  const [pane] = chart.panes()
  if (drawing.watermark && pane) addWatermark(pane, drawing.watermark, palette, element.clientWidth)
  if (drawing.isLogScale) chart.priceScale('right').applyOptions({ mode: PriceScaleMode.Logarithmic })
  chart.timeScale().fitContent()
  return {
    onHover: (listener) => chart.subscribeCrosshairMove(({ time }) => listener(typeof time === 'number' ? time : null)),
    ...placesOf(chart),
    remove: () => chart.remove(),
  }
}
