import type { Decision } from '@tradewright/contract/live-trading-decision'
import { titleOf } from '@tradewright/core/rules/tree'
import { formatNumber, formatPercent } from '../../../../lib/format.ts'
import { formatMoment, formatDate } from '../../../../lib/format-time.ts'

export const OUTCOMES: Record<Decision['outcome'], string> = {
  selling: 'Selling first',
  buying: 'Buying',
  // Said as well where it held its target weights already.
  done: 'Complete',
  held: 'Held, nothing to trade',
  dry_run: 'Dry run, nothing was sent',
  refused: 'Refused to trade',
  incomplete: 'Only partly traded',
}

/** In the model's own unit: probabilities as percentages, log-odds as they are. */
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

/** Bars of influence: what moved the prediction most comes first, and the longest bar fills its half. */
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

/** More latches than this are counted. */
const MAX_LATCHES = 8

/** `Checked 14 Nov 2026. Trend: then. Strongest holds EFA and GLD. Latches: Above average on.` */
export function rulesText(rules: NonNullable<Decision['rules']>, isDaily: boolean): string {
  const { checked_bar, way, chosen, latches } = rules
  if (checked_bar === null) return 'The rules have not been checked yet.'
  const titleOfId = (id: string) => titleOf({ id })
  const states = latches
    .slice(0, MAX_LATCHES)
    .map(
      ({ block, ticker, on }) =>
        `${titleOfId(block)}${ticker === null ? '' : ` of ${ticker}`} ${on === null ? 'unknown' : on ? 'on' : 'off'}`,
    )
  const left = latches.length - states.length
  return [
    `Checked ${isDaily ? formatDate(checked_bar) : formatMoment(checked_bar)}.`,
    ...way.map(({ block, branch }) => `${titleOfId(block)}: ${branch === 'yes' ? 'then' : 'else'}.`),
    ...chosen.map(({ block, tickers }) => `${titleOfId(block)} holds ${tickers.join(', ') || 'nothing'}.`),
    ...(states.length > 0 ? [`Latches: ${states.join(', ')}${left > 0 ? ` and ${left} more` : ''}.`] : []),
  ].join(' ')
}
