import {
  AreaSeries,
  ColorType,
  createChart,
  createTextWatermark,
  type IChartApi,
  LineSeries,
  LineStyle,
  type Logical,
  PriceScaleMode,
  type Time,
  type UTCTimestamp,
  TickMarkType,
} from 'lightweight-charts'
import { formatMoney, formatPercent, formatWholeMoney } from '../../lib/format.ts'
import { FONT_FAMILY, type Palette } from '../theme/tokens.ts'
import { formatEastern, marketHour } from '../../lib/format-time.ts'

/** `time` in seconds, ascending; a point without a value is a gap. */
export interface TimePoint {
  time: number
  value: number | null
}

export interface TimeChartLines {
  strategy: readonly TimePoint[]
  reference: readonly TimePoint[] | null
  /** Fractions from -1 to 0, in a pane of their own. */
  drawdown: readonly TimePoint[] | null
  startValue: number
  /** In a corner of the plot, for made-up data. */
  watermark: string | null
  isLogScale: boolean
  /** A dot at each point of the strategy's line; for few points only. */
  hasDots?: boolean
}

export interface DrawnChart {
  onHover: (listener: (time: number | null) => void) => void
  /** Pixels from the left, null where the time is out of sight. */
  positionOf: (time: number) => number | null
  onRangeChange: (listener: () => void) => void
  remove: () => void
}

export const VALUE_PANE_HEIGHT = 300
/** With the separator and the dates it makes the chart an even number of pixels, which the library insists on. */
export const DRAWDOWN_PANE_HEIGHT = 101

/** The first pane has the account value against the reference, the second the drawdown. */
export function drawTimeChart(element: HTMLElement, lines: TimeChartLines, palette: Palette): DrawnChart {
  const chart = createChart(element, chartOptions(palette, timeAxisOf(lines.strategy)))
  addValueLines(chart, lines, palette)
  if (lines.drawdown) addDrawdown(chart, lines.drawdown, palette)
  const [valuePane, drawdownPane] = chart.panes()
  valuePane?.setStretchFactor(VALUE_PANE_HEIGHT)
  drawdownPane?.setStretchFactor(DRAWDOWN_PANE_HEIGHT)
  if (lines.watermark && valuePane) addWatermark(valuePane, lines.watermark, palette, element.clientWidth)
  if (lines.isLogScale) chart.priceScale('right').applyOptions({ mode: PriceScaleMode.Logarithmic })
  chart.timeScale().fitContent()
  return {
    onHover: (listener) => chart.subscribeCrosshairMove(({ time }) => listener(typeof time === 'number' ? time : null)),
    ...placesOf(chart),
    remove: () => chart.remove(),
  }
}

/** Where times lie on the plot, and when that changes. */
const placesOf = (chart: IChartApi) => ({
  positionOf: (time: number) => positionOf(chart, time),
  onRangeChange: (listener: () => void) => {
    chart.timeScale().subscribeVisibleLogicalRangeChange(listener)
    chart.timeScale().subscribeSizeChange(listener)
  },
})

/** The position of the nearest point: where there are many, not every time is drawn. */
function positionOf(chart: IChartApi, time: number): number | null {
  const scale = chart.timeScale()
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library brands plain seconds
  const index = scale.timeToIndex(time as UTCTimestamp, true)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- and numbers of points, in two ways
  return index === null ? null : scale.logicalToCoordinate(index as number as Logical)
}

const chartOptions = (palette: Palette, axis: TimeAxis) => ({
  autoSize: true,
  layout: {
    background: { type: ColorType.Solid, color: 'transparent' } as const,
    textColor: palette.text3,
    fontFamily: FONT_FAMILY,
    fontSize: 11,
    // The page's foot credits the library in words.
    attributionLogo: false,
    panes: { separatorColor: palette.border, separatorHoverColor: palette.border, enableResize: false },
  },
  grid: { vertLines: { visible: false }, horzLines: { color: palette.grid } },
  rightPriceScale: { borderVisible: false, entireTextOnly: true },
  timeScale: {
    borderColor: palette.border,
    fixLeftEdge: true,
    fixRightEdge: true,
    // A turned phone or a wider form shows the same days.
    lockVisibleTimeRangeOnResize: true,
    ...axis.timeScale,
  },
  ...axis.chart,
  crosshair: {
    vertLine: { color: palette.text3, labelBackgroundColor: palette.text2 },
    horzLine: { visible: false, labelVisible: false },
  },
  // The wheel belongs to the page.
  handleScroll: { mouseWheel: false, vertTouchDrag: false },
  handleScale: { mouseWheel: false },
})

