import type { Allocation } from '../tools/backtest-tools.ts'

const MAX_NAMED = 10

/** `SPY 60%, TLT 40%`, as buttons and messages say it. */
export function weightsText(allocation: Allocation): string {
  const named = allocation.slice(0, MAX_NAMED).map(({ ticker, percent }) => `${ticker} ${percent}%`)
  const more = allocation.length - named.length
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ')
}

/** `“My mix” (SPY 60%, TLT 40%)`; a name that says the same already stands alone. */
export const namedMix = (name: string, allocation: Allocation): string =>
  name === weightsText(allocation) ? `“${name}”` : `“${name}” (${weightsText(allocation)})`
