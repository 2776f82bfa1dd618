/** What the kinds of strategy are made of, described once beside the settings that all of them have. */
import type { Bounds, Described, SettingName } from './backtest-settings.ts'
import { defaultModel, modelLabels, usualRounds } from './model-catalogue.ts'
import { type StrategyKindId, strategyKinds } from './strategy-kinds.ts'
import { strategyLimits } from './strategy-limits.ts'

/** What a kind of strategy is made of: read by the kind itself, and not a setting of the engine's request. */
export type StrategyField = { readonly kinds: readonly StrategyKindId[] } & Described &
  (
    | {
        readonly type: 'number' | 'whole' | 'flag' | 'word'
        readonly bounds?: Bounds
        /** The value in a new form; undefined: may stay empty. */
        readonly default: number | boolean | string | undefined
        /** Models with these settings alone have it. */
        readonly models?: 'trees' | 'rounds'
      }
    | { readonly type: 'choice'; readonly choices: Readonly<Record<string, string>>; readonly default: string }
    /** Tickers with percentages: a list in JSON, two repeated fields in a form. */
    | { readonly type: 'rows'; readonly columns: readonly [tickers: string, percentages: string] }
    /** JSON within the text of a form. `selection`: an id with its parameters. */
    | { readonly type: 'object' | 'selection' | 'selections'; readonly maxLength: number }
  )

const labelled = Object.fromEntries(modelLabels.map((label) => [label, label]))
const modelChoices = `${[`${defaultModel.label} (default)`, ...modelLabels.slice(1, -1)].join(', ')} or ${modelLabels.at(-1)}`

const ML = ['ml'] as const

