/** What a series is compared by: the return of a price, or the change of a level such as an interest rate. */
export type FactorKind = 'return' | 'change'

interface FactorSet {
  readonly id: string
  readonly label: string
  /** What its loadings say. */
  readonly definition: string
  readonly series: readonly { readonly symbol: string; readonly kind: FactorKind }[]
}

/** Ready choices of the form; any other ticker can be added. */
export const factorSets: readonly FactorSet[] = [
  {
    id: 'assets',
    label: 'Stocks, bonds, gold',
    definition: 'How much of the result is what broad markets did.',
    series: [
      { symbol: 'SPY', kind: 'return' },
      { symbol: 'TLT', kind: 'return' },
      { symbol: 'GLD', kind: 'return' },
    ],
  },
  {
    id: 'style',
    label: 'Style funds',
    definition:
      'Large, small, growth and foreign stocks, represented by funds; they move much alike, so read loadings together.',
    series: [
      { symbol: 'SPY', kind: 'return' },
      { symbol: 'IWM', kind: 'return' },
      { symbol: 'QQQ', kind: 'return' },
      { symbol: 'EFA', kind: 'return' },
    ],
  },
  {
    id: 'rates',
    label: 'Interest rates',
    definition: 'Return on a day on which the 10-year yield rises by one percentage point, with stocks unchanged.',
    series: [
      { symbol: 'SPY', kind: 'return' },
      { symbol: 'DGS10', kind: 'change' },
    ],
  },
]

export const FACTOR_LIMITS = { series: 12, windowMonths: { min: 3, max: 120, default: 36 }, files: 20 } as const
