/** A number that a method may be given. */
interface ConstructionParameter {
  readonly key: string
  readonly label: string
  /** What it does. */
  readonly hint: string
  readonly unit?: string
  readonly min: number
  readonly max: number
  readonly step: number
  readonly default: number
}

interface ConstructionMethod {
  readonly id: string
  readonly label: string
  /** What is solved for, for a reader who does not know it. */
  readonly definition: string
  /** Where it was published. */
  readonly source: string
  readonly parameters: readonly ConstructionParameter[]
  /** How limits are met: as a part of the problem, or by the nearest weights that meet them. */
  readonly limits: 'solved' | 'nearest' | 'none'
  /** Whether expected returns decide, which are known much worse than risks. */
  readonly needsReturns: boolean
}

const riskAversion: ConstructionParameter = {
  key: 'risk_aversion',
  label: 'Risk aversion',
  hint: 'Of return − aversion / 2 × variance: 1 is barely risk-averse, 10 strongly so.',
  min: 0.1,
  max: 100,
  step: 0.5,
  default: 4,
}

/** Every way to find weights, in the order of the form. The function that solves each is in engine/construction/methods.ts. */
const methods = [
  {
    id: 'equal',
    label: 'Equal weights',
    definition: 'The same weight for every ticker. Nothing is estimated; it is what the others have to beat.',
    source: 'DeMiguel, Garlappi and Uppal, “Optimal versus naive diversification”, 2009',
    parameters: [],
    limits: 'none',
    needsReturns: false,
  },
  {
    id: 'inverse_volatility',
    label: 'Inverse volatility',
    definition: 'Weights in proportion to 1 / volatility; correlations do not count.',
    source: 'Used in practice as “naive risk parity”',
    parameters: [],
    limits: 'nearest',
    needsReturns: false,
  },
  {
    id: 'min_variance',
    label: 'Minimum variance',
    definition: 'The weights with the lowest variance, regardless of returns.',
    source: 'Markowitz, “Portfolio selection”, 1952',
    parameters: [],
    limits: 'solved',
    needsReturns: false,
  },
  {
    id: 'mean_variance',
    label: 'Mean-variance',
    definition: 'The highest mean return − aversion / 2 × variance, by the mean returns of the window.',
    source: 'Markowitz, “Portfolio selection”, 1952',
    parameters: [riskAversion],
    limits: 'solved',
    needsReturns: true,
  },
  {
    id: 'max_diversification',
    label: 'Maximum diversification',
    definition: 'The highest average volatility of the holdings / volatility of the portfolio.',
    source: 'Choueifaty and Coignard, “Toward maximum diversification”, 2008',
    parameters: [],
    limits: 'solved',
    needsReturns: false,
  },
  {
    id: 'risk_parity',
    label: 'Risk parity',
    definition: 'Every ticker contributes the same part of the variance.',
    source: 'Maillard, Roncalli and Teïletche, “The properties of equally weighted risk contribution portfolios”, 2010',
    parameters: [],
    limits: 'nearest',
    needsReturns: false,
  },
  {
    id: 'hierarchical_risk_parity',
    label: 'Hierarchical risk parity',
    definition:
      'Tickers are ordered by how similarly they move (single linkage), and money is divided from the top down, half against half, by inverse variance.',
    source: 'López de Prado, “Building diversified portfolios that outperform out of sample”, 2016',
    parameters: [],
    limits: 'nearest',
    needsReturns: false,
  },
  {
    id: 'min_cvar',
    label: 'Minimum CVaR',
    definition: 'The weights with the least mean loss over the worst bars of the window.',
    source: 'Rockafellar and Uryasev, “Optimization of conditional value-at-risk”, 2000',
    parameters: [
      {
        key: 'confidence_pct',
        label: 'Confidence',
        hint: '95: the mean of the worst 5% of the bars counts.',
        unit: '%',
        min: 50,
        max: 99.5,
        step: 0.5,
        default: 95,
      },
    ],
    limits: 'solved',
    needsReturns: false,
  },
  {
    id: 'black_litterman',
    label: 'Black-Litterman',
    definition:
      'Expected returns under which your own weights would be optimal, moved towards your views according to your confidence in them; then mean-variance.',
    source: 'Black and Litterman, “Global portfolio optimization”, 1992; He and Litterman, 1999',
    parameters: [
      { ...riskAversion, default: 2.5 },
      {
        key: 'tau',
        label: 'Tau',
        hint: 'How uncertain the starting returns are, as a part of the variance.',
        min: 0.001,
        max: 1,
        step: 0.01,
        default: 0.05,
      },
    ],
    limits: 'solved',
    needsReturns: true,
  },
] as const satisfies readonly ConstructionMethod[]

export type ConstructionMethodId = (typeof methods)[number]['id']
export const constructionMethods: readonly (ConstructionMethod & { readonly id: ConstructionMethodId })[] = methods
export const constructionMethodIds = methods.map(({ id }) => id) as [ConstructionMethodId, ...ConstructionMethodId[]]

/** What others are compared with; always computed. */
export const BASELINE_METHOD: ConstructionMethodId = 'equal'

export const constructionMethodOf = (id: ConstructionMethodId): ConstructionMethod =>
  constructionMethods.find((method) => method.id === id)!

/** How risks are estimated from the returns of a window. */
export const covarianceEstimators = {
  ledoit_wolf: {
    label: 'Ledoit-Wolf shrinkage',
    definition:
      'The sample covariance drawn towards equal variances without correlation, as far as its own noise calls for. ' +
      'Ledoit and Wolf, “A well-conditioned estimator for large-dimensional covariance matrices”, 2004.',
  },
  sample: { label: 'Sample covariance', definition: 'The sample covariance of the returns in the window, unchanged.' },
} as const

export type CovarianceEstimator = keyof typeof covarianceEstimators
export const covarianceEstimatorIds = Object.keys(covarianceEstimators) as [
  CovarianceEstimator,
  ...CovarianceEstimator[],
]

export const constructionRebalances = ['monthly', 'quarterly', 'yearly'] as const
export type ConstructionRebalance = (typeof constructionRebalances)[number]

export const CONSTRUCTION_LIMITS = {
  tickers: { min: 2, max: 50 },
  groups: 20,
  views: 20,
  windowMonths: { min: 3, max: 240, default: 36 },
  turnoverPct: { min: 0, max: 100 },
  /** Points of the drawn frontier. */
  frontierPoints: 30,
} as const
