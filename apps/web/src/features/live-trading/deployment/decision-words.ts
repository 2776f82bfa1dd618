import type { Decision } from '@tradewright/contract/live-trading-watch'
import { formatNumber, formatPercent } from '../../../lib/format.ts'

export const OUTCOMES: Record<Decision['outcome'], string> = {
  selling: 'Selling first',
  buying: 'Buying',
  done: 'Traded',
  held: 'Held, nothing to trade',
  dry_run: 'Dry run, nothing was sent',
  refused: 'Refused to trade',
  incomplete: 'Only partly traded',
}

/** In the model's own unit: probabilities as percents, log-odds as they are. */
export function inUnit(
  value: number | null,
  unit: string | null,
  sign: 'always' | 'minus only' = 'minus only',
): string {
  if (unit === 'probability') {
    return formatNumber(value === null ? null : value * 100, {
      decimals: 1,
      suffix: sign === 'always' ? ' pp' : '%',
      sign,
    })
  }
  return formatNumber(value, { decimals: 3, sign })
}

/** `Buy, 61.2% probable`; an allocation predicts nothing. */
export function signalText({ signal_type, probability }: Decision): string {
  return probability === null ? signal_type : `${signal_type}, ${formatPercent(probability)} probable`
}

interface Bar {
  /** Percent of the half of the track that belongs to its sign. */
  width: number
  isPositive: boolean
}

/** Those that moved the prediction most come first, and the longest bar fills its half. */
export function influenceBars(influences: Decision['influences']): (Decision['influences'][number] & Bar)[] {
  const sorted = influences.toSorted((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution))
  const largest = Math.abs(sorted[0]?.contribution ?? 0)
  return sorted.map(({ feature, value, contribution }) => ({
    feature,
    value,
    contribution,
    width: largest === 0 ? 0 : (Math.abs(contribution) / largest) * 100,
    isPositive: contribution >= 0,
  }))
}
