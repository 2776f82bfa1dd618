/** Something to begin with: stocks and bonds, rebalanced, beside stocks alone. */
export const EXAMPLE = {
  /** In the address of the Studio: `?example=`. */
  id: 'sixty-forty',
  name: '60/40',
  allocations: [
    { ticker: 'SPY', allocation: 60, words: 'US large companies' },
    { ticker: 'AGG', allocation: 40, words: 'US bonds' },
  ],
  referenceTicker: 'SPY',
  /** AGG began in that year; the run takes the longest period that both have. */
  since: 2003,
} as const
