import type { FILL_TIMINGS } from '@tradewright/contract/backtests'

export const FILL_LABELS: Record<(typeof FILL_TIMINGS)[number], string> = {
  next_open: 'Next open',
  next_close: 'Next close',
  same_close: 'Same close (optimistic)',
}