export const strategyFields = {
  dataProvider: {
    type: 'word',
    default: 'auto',
    kinds: strategyKinds.map(({ id }) => id),
    what: 'The data provider',
    label: 'Data provider',
    note: 'auto (default), yahoo, fred or the id of another provider',
  },
  allocations: {
    type: 'rows',
    columns: ['ticker[]', 'allocation[]'],
    kinds: ['allocation'],
    what: 'The allocation',
    label: 'Allocation',
  },
  rules: {
    type: 'object',
    maxLength: 300_000,
    kinds: ['rules'],
    what: 'The rules',
    label: 'Rules',
    note: 'JSON of {version, check, cash, root}',
  },
  external: {
    type: 'object',
    maxLength: 200_000,
    kinds: ['external'],
    what: 'The external signal',
    label: 'External signal',
    note: 'JSON of {allocations, initial, max_weight_pct}',
  },
  mlModelType: {
    type: 'choice',
    choices: labelled,
    default: defaultModel.label,
    kinds: ML,
    what: 'The model type',
    label: 'Model',
    note: modelChoices,
  },
  trainSize: {
    type: 'number',
    default: 70,
    kinds: ML,
    what: 'The train size',
    label: 'Train size',
    note: 'Percent, default 70',
  },
  testSize: {
    type: 'number',
    default: 30,
    kinds: ML,
    what: 'The test size',
    label: 'Test size',
    note: 'Percent, default 100 - trainSize; both together must be 100',
  },
  walkForwardEnabled: { type: 'flag', default: false, kinds: ML, what: 'Walk-forward', label: 'Walk-forward analysis' },
  wfStepSizePct: {
    type: 'number',
    default: undefined,
    kinds: ML,
    what: 'The step size',
    label: 'Step size',
    note: 'Left out: automatic',
  },
  wfTrainWindowPct: {
    type: 'number',
    default: 50,
    kinds: ML,
    what: 'The train window',
    label: 'Train window',
    note: 'Default 50',
  },
  wfTestWindowPct: {
    type: 'number',
    default: 10,
    kinds: ML,
    what: 'The test window',
    label: 'Test window',
    note: 'Default 10',
  },
  /** `sqrt`, `log2`, `auto`, `all`, a share up to 1 or a number of columns. */
  max_features: {
    type: 'word',
    default: 'sqrt',
    models: 'trees',
    kinds: ML,
    what: 'max_features',
    label: 'Max features',
    note: 'sqrt (default), log2, auto, all, a share up to 1, or a number of columns',
  },
  min_samples_leaf: {
    type: 'number',
    default: 3,
    models: 'trees',
    kinds: ML,
    what: 'min_samples_leaf',
    label: 'Min samples per leaf',
    note: 'Rows, default 3; below 1 a share of the training rows (recommended: 0.05)',
  },
  min_samples_split: {
    type: 'number',
    default: 3,
    models: 'trees',
    kinds: ML,
    what: 'min_samples_split',
    label: 'Min samples to split',
    note: 'Default 3',
  },
  n_estimators: {
    type: 'whole',
    bounds: { min: 1, max: strategyLimits.trees },
    default: 3000,
    models: 'trees',
    kinds: ML,
    what: 'n_estimators',
    label: 'Trees',
    note: '1 to 5000, default 3000 (recommended: 500)',
  },
  /** Settings of XGBoost alone; the four settings of trees above are not its own. */
  boosting_rounds: {
    type: 'whole',
    bounds: { min: 1, max: strategyLimits.boostingRounds },
    default: usualRounds.rounds,
    models: 'rounds',
    kinds: ML,
    what: 'boosting_rounds',
    label: 'Rounds',
    note: '1 to 5000, default 100 (recommended: 200)',
  },
  max_depth: {
    type: 'whole',
    bounds: { min: 1, max: strategyLimits.boostingDepth },
    default: usualRounds.maxDepth,
    models: 'rounds',
    kinds: ML,
    what: 'max_depth',
    label: 'Max depth',
    note: '1 to 16, default 6 (recommended: 2)',
  },
  learning_rate: {
    type: 'number',
    bounds: { min: 1e-6, max: 1 },
    default: usualRounds.eta,
    models: 'rounds',
    kinds: ML,
    what: 'learning_rate',
    label: 'Learning rate',
    note: 'Default 0.3 (recommended: 0.05)',
  },
  min_leaf_share: {
    type: 'number',
    bounds: { min: 1e-6, max: 0.5 },
    default: undefined,
    models: 'rounds',
    kinds: ML,
    what: 'min_leaf_share',
    label: 'Min leaf share',
    note: 'Of the training rows, up to 0.5; left out: none (recommended: 0.02)',
  },
  find_rounds: {
    type: 'flag',
    default: false,
    models: 'rounds',
    kinds: ML,
    what: 'find_rounds',
    label: 'Find the number of rounds',
    note: 'Finds the number of rounds, up to boosting_rounds, on purged folds of the training rows',
  },
  features: {
    type: 'selections',
    maxLength: 500_000,
    kinds: ML,
    what: 'The list of features',
    label: 'Features',
    note: 'JSON list of {id, name, params}',
  },
  target: {
    type: 'selection',
    maxLength: 20_000,
    kinds: ML,
    what: 'The target',
    label: 'Target',
    note: 'JSON of {id, params}, or an id',
  },
  /** Held while the signal is 1. */
  signal1Allocations: {
    type: 'rows',
    columns: ['signal1_ticker[]', 'signal1_allocation[]'],
    kinds: ML,
    what: 'The Buy allocation',
    label: 'Buy',
  },
  /** Held while it is 0; no rows are cash. */
  signal0Allocations: {
    type: 'rows',
    columns: ['signal0_ticker[]', 'signal0_allocation[]'],
    kinds: ML,
    what: 'The Sell allocation',
    label: 'Sell',
  },
} as const satisfies Record<string, StrategyField>

type Fields = typeof strategyFields
/** A setting of all kinds, or a field of some. */
export type FieldName = SettingName | keyof Fields

export const fieldEntries: readonly (readonly [keyof Fields, StrategyField])[] = Object.entries(strategyFields) as never
