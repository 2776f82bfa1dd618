import { rulesExamples } from '@tradewright/core/rules/examples'
import type { RulesTree } from '@tradewright/core/rules/tree'
import { EXAMPLE } from '../../../strategy-form/example.ts'
import type { BacktestForm } from '../form/form.ts'

interface GalleryBase {
  id: string
  name: string
  /** One sentence. */
  text: string
  /** Where it was published. */
  source: string
  /** What differs from a new form. */
  settings?: Partial<BacktestForm>
}

interface AllocationEntry extends GalleryBase {
  type: 'Asset Allocation'
  allocations: readonly (readonly [ticker: string, percent: number])[]
}

interface MlEntry extends GalleryBase {
  type: 'ML'
  /** Held while the model predicts a rise. */
  buys: string
  /** A longer period has more windows, and takes longer. */
  years: number
}

interface RulesEntry extends GalleryBase {
  type: 'Rules'
  rules: RulesTree
}

interface ExternalEntry extends GalleryBase {
  type: 'External signal'
  /** By name; the first is held before the first signal. */
  targets: Readonly<Record<string, string>>
  /** What another program would have sent on a day, from this year on. */
  fromYear: number
  signals: readonly { readonly monthDay: string; readonly target: string }[]
}

export type GalleryEntry = AllocationEntry | MlEntry | RulesEntry | ExternalEntry

/**
 * Strategies that give a result with one click. Tickers are those with the longest history that the sample market has as
 * well, so that there is a result without internet, too. To add one, add an entry.
 */
export const gallery: readonly GalleryEntry[] = [
  {
    id: EXAMPLE.id,
    type: 'Asset Allocation',
    name: EXAMPLE.name,
    text: 'Stocks for growth, bonds against the falls: what other portfolios are measured by.',
    source: 'The balanced portfolio of pension funds',
    allocations: EXAMPLE.allocations.map(({ ticker, allocation }) => [ticker, allocation]),
  },
  {
    id: 'three-fund',
    type: 'Asset Allocation',
    name: 'Three-fund',
    text: 'All US stocks, stocks abroad and US bonds; the weights are yours to choose.',
    source: 'Bogleheads, after Taylor Larimore',
    allocations: [
      ['VTI', 50],
      ['EFA', 30],
      ['AGG', 20],
    ],
  },
  {
    id: 'ninety-ten',
    type: 'Asset Allocation',
    name: 'Buffett 90/10',
    text: 'An S&P 500 fund and short-term government bonds.',
    source: 'Warren Buffett, Berkshire Hathaway letter of 2013',
    allocations: [
      ['SPY', 90],
      ['SHY', 10],
    ],
  },
  {
    id: 'all-weather',
    type: 'Asset Allocation',
    name: 'All Weather',
    text: 'Ray Dalio’s mix for growth and recession, rising and falling inflation, without leverage.',
    source: 'Tony Robbins, Money: Master the Game, 2014',
    allocations: [
      ['VTI', 30],
      ['TLT', 40],
      ['IEF', 15],
      ['GLD', 7.5],
      ['DBC', 7.5],
    ],
  },
  {
    id: 'permanent',
    type: 'Asset Allocation',
    name: 'Permanent Portfolio',
    text: 'Equal parts of stocks, long bonds, gold and cash, one for each kind of economy.',
    source: 'Harry Browne, Fail-Safe Investing, 1999',
    allocations: [
      ['VTI', 25],
      ['TLT', 25],
      ['GLD', 25],
      ['TBILLX', 25],
    ],
  },
  {
    id: 'golden-butterfly',
    type: 'Asset Allocation',
    name: 'Golden Butterfly',
    text: 'The Permanent Portfolio with a second part of stocks, in small value companies.',
    source: 'Tyler, Portfolio Charts, 2015',
    allocations: [
      ['VTI', 20],
      ['IJS', 20],
      ['TLT', 20],
      ['SHY', 20],
      ['GLD', 20],
    ],
  },
  {
    id: 'swensen',
    type: 'Asset Allocation',
    name: 'Swensen',
    text: 'Yale’s model for private investors: six asset classes, a fifth of it real estate.',
    source: 'David Swensen, Unconventional Success, 2005',
    allocations: [
      ['VTI', 30],
      ['EFA', 15],
      ['EEM', 5],
      ['VNQ', 20],
      ['IEF', 15],
      ['TIP', 15],
    ],
  },
  {
    id: 'hfea',
    type: 'Asset Allocation',
    name: 'HFEA',
    text: 'Stocks and long Treasuries, both 3× and reset daily. UPRO and TMF began in 2009: SPY and TLT levered here stand for them.',
    source: 'HEDGEFUNDIE, Bogleheads forum, 2019',
    allocations: [
      ['SPY?L=3', 55],
      ['TLT?L=3', 45],
    ],
    settings: { rebalanceFrequency: 'quarterly' },
  },
  {
    id: 'ml-walk-forward',
    type: 'ML',
    name: 'ML: SPY or T-bills',
    text: 'A random forest learns when SPY rises the next day; each window is tested on days it has not seen.',
    source: 'An example of the method, not a published strategy',
    buys: 'SPY',
    years: 10,
    // Fewer trees than the form's default: an example should not take minutes.
    settings: { walkForwardEnabled: true, nEstimators: 100 },
  },
  ...rulesExamples.map(({ key, name, description, source, tree }): RulesEntry => ({
    id: key,
    type: 'Rules',
    name,
    text: description,
    source,
    rules: tree,
  })),
  {
    id: 'sell-in-may',
    type: 'External signal',
    name: 'Sell in May, as alerts',
    text: 'Another program says when to hold stocks: here two alerts a year from an example file. Put your own in their place.',
    source: 'Bouman and Jacobsen, The Halloween Indicator, 2002',
    targets: { bills: 'TBILLX', stocks: 'SPY' },
    fromYear: 1993,
    signals: [
      { monthDay: '04-30', target: 'bills' },
      { monthDay: '10-31', target: 'stocks' },
    ],
  },
]
