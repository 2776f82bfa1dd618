import type { BacktestComparison } from '@tradewright/contract/backtests'
import { allMetrics, type Metric, metricOf } from '@tradewright/core/metric-catalogue'
import { metricNumber, metricText } from '../results/figures/metric-value.ts'

type Compared = BacktestComparison['compared'][number]

const GROUPS = ['Return', 'Risk', 'Return for risk'] as const
type RowGroup = (typeof GROUPS)[number]

function groupOf({ unit, group, better }: Metric): RowGroup {
  if (unit === 'signed percent' && group === 'return') return 'Return'
  return unit === 'ratio' && better ? 'Return for risk' : 'Risk'
}

/** The rows of the table, under headings. */
export const rowGroups = GROUPS.map((title) => ({
  title,
  metrics: allMetrics.filter((metric) => metric.of === 'curve' && groupOf(metric) === title),
}))

/** 95% of Sharpe ratios lie within this of the true one; A. Lo, "The statistics of Sharpe ratios", 2002, without its small second term. */
const sharpeNoise = (years: number): number => 1.96 / Math.sqrt(years)

export interface Noise {
  years: number
  band: number
  /** The best Sharpe is no further from the next one than chance alone brings about. */
  isWithin: boolean
}

/** Null where fewer than two have a Sharpe ratio. */
export function noiseOf({
  compared,
  start_date,
  end_date,
}: Pick<BacktestComparison, 'compared' | 'start_date' | 'end_date'>): Noise | null {
  const years = (Date.parse(end_date) - Date.parse(start_date)) / MS_PER_YEAR
  const [best, next] = compared.flatMap(({ metrics }) => metricNumber(SHARPE, metrics) ?? []).toSorted((a, b) => b - a)
  if (best === undefined || next === undefined || years <= 0) return null
  const band = sharpeNoise(years)
  return { years, band, isWithin: best - next < band }
}

const SHARPE = metricOf('sharpe')
const MS_PER_YEAR = 365.25 * 86_400_000

/** The position of the best of a row; null where none is, two read alike, or the difference is within the noise. */
export function bestOf(
  metric: Metric,
  compared: readonly Pick<Compared, 'metrics'>[],
  noise: Noise | null,
): number | null {
  if (!metric.better || (groupOf(metric) === 'Return for risk' && noise?.isWithin !== false)) return null
  const sign = metric.better === 'higher' ? 1 : -1
  const scores = compared.map(({ metrics }) => {
    const value = metricNumber(metric, metrics)
    return value === null ? Number.NEGATIVE_INFINITY : sign * value
  })
  return onlyBest(
    scores,
    compared.map(({ metrics }) => metricText(metric, metrics)),
  )
}

/** The place of the best score, unless another prints the same. One value alone is not the best of anything. */
export function onlyBest(scores: readonly number[], texts: readonly string[]): number | null {
  if (scores.filter(Number.isFinite).length < 2) return null
  const best = scores.indexOf(Math.max(...scores))
  return texts.filter((text) => text === texts[best]).length === 1 ? best : null
}
