import type { Allocation } from '../tools/backtest-tools.ts'

/** `SPY 60%, TLT 40%`, as buttons and messages say it. */
export const shares = (allocation: Allocation): string =>
  allocation.map(({ ticker, percent }) => `${ticker} ${percent}%`).join(', ')
