import {
  type Block,
  type CheckFrequency,
  type Condition,
  type FeatureOperand,
  type Operand,
  RULES_VERSION,
  type RulesTree,
} from './tree.ts'

/** A published set of rules, as a tree to begin with. */
interface RulesExample {
  readonly key: string
  readonly name: string
  /** What it does, in a sentence. */
  readonly description: string
  /** Where it was published, and where the tree departs from it. */
  readonly source: string
  readonly tree: RulesTree
}

/** On daily bars. Published rules count months; a month is taken as 21 sessions, a year as 252. */
const MONTH = 21
const YEAR = 252

const feature = (name: string, params: FeatureOperand['params']): FeatureOperand => ({
  kind: 'feature',
  feature: name,
  params,
})
const price = (ticker?: string) => feature('sma', { ...(ticker !== undefined && { ticker }), window: 1 })
const average = (window: number, ticker?: string) => feature('sma', { ...(ticker !== undefined && { ticker }), window })
const growth = (window: number, ticker?: string) =>
  feature('percent_change', { ...(ticker !== undefined && { ticker }), window })
const number = (value: number): Operand => ({ kind: 'number', value })
const above = (id: string, left: Operand, right: Operand): Condition => ({
  kind: 'compare',
  id,
  left,
  is: 'above',
  right,
})
const rises = (ticker: string, momentum: Operand): Condition => ({
  ...above(`${ticker.toLowerCase()}-rises`, momentum, number(0)),
  name: `${ticker} rises`,
})
const below = (id: string, left: Operand, right: Operand): Condition => ({
  kind: 'compare',
  id,
  left,
  is: 'below',
  right,
})
const hold = (id: string, ticker: string): Block => ({ kind: 'hold', id, rows: [{ ticker, pct: 100 }] })
const equal = { kind: 'equal' } as const
const top = (count: number, by: Operand) => ({ order: 'top', count, by }) as const

/** The mean of the growth over 1, 3, 6 and 12 months, each times this. */
const momentum = (times: readonly [number, number, number, number], ticker?: string): Operand => ({
  kind: 'sum',
  terms: [1, 3, 6, 12].map((months, i) => {
    const { feature: name, params } = growth(months * MONTH, ticker)
    return { times: times[i]!, feature: name, params }
  }),
})
/** As a yearly rate: 12, 4, 2 and 1 times, over 4. */
const momentum13612W = (ticker?: string) => momentum([3, 1, 0.5, 0.25], ticker)
const momentum13612U = (ticker?: string) => momentum([0.25, 0.25, 0.25, 0.25], ticker)

/** Growth over one, three and six months, added up. */
const accelerating = (): Operand => ({
  kind: 'sum',
  terms: [1, 3, 6].map((months) => ({ times: 1, feature: 'percent_change', params: { window: months * MONTH } })),
})

const tree = (check: CheckFrequency, cash: string, root: Block): RulesTree => ({
  version: RULES_VERSION,
  check,
  cash,
  root,
})

