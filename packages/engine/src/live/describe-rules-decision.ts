import { epochDayOf, formatDate } from '@tradewright/core/time'
import type { RulesMemory } from './rules-follower.ts'

/** More latches than this are counted: a line of a log is read by people. */
const MAX_LATCHES = 12

/** Which block decided, and the states of the latches, in one line. */
export function describeRulesDecision({ check }: Pick<RulesMemory, 'check'>): string {
  if (!check) return 'rules, no check yet'
  const way = check.way.map(({ id, branch }) => `${id} ${branch}`)
  const chosen = check.chosen.map(({ id, tickers }) => `${id} holds ${tickers.join(', ') || 'nothing'}`)
  const latches = check.latches
    .slice(0, MAX_LATCHES)
    .map(
      ({ id, ticker, isOn }) =>
        `${id}${ticker ? ` of ${ticker}` : ''} ${isOn === null ? 'unknown' : isOn ? 'on' : 'off'}`,
    )
  const left = check.latches.length - latches.length
  const parts = [...way, ...chosen]
  return [
    `rules, check of ${formatDate(epochDayOf(check.bar))}`,
    ...(parts.length > 0 ? [`: ${parts.join('; ')}`] : []),
    ...(latches.length > 0 ? [`. Latches: ${latches.join(', ')}${left > 0 ? ` and ${left} more` : ''}`] : []),
  ].join('')
}
