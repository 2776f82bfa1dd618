/** What a strategy may be. The id stands in requests and passports, the label on the screen and on the wire: neither is changed. */
export const strategyKinds = [
  { id: 'allocation', label: 'Asset Allocation' },
  { id: 'ml', label: 'ML' },
  { id: 'rules', label: 'Rules' },
  { id: 'external', label: 'External signal' },
] as const

export type StrategyKindId = (typeof strategyKinds)[number]['id']
/** As screens, saved strategies and calls name a kind. */
export type StrategyType = (typeof strategyKinds)[number]['label']

export const STRATEGY_TYPES = strategyKinds.map(({ label }) => label) as readonly StrategyType[] as readonly [
  'Asset Allocation',
  'ML',
  'Rules',
  'External signal',
]

export const strategyTypeOf = (id: StrategyKindId): StrategyType => strategyKinds.find((kind) => kind.id === id)!.label

export const strategyKindOf = (type: StrategyType): StrategyKindId =>
  strategyKinds.find(({ label }) => label === type)!.id
