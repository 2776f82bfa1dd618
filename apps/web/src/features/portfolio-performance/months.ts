import type { Portfolio } from '@tradewright/contract/portfolio'

/** Months with an account value in the period and the present one, newest first, as "2026-10". */
export function monthsOf({ full_history, as_of }: Pick<Portfolio, 'full_history' | 'as_of'>): string[] {
  const months = new Set(full_history.map(({ date }) => date.slice(0, 7)))
  months.add(as_of.slice(0, 7))
  return [...months].sort().toReversed()
}