/** Where so few dollars lie between the lowest and the highest value, the axis needs cents. */
const CENTS_BELOW = 10

function spanOf(points: readonly TimePoint[]): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { value } of points) {
    if (value === null) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  return high - low
}

function addValueLines(chart: IChartApi, lines: TimeChartLines, palette: Palette): void {
  const format = spanOf(lines.strategy) < CENTS_BELOW ? formatMoney : formatWholeMoney
  const priceFormat = { type: 'custom', minMove: 0.01, formatter: (value: number) => format(value) } as const
  if (lines.reference) {
    const reference = chart.addSeries(LineSeries, {
      color: palette.ref,
      lineWidth: 1,
      priceLineVisible: false,
      crosshairMarkerVisible: false,
      priceFormat,
    })
    reference.setData(dataOf(lines.reference))
  }
  const strategy = chart.addSeries(AreaSeries, {
    lineColor: palette.accent,
    lineWidth: 2,
    topColor: `${palette.accent}26`,
    bottomColor: `${palette.accent}05`,
    priceLineVisible: false,
    pointMarkersVisible: lines.hasDots ?? false,
    priceFormat,
  })
  strategy.setData(dataOf(lines.strategy))
  strategy.createPriceLine({
    price: lines.startValue,
    color: palette.borderStrong,
    lineWidth: 1,
    lineStyle: LineStyle.Dotted,
    axisLabelVisible: false,
    title: '',
  })
}

function addDrawdown(chart: IChartApi, drawdown: readonly TimePoint[], palette: Palette): void {
  const series = chart.addSeries(
    AreaSeries,
    {
      lineColor: palette.loss,
      lineWidth: 1,
      topColor: `${palette.loss}08`,
      bottomColor: `${palette.loss}30`,
      invertFilledArea: true,
      priceLineVisible: false,
      lastValueVisible: false,
      crosshairMarkerVisible: false,
      priceFormat: { type: 'custom', minMove: 0.001, formatter: depthText },
    },
    1,
  )
  series.priceScale().applyOptions({ scaleMargins: { top: 0.04, bottom: 0.12 } })
  series.setData(dataOf(drawdown))
}

/** In the corner where it crosses no line, small enough for a chart of that width. */
function addWatermark(
  pane: ReturnType<IChartApi['panes']>[number],
  text: string,
  palette: Palette,
  width: number,
): void {
  const fontSize = Math.min(15, Math.max(11, Math.floor(width / 36)))
  createTextWatermark(pane, {
    horzAlign: 'left',
    vertAlign: 'bottom',
    lines: [{ text, color: `${palette.warn}B3`, fontSize, fontFamily: FONT_FAMILY }],
  })
}

export function dataOf(points: readonly TimePoint[]): ({ time: Time; value: number } | { time: Time })[] {
  return points.map(({ time, value }) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library brands plain seconds
    const stamp = time as UTCTimestamp
    return value === null ? { time: stamp } : { time: stamp, value }
  })
}

/** Small falls have their labels less than a percent apart. */
const depthText = (value: number): string => {
  const percent = Math.abs(value * 100)
  return formatPercent(value, percent < 5 && Math.abs(percent - Math.round(percent)) > 0.01 ? 1 : 0)
}

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

const DAY_SECONDS = 86_400

/** The library's default is navigator.language, which Chromium without a locale sets to a tag that Intl refuses. */
const LOCALIZATION: { locale: string; timeFormatter?: (time: Time) => string } = { locale: 'en-US' }

type TimeAxis = ReturnType<typeof timeAxisOf>

/** Hours are told where several points are of the same day; otherwise the library's days, months and years. */
export function timeAxisOf(points: readonly { time: number }[]) {
  if (!isWithinDays(points)) return { timeScale: {}, chart: { localization: LOCALIZATION } }
  return {
    timeScale: { timeVisible: true, secondsVisible: false, tickMarkFormatter: tickText },
    chart: { localization: { ...LOCALIZATION, timeFormatter: stampText } },
  }
}

function isWithinDays(points: readonly { time: number }[]): boolean {
  const [first, last] = [points[0], points.at(-1)]
  return first !== undefined && last !== undefined && last.time - first.time < (points.length - 1) * DAY_SECONDS * 0.9
}

const tickText = (time: Time, kind: TickMarkType): string | null =>
  kind === TickMarkType.Time && typeof time === 'number' ? marketHour(new Date(time * 1000)) : null

const stampText = (time: Time): string =>
  typeof time === 'number' ? formatEastern(new Date(time * 1000).toISOString()) : ''
