/**
 * What a strategy may be. Screens, calls and the server ask what a kind does, not which one it is: a further kind says it
 * here. The engine's part of each is in `engine/backtest/strategy-kinds.ts`.
 */
interface StrategyKind {
  /** In requests and passports: never changed. */
  readonly id: string
  /** On the screen, in saved strategies and on the wire. */
  readonly label: string
  /** Holds the same percentages all the time: traded at closes, side by side with others, and built by a construction. */
  readonly isFixed?: true
  /** A model learns from the past and predicts: windows, features, accuracy, training. */
  readonly learns?: true
  /** Made of blocks, each with its own rebalancing, whose numbers a study varies. */
  readonly hasBlocks?: true
  /** Accepts signals of other programs, at an address or in a file. */
  readonly receivesSignals?: true
  /** Which return is the first of a result, beside the dates of a form; left out where the user chooses. */
  readonly startHint?: string
  /** Why a deployment trains nothing. */
  readonly untrained?: string
}

export const strategyKinds = [
  {
    id: 'allocation',
    label: 'Asset Allocation',
    isFixed: true,
    untrained: 'An Asset Allocation strategy makes no predictions, so no model is trained.',
  },
  {
    id: 'ml',
    label: 'ML',
    learns: true,
    startHint: 'The result begins with the first prediction, at the close of its bar.',
  },
  {
    id: 'rules',
    label: 'Rules',
    hasBlocks: true,
    startHint: 'The account begins in cash and is invested after the first check.',
    untrained:
      'A strategy of rules makes no predictions, so no model is trained. Its rules are followed from the start date of its backtest.',
  },
  {
    id: 'external',
    label: 'External signal',
    receivesSignals: true,
    startHint: 'A signal counts from the first bar that is decided after it was received.',
    untrained:
      'Signals come from outside, so no model is trained. The newest one that was accepted before a check decides.',
  },
] as const satisfies readonly StrategyKind[]

export type StrategyKindId = (typeof strategyKinds)[number]['id']
/** As screens, saved strategies and calls name a kind. */
export type StrategyType = (typeof strategyKinds)[number]['label']

type Labels = readonly ['Asset Allocation', 'ML', 'Rules', 'External signal']
export const STRATEGY_TYPES = strategyKinds.map(({ label }) => label) as readonly StrategyType[] as Labels

export const strategyTypeOf = (id: StrategyKindId): StrategyType => strategyKinds.find((kind) => kind.id === id)!.label

export const strategyKindOf = (type: StrategyType): StrategyKindId =>
  strategyKinds.find(({ label }) => label === type)!.id

/** What a kind does, by its name; nothing for a strategy that is not known yet. */
export const kindNamed = (type: string | undefined): Omit<StrategyKind, 'id' | 'label'> =>
  strategyKinds.find(({ label }) => label === type) ?? {}

/** What a kind does, by its id. */
const kindFacts: Readonly<Record<StrategyKindId, StrategyKind>> = Object.fromEntries(
  strategyKinds.map((kind) => [kind.id, kind]),
) as unknown as Record<StrategyKindId, StrategyKind>

interface OfKind {
  readonly kind: StrategyKindId
}

/** Whether a strategy, or what was planned or prepared of it, does what its kind says; its own fields are known then. */
export const isFixed = <One extends OfKind>(one: One): one is One & { readonly kind: 'allocation' } =>
  kindFacts[one.kind].isFixed === true
export const learns = <One extends OfKind>(one: One): one is One & { readonly kind: 'ml' } =>
  kindFacts[one.kind].learns === true
export const hasBlocks = <One extends OfKind>(one: One): one is One & { readonly kind: 'rules' } =>
  kindFacts[one.kind].hasBlocks === true
export const receivesSignals = <One extends OfKind>(one: One): one is One & { readonly kind: 'external' } =>
  kindFacts[one.kind].receivesSignals === true