/** Every example, in the order of the gallery. */
export const rulesExamples: readonly RulesExample[] = [
  {
    key: 'dual-momentum',
    name: 'Dual momentum',
    description: 'US or foreign stocks, whichever rose more over a year, while US stocks beat T-bills; else bonds.',
    source: 'G. Antonacci, "Dual Momentum Investing", 2014 (Global Equities Momentum), with EFA for ACWI ex-US',
    tree: tree('monthly', 'TBILLX', {
      kind: 'if',
      id: 'absolute',
      name: 'Absolute momentum',
      condition: above('beats-bills', growth(YEAR, 'SPY'), growth(YEAR, 'BIL')),
      yes: {
        kind: 'pick',
        id: 'relative',
        name: 'Relative momentum',
        tickers: ['SPY', 'EFA'],
        rank: top(1, growth(YEAR)),
        weights: equal,
      },
      no: hold('bonds', 'AGG'),
    }),
  },
  {
    key: 'gtaa',
    name: 'Global tactical asset allocation',
    description: 'Five asset classes at 20% each, every one of them held while it is above its 10-month average.',
    source: 'M. Faber, "A quantitative approach to tactical asset allocation", Journal of Wealth Management, 2007',
    tree: tree('monthly', 'TBILLX', {
      kind: 'pick',
      id: 'classes',
      tickers: ['SPY', 'EFA', 'IEF', 'DBC', 'VNQ'],
      keep: above('trend', price(), average(10 * MONTH)),
      weights: equal,
    }),
  },
  {
    key: 'gtaa-aggressive',
    name: 'Aggressive GTAA',
    description: 'The three of six classes that rose most, each held while it is above its 10-month average.',
    source:
      'M. Faber, "A quantitative approach to tactical asset allocation", updated 2013 (GTAA AGG3), of six classes',
    tree: tree('monthly', 'TBILLX', {
      kind: 'pick',
      id: 'strongest',
      tickers: ['SPY', 'EFA', 'IEF', 'DBC', 'VNQ', 'GLD'],
      rank: top(3, momentum13612U()),
      keep: above('trend', price(), average(10 * MONTH)),
      weights: equal,
    }),
  },
  {
    key: 'haa',
    name: 'Hybrid asset allocation',
    description:
      'While TIPS rise, the four strongest of eight funds that rise themselves; else the better of bills and bonds.',
    source: 'W. Keller and J. Keuning, "Dual and canary momentum with rising yields/inflation: HAA", SSRN, 2023',
    tree: tree('monthly', 'TBILLX', {
      kind: 'if',
      id: 'canary',
      condition: above('tips-rise', momentum13612U('TIP'), number(0)),
      yes: {
        kind: 'pick',
        id: 'offensive',
        tickers: ['SPY', 'IWM', 'EFA', 'EEM', 'VNQ', 'DBC', 'IEF', 'TLT'],
        rank: top(4, momentum13612U()),
        keep: above('rises', momentum13612U(), number(0)),
        weights: equal,
        rest: { kind: 'use', id: 'replacement', of: 'defensive' },
      },
      no: {
        kind: 'pick',
        id: 'defensive',
        tickers: ['BIL', 'IEF'],
        rank: top(1, momentum13612U()),
        weights: equal,
      },
    }),
  },
  {
    key: 'vaa',
    name: 'Vigilant asset allocation',
    description: 'The strongest of four funds while all four rise, else the strongest of three bond funds.',
    source: 'W. Keller and J. Keuning, "Breadth momentum and vigilant asset allocation", SSRN, 2017 (VAA-G4)',
    tree: tree('monthly', 'TBILLX', {
      kind: 'if',
      id: 'breadth',
      condition: {
        kind: 'all',
        id: 'all-rise',
        of: ['SPY', 'EFA', 'EEM', 'AGG'].map((ticker) => rises(ticker, momentum13612W(ticker))),
      },
      yes: {
        kind: 'pick',
        id: 'offensive',
        tickers: ['SPY', 'EFA', 'EEM', 'AGG'],
        rank: top(1, momentum13612W()),
        weights: equal,
      },
      no: {
        kind: 'pick',
        id: 'defensive',
        tickers: ['LQD', 'IEF', 'SHY'],
        rank: top(1, momentum13612W()),
        weights: equal,
      },
    }),
  },
  {
    key: 'baa',
    name: 'Bold asset allocation',
    description:
      'The strongest of four funds while all four canaries rise, else three of seven defensive funds that beat bills.',
    source: 'W. Keller, "Relative and canary momentum in bold asset allocation", SSRN, 2022 (BAA-G4)',
    tree: tree('monthly', 'TBILLX', {
      kind: 'if',
      id: 'canaries',
      condition: {
        kind: 'all',
        id: 'all-rise',
        of: ['SPY', 'EEM', 'EFA', 'AGG'].map((ticker) => rises(ticker, momentum13612W(ticker))),
      },
      yes: {
        kind: 'pick',
        id: 'offensive',
        tickers: ['QQQ', 'EEM', 'EFA', 'AGG'],
        rank: top(1, feature('price_sma_ratio', { window: YEAR })),
        weights: equal,
      },
      no: {
        kind: 'pick',
        id: 'defensive',
        tickers: ['TIP', 'DBC', 'BIL', 'IEF', 'TLT', 'LQD', 'AGG'],
        rank: top(3, feature('price_sma_ratio', { window: YEAR })),
        keep: {
          kind: 'not',
          id: 'beats-bills',
          of: below(
            'below-bills',
            feature('price_sma_ratio', { window: YEAR }),
            feature('price_sma_ratio', { ticker: 'BIL', window: YEAR }),
          ),
        },
        weights: equal,
        rest: hold('bills', 'BIL'),
      },
    }),
  },
  {
    key: 'leveraged-trend',
    name: '200-day trend with leverage',
    description:
      'Twice the S&P 500 while it is above its 200-day average, else T-bills; a 3% tolerance keeps it from turning.',
    source: 'M. Gayed and C. Bilello, "Leverage for the long run", SSRN, 2016; the tolerance is added',
    tree: tree('daily', 'TBILLX', {
      kind: 'if',
      id: 'trend',
      condition: {
        kind: 'compare',
        id: 'above-average',
        left: price('SPY'),
        is: 'above',
        right: average(200, 'SPY'),
        tolerance: { size: 3, unit: 'percent', latched: true },
      },
      yes: hold('leveraged', 'SPY?L=2'),
      no: { kind: 'cash', id: 'bills' },
    }),
  },
  {
    key: 'sector-rotation',
    name: 'Sector rotation',
    description:
      'The three of nine sectors that rose most over three months, while the market is above its 10-month average.',
    source: 'M. Faber, "Relative strength strategies for investing", SSRN, 2010, with the Select Sector funds',
    tree: tree('monthly', 'TBILLX', {
      kind: 'if',
      id: 'market',
      condition: above('market-trend', price('SPY'), average(10 * MONTH, 'SPY')),
      yes: {
        kind: 'pick',
        id: 'sectors',
        tickers: ['XLB', 'XLE', 'XLF', 'XLI', 'XLK', 'XLP', 'XLU', 'XLV', 'XLY'],
        rank: top(3, growth(3 * MONTH)),
        weights: equal,
      },
      no: { kind: 'cash', id: 'out' },
    }),
  },
  {
    key: 'volatility-target',
    name: 'Volatility target',
    description: 'The S&P 500, less of it while its volatility is above 10% a year.',
    source:
      'A. Moreira and T. Muir, "Volatility-managed portfolios", Journal of Finance, 2017; by volatility, unlevered',
    tree: tree('monthly', 'TBILLX', {
      kind: 'pick',
      id: 'stocks',
      tickers: ['SPY'],
      weights: equal,
      volatilityTarget: { pct: 10, window: MONTH },
    }),
  },
  {
    key: 'macd-cross',
    name: 'MACD cross',
    description: 'The S&P 500 while its MACD line is above the signal line.',
    source: 'G. Appel, "Technical analysis: power tools for active investors", 2005',
    tree: tree('daily', 'CASHX', {
      kind: 'if',
      id: 'cross',
      condition: above(
        'line-above-signal',
        feature('macd', { ticker: 'SPY', output: 'line' }),
        feature('macd', { ticker: 'SPY', output: 'signal' }),
      ),
      yes: hold('stocks', 'SPY'),
      no: { kind: 'cash', id: 'out' },
    }),
  },
  {
    key: 'golden-cross',
    name: 'Golden cross',
    description: 'The S&P 500 once its 50-day average was above the 200-day one for three days in a row, else bonds.',
    source:
      'W. Brock, J. Lakonishok and B. LeBaron, "Simple technical trading rules", Journal of Finance, 1992; the wait is added',
    tree: tree('daily', 'TBILLX', {
      kind: 'if',
      id: 'cross',
      condition: {
        kind: 'streak',
        id: 'confirmed',
        checks: 3,
        of: above('golden', average(50, 'SPY'), average(200, 'SPY')),
      },
      yes: hold('stocks', 'SPY'),
      no: hold('bonds', 'TLT'),
    }),
  },
  {
    key: 'rsi-2',
    name: 'RSI(2) pullback',
    description: 'Buys a two-day fall in an uptrend and sells when the price is above its 5-day average.',
    source: 'L. Connors and C. Alvarez, "Short term trading strategies that work", 2009',
    tree: tree('daily', 'CASHX', {
      kind: 'if',
      id: 'trade',
      condition: {
        kind: 'latch',
        id: 'position',
        enter: {
          kind: 'all',
          id: 'pullback',
          of: [
            above('uptrend', price('SPY'), average(200, 'SPY')),
            below('oversold', feature('rsi', { ticker: 'SPY', window: 2 }), number(10)),
          ],
        },
        exit: above('recovered', price('SPY'), average(5, 'SPY')),
      },
      yes: hold('stocks', 'SPY'),
      no: { kind: 'cash', id: 'out' },
    }),
  },
  {
    key: 'permanent-portfolio',
    name: 'Permanent Portfolio with bands',
    description: 'Stocks, bonds, gold and bills at 25% each, brought back when one is 10 points off.',
    source: 'H. Browne, "Fail-safe investing", 1999',
    tree: tree('daily', 'TBILLX', {
      kind: 'hold',
      id: 'quarters',
      rows: ['SPY', 'TLT', 'GLD', 'BIL'].map((ticker) => ({ ticker, pct: 25 })),
      rebalance: { on: 'band', points: 10 },
    }),
  },
  {
    key: 'risk-parity',
    name: 'Risk parity',
    description: 'Stocks, bonds and gold with equal contributions to risk.',
    source:
      'S. Maillard, T. Roncalli and J. Teiletche, "The properties of equally weighted risk contribution portfolios", 2010',
    tree: tree('monthly', 'TBILLX', {
      kind: 'pick',
      id: 'assets',
      tickers: ['SPY', 'TLT', 'GLD'],
      weights: { kind: 'risk-parity', window: 6 * MONTH },
    }),
  },
  {
    key: 'adaptive',
    name: 'Adaptive asset allocation',
    description: 'Of six funds the three that rose most over half a year, with the least variance.',
    source:
      'A. Butler, M. Philbrick, R. Gordillo and D. Varadi, "Adaptive asset allocation: a primer", SSRN, 2012; six funds, one window',
    tree: tree('monthly', 'TBILLX', {
      kind: 'pick',
      id: 'calm',
      tickers: ['SPY', 'EFA', 'EEM', 'AGG', 'TLT', 'GLD'],
      rank: top(3, growth(6 * MONTH)),
      weights: { kind: 'minimum-variance', window: 3 * MONTH },
    }),
  },
  {
    key: 'market-timing',
    name: '10-month average',
    description: 'The S&P 500 while it ends the month above its 10-month average, else T-bills.',
    source:
      'M. Faber, "A quantitative approach to tactical asset allocation", Journal of Wealth Management, 2007 (timing of one class)',
    tree: tree('monthly', 'TBILLX', {
      kind: 'if',
      id: 'trend',
      condition: above('above-average', price('SPY'), average(10 * MONTH, 'SPY')),
      yes: hold('stocks', 'SPY'),
      no: { kind: 'cash', id: 'bills' },
    }),
  },
  {
    key: 'accelerating-momentum',
    name: 'Accelerating dual momentum',
    description:
      'US or foreign stocks, whichever rose more over one, three and six months, if it rose; else the better of two bond funds.',
    source:
      'S. Hanly and C. Ludlow, "Accelerating dual momentum investing", engineeredportfolio.com, 2018, with EFA for SCZ',
    tree: tree('monthly', 'TBILLX', {
      kind: 'pick',
      id: 'stocks',
      tickers: ['SPY', 'EFA'],
      rank: top(1, accelerating()),
      keep: above('rises', accelerating(), number(0)),
      weights: equal,
      rest: { kind: 'pick', id: 'bonds', tickers: ['TLT', 'TIP'], rank: top(1, growth(MONTH)), weights: equal },
    }),
  },
  {
    key: 'quint-switching',
    name: 'Quint switching',
    description: 'Of five funds the one that rose most over three months while all five rose, else Treasury bonds.',
    source: 'L. Glenn, "Simple and effective market timing with tactical asset allocation, part 2", SSRN, 2017',
    tree: tree('monthly', 'TBILLX', {
      kind: 'if',
      id: 'filter',
      condition: {
        kind: 'all',
        id: 'all-rise',
        of: ['SPY', 'QQQ', 'EEM', 'EFA', 'TLT'].map((ticker) => rises(ticker, growth(3 * MONTH, ticker))),
      },
      yes: {
        kind: 'pick',
        id: 'strongest',
        tickers: ['SPY', 'QQQ', 'EEM', 'EFA', 'TLT'],
        rank: top(1, growth(3 * MONTH)),
        weights: equal,
      },
      no: hold('bonds', 'IEF'),
    }),
  },
  {
    key: 'time-series-momentum',
    name: 'Time series momentum',
    description: 'Six asset classes at a sixth each, every one of them held while it rose over a year.',
    source:
      'T. Moskowitz, Y. Ooi and L. Pedersen, "Time series momentum", Journal of Financial Economics, 2012; long only, equal parts',
    tree: tree('monthly', 'TBILLX', {
      kind: 'pick',
      id: 'classes',
      tickers: ['SPY', 'EFA', 'EEM', 'TLT', 'GLD', 'DBC'],
      eligible: above('rose', growth(YEAR), number(0)),
      weights: equal,
    }),
  },
  {
    key: 'inverse-volatility',
    name: 'Inverse volatility',
    description: 'Four asset classes, each with one over its volatility of six months as its part.',
    source:
      'R. Leote de Carvalho, X. Lu and P. Moulin, "Demystifying equity risk-based strategies", 2012 (equal risk budget), of four funds',
    tree: tree('monthly', 'TBILLX', {
      kind: 'pick',
      id: 'classes',
      tickers: ['SPY', 'TLT', 'GLD', 'VNQ'],
      weights: { kind: 'inverse-volatility', window: 6 * MONTH },
    }),
  },
  {
    key: 'minimum-variance',
    name: 'Minimum variance',
    description: 'Five asset classes with the weights that varied least together over a year.',
    source:
      'R. Clarke, H. de Silva and S. Thorley, "Minimum-variance portfolios in the US equity market", Journal of Portfolio Management, 2006, of five funds',
    tree: tree('quarterly', 'TBILLX', {
      kind: 'pick',
      id: 'classes',
      tickers: ['SPY', 'EFA', 'TLT', 'GLD', 'DBC'],
      weights: { kind: 'minimum-variance', window: YEAR },
    }),
  },
]
