import { CHART_POINTS, type GrowthPoint, type Portfolio } from '@tradewright/contract/portfolio'
import type { LineChartDrawing } from '../../../ui/chart/draw-line-chart.ts'
import type { TimeChartLines, TimePoint } from '../../../ui/chart/draw-time-chart.ts'
import { formatSignedPercent } from '../../../lib/format.ts'
import { SYNTHETIC_WORDS } from '../../../ui/feedback/source-badge.tsx'

/** Above this many samples, dots would hide the line. */
const DOTS_AT_MOST = 100

/** Picks at most so many items evenly; the last one is always there. */
export function downsampled<Item>(items: readonly Item[], limit = CHART_POINTS): Item[] {
  if (items.length <= limit) return [...items]
  const step = (items.length - 1) / (limit - 1)
  return Array.from({ length: limit }, (_, index) => items[Math.round(index * step)]!)
}

export const hasDots = (sampleCount: number): boolean => sampleCount <= DOTS_AT_MOST

const secondsOf = (date: string): number => Date.parse(date) / 1000

export function equityLines({ history, synthetic }: Pick<Portfolio, 'history' | 'synthetic'>): TimeChartLines {
  const shown = downsampled(history)
  return {
    strategy: shown.map(({ date, equity }) => ({ time: secondsOf(date), value: equity })),
    reference: null,
    drawdown: null,
    startValue: shown[0]?.equity ?? 0,
    watermark: synthetic ? SYNTHETIC_WORDS : null,
    isLogScale: false,
    hasDots: hasDots(shown.length),
  }
}

const GROWTH_LINES = [
  { name: 'Your account', of: 'portfolio' },
  { name: 'SPY', of: 'spy' },
  { name: 'TQQQ', of: 'tqqq' },
] as const satisfies { name: string; of: keyof GrowthPoint }[]

/** One unit at the start reads as 0 %. A line without any value is left out. */
export function growthDrawing({
  growth,
  synthetic,
  benchmarks_synthetic,
}: Pick<Portfolio, 'growth' | 'synthetic' | 'benchmarks_synthetic'>): LineChartDrawing {
  const shown = downsampled(growth)
  const lines = GROWTH_LINES.map(({ name, of }) => ({
    name,
    points: shown.map((point): TimePoint => ({ time: secondsOf(point.date), value: point[of] })),
  }))
  return {
    lines: lines.filter(({ points }) => points.some(({ value }) => value !== null)),
    format: (value) => formatSignedPercent(value - 1),
    baseline: 1,
    watermark: synthetic || benchmarks_synthetic ? SYNTHETIC_WORDS : null,
    isLogScale: false,
    hasDots: hasDots(shown.length),
  }
}
