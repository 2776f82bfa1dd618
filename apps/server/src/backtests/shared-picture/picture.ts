import { downsampledPositions } from '@tradewright/core/downsample'
import { formatDate } from '@tradewright/core/time'
import { splicedSince } from '@tradewright/engine/backtest/stand-ins'
import { type Figure, isAvailable } from '@tradewright/engine/performance/figure'
import { date, ratio, signedPercent } from '../../assistant/words.ts'
import type { SavedBacktest } from '../saved-backtest.ts'

/** What the preview of a shared result shows: its account, and figures that a reader asks for first. */
export interface SharedPicture {
  readonly title: string
  readonly period: string
  readonly figures: readonly { readonly label: string; readonly value: string }[]
  readonly values: readonly number[]
  readonly reference: { readonly ticker: string; readonly values: readonly number[] } | undefined
  readonly note: string
}

const POINTS = 500

export function pictureOf({ strategyName, name, report }: SavedBacktest): SharedPicture {
  const { curve, metrics, reference, synthetic, spliced = [], settings } = report.result
  const hasFallback = splicedSince(spliced, curve.days[0] ?? settings.from).length > 0
  const positions = downsampledPositions(curve.values.length, POINTS)
  const drawn = (values: ArrayLike<number | null>) => positions.map((at) => values[at] ?? Number.NaN)
  return {
    title: strategyName || name || 'Backtest',
    period: `${date(formatDate(curve.days[0] ?? settings.from))} – ${date(formatDate(curve.days[curve.days.length - 1] ?? settings.to))}`,
    figures: [
      { label: 'CAGR', value: signedPercent(known(metrics.cagr)) },
      { label: 'Max drawdown', value: signedPercent(known(metrics.maxDrawdown.depth)) },
      { label: 'Sharpe', value: ratio(known(metrics.sharpe)) },
    ],
    values: drawn(curve.values),
    reference: reference && { ticker: reference.ticker, values: drawn(reference.values) },
    note: `${synthetic ? 'Backtest on synthetic sample prices' : 'Backtest: simulated, not a live record'}${hasFallback ? ', with fallback prices' : ''}`,
  }
}

const known = (figure: Figure): number | null => (isAvailable(figure) ? figure : null)
