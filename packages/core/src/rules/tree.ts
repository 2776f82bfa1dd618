/**
 * A rule strategy: a tree of blocks that says at each check how the account is divided. What every part means is said in
 * docs/rules.md. Plain JSON, so that a tree is its own export format.
 */
export interface RulesTree {
  readonly version: typeof RULES_VERSION
  /** When the tree is evaluated: at every bar, or at the last bar of each day, week, month, quarter or year. */
  readonly check: CheckFrequency
  /** The ticker that holds what no block takes. CASHX is cash that earns nothing. */
  readonly cash: string
  readonly root: Block
}

/** Counted up when an earlier tree would mean something else. */
export const RULES_VERSION = 1

export const checkFrequencies = ['bar', 'daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const
export type CheckFrequency = (typeof checkFrequencies)[number]

/** Limits that keep a tree readable and a check cheap. */
export const MAX_BLOCKS = 500
export const MAX_DEPTH = 6
export const MAX_PICK_TICKERS = 100
/** Tickers of all blocks, as often as they are named. */
export const MAX_TREE_TICKERS = 2_000
/** Risk parity and minimum variance need a correlation of every pair. */
export const MAX_COVARIANCE_TICKERS = 30
export const MAX_SUM_TERMS = 12
export const MAX_STREAK = 1000

export type Block = HoldBlock | PickBlock | GroupBlock | IfBlock | UseBlock | CashBlock

interface Named {
  /** Unique in the tree: state, trace and problems name it. */
  readonly id: string
  readonly name?: string | undefined
}

/** What a block that divides its money has: when it is divided anew, and where the undivided rest goes. */
interface Divides extends Named {
  /** Absent: at every check. */
  readonly rebalance?: Rebalance | undefined
  /** Takes what the block does not invest. Absent: the tree's cash. */
  readonly rest?: Block | undefined
}

export type Rebalance =
  | { readonly on: 'check' }
  /** Rebalances at the first check at or after the last bar of each period. */
  | { readonly on: 'calendar'; readonly every: RebalancePeriod }
  /** When a part is off its weight by more than so many percentage points of the block. */
  | { readonly on: 'band'; readonly points: number }
  /** When what the block holds changes. */
  | { readonly on: 'change' }

export const rebalancePeriods = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const
type RebalancePeriod = (typeof rebalancePeriods)[number]

/** Fixed percentages of tickers. */
interface HoldBlock extends Divides {
  readonly kind: 'hold'
  readonly rows: readonly { readonly ticker: string; readonly pct: number }[]
}

/** Tickers of a universe: those that qualify, the best of them by a score, weighted. */
export interface PickBlock extends Divides {
  readonly kind: 'pick'
  readonly tickers: readonly string[]
  /** Before the ranking. A feature without a ticker is of the member concerned, here and below. */
  readonly eligible?: Condition | undefined
  /** Absent: every eligible member is chosen. */
  readonly rank?: { readonly order: 'top' | 'bottom'; readonly count: number; readonly by: Operand } | undefined
  /** Asked after the ranking: a chosen member that fails leaves its share to the rest. */
  readonly keep?: Condition | undefined
  readonly weights: PickWeights
  /** What becomes of the share of empty places: the rest takes it (the default), or the others do. */
  readonly unfilled?: 'rest' | 'spread' | undefined
  /** Holds less of everything while the block's own volatility a year is above so many percent. */
  readonly volatilityTarget?: { readonly pct: number; readonly window: number } | undefined
}

export type PickWeights =
  | { readonly kind: 'equal' }
  /** The first place gets most: n, n-1, ... 1 parts. */
  | { readonly kind: 'rank' }
  /** Percentages by place. */
  | { readonly kind: 'fixed'; readonly pcts: readonly number[] }
  | { readonly kind: 'inverse-volatility' | 'risk-parity' | 'minimum-variance'; readonly window: number }

/** Blocks side by side. */
interface GroupBlock extends Divides {
  readonly kind: 'group'
  readonly children: readonly Block[]
  readonly weights: { readonly kind: 'equal' } | { readonly kind: 'fixed'; readonly pcts: readonly number[] }
}

interface IfBlock extends Named {
  readonly kind: 'if'
  readonly condition: Condition
  readonly yes: Block
  readonly no: Block
}

/** The same as another block of the tree. */
interface UseBlock extends Named {
  readonly kind: 'use'
  readonly of: string
}

/** All in the tree's cash. */
interface CashBlock extends Named {
  readonly kind: 'cash'
}

export type Condition =
  CompareCondition | ManyCondition<'all'> | ManyCondition<'any'> | NotCondition | StreakCondition | LatchCondition

interface CompareCondition extends Named {
  readonly kind: 'compare'
  readonly left: Operand
  readonly is: 'above' | 'below'
  readonly right: Operand
  readonly tolerance?: Tolerance | undefined
}

export interface Tolerance {
  readonly size: number
  /** A percentage of the right side, or points of the right side's own unit. */
  readonly unit: 'percent' | 'points'
  /** Inside the tolerance the last answer stays. Else the comparison is only true beyond the tolerance. */
  readonly latched: boolean
}

interface ManyCondition<Kind> extends Named {
  readonly kind: Kind
  readonly of: readonly Condition[]
}

interface NotCondition extends Named {
  readonly kind: 'not'
  readonly of: Condition
}

/** True when it was true at so many checks in a row, this one included. */
interface StreakCondition extends Named {
  readonly kind: 'streak'
  readonly checks: number
  readonly of: Condition
}

/** Turns on by one condition and off by another. */
interface LatchCondition extends Named {
  readonly kind: 'latch'
  readonly enter: Condition
  readonly exit: Condition
}

export type Operand =
  | { readonly kind: 'number'; readonly value: number }
  | FeatureOperand
  /** Features times numbers, added up. */
  | { readonly kind: 'sum'; readonly terms: readonly (FeatureTerm & { readonly times: number })[] }

export interface FeatureOperand extends FeatureTerm {
  readonly kind: 'feature'
}

interface FeatureTerm {
  /** The key of the feature catalogue. */
  readonly feature: string
  /** Without `ticker` in a pick: of the member. */
  readonly params: Readonly<Record<string, string | number>>
}

/** The blocks directly inside a block, with the way to them. */
export function childBlocks(block: Block): { block: Block; path: (string | number)[] }[] {
  const rest = 'rest' in block && block.rest ? [{ block: block.rest, path: ['rest'] }] : []
  if (block.kind === 'group') {
    return [...block.children.map((child, i) => ({ block: child, path: ['children', i] })), ...rest]
  }
  if (block.kind === 'if') {
    return [
      { block: block.yes, path: ['yes'] },
      { block: block.no, path: ['no'] },
    ]
  }
  return rest
}

/** The conditions directly inside a block. */
export function conditionsOf(block: Block): { condition: Condition; path: (string | number)[] }[] {
  if (block.kind === 'if') return [{ condition: block.condition, path: ['condition'] }]
  if (block.kind !== 'pick') return []
  return [
    ...(block.eligible ? [{ condition: block.eligible, path: ['eligible'] }] : []),
    ...(block.keep ? [{ condition: block.keep, path: ['keep'] }] : []),
  ]
}

/** The conditions directly inside a condition. */
export function childConditions(condition: Condition): { condition: Condition; path: (string | number)[] }[] {
  if (condition.kind === 'all' || condition.kind === 'any') {
    return condition.of.map((one, i) => ({ condition: one, path: ['of', i] }))
  }
  if (condition.kind === 'not' || condition.kind === 'streak') return [{ condition: condition.of, path: ['of'] }]
  if (condition.kind === 'latch') {
    return [
      { condition: condition.enter, path: ['enter'] },
      { condition: condition.exit, path: ['exit'] },
    ]
  }
  return []
}

/** Each feature an operand is made of. */
export function featuresOf(operand: Operand): readonly FeatureTerm[] {
  if (operand.kind === 'number') return []
  return operand.kind === 'feature' ? [operand] : operand.terms
}

interface Titled {
  readonly id: string
  readonly name?: string | undefined
  readonly kind?: string
  readonly rows?: readonly { readonly ticker: string }[]
  readonly tickers?: readonly string[]
}

/** Ids that the editor gave; what the block holds says more. */
const AUTOMATIC_ID = /^(?:if|pick|hold|group|use|cash)-\d+(?:-then|-else)?$/
const MAX_TITLE_TICKERS = 3
const KIND_WORDS = new Map([
  ['if', 'If'],
  ['pick', 'Pick'],
  ['hold', 'Hold'],
  ['group', 'Group'],
  ['use', 'Same as'],
])

/** What a block or condition is called: its name, else its id as words, or what it holds where the id says nothing. */
export function titleOf({ id, name, kind, rows, tickers }: Titled): string {
  if (name !== undefined && name.trim() !== '') return name
  if (AUTOMATIC_ID.test(id)) {
    if (kind === 'cash') return 'Cash'
    const held = (rows?.map(({ ticker }) => ticker) ?? tickers ?? []).filter((ticker) => ticker !== '')
    if (held.length > MAX_TITLE_TICKERS) return `${held.slice(0, MAX_TITLE_TICKERS).join(', ')} and others`
    if (held.length > 0) return held.join(', ')
    const number = /^[a-z]+-(\d+)$/.exec(id)?.[1]
    // A block keeps its id when it becomes one of another kind.
    if (kind !== undefined && number !== undefined) return `${KIND_WORDS.get(kind) ?? kind} ${number}`
  }
  const words = id.replaceAll(/[-_]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The block with this id, wherever it is. */
export function blockWithId(block: Block, id: string): Block | undefined {
  if (block.id === id) return block
  for (const child of childBlocks(block)) {
    const found = blockWithId(child.block, id)
    if (found) return found
  }
  return undefined
}
