/** Something to begin with: stocks and bonds, rebalanced, beside stocks alone. */
export const EXAMPLE = {
  /** In the address of the Studio: `?example=`. */
  id: 'sixty-forty',
  name: 'Sixty forty',
  allocations: [
    { ticker: 'SPY', allocation: 60, words: 'US large companies' },
    { ticker: 'AGG', allocation: 40, words: 'US bonds' },
  ],
  referenceTicker: 'SPY',
  years: 5,
} as const
