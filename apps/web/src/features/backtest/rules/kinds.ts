import type { Block, Condition } from '@tradewright/core/rules/tree'

export type RuleNode = Block | Condition
export type Family = 'block' | 'condition'

/** What a card shows between its head and the cards inside it. Each has one component, in `kind-fields.tsx`. */
export type FieldName =
  'rows' | 'tickers' | 'rank' | 'pick weights' | 'group weights' | 'rebalance' | 'use' | 'cash' | 'compare' | 'checks'

/** A place for other cards inside a card. */
export interface SlotKind {
  /** The field of the node. */
  readonly key: string
  readonly family: Family
  /** Before the card inside it: `Then`. */
  readonly label: string
  /** `one` is always filled, `list` holds any number. */
  readonly holds: 'one' | 'optional' | 'list'
  /** The label of the button that fills it, where it may be empty. */
  readonly add?: string
  /** Conditions in it are asked for each ticker of the card: a feature needs no ticker. */
  readonly isByMember?: boolean
}

interface KindEntry {
  readonly family: Family
  readonly label: string
  readonly hint: string
  readonly fields: readonly FieldName[]
  readonly slots: readonly SlotKind[]
  readonly create: (id: string) => RuleNode
}

const rest: SlotKind = {
  key: 'rest',
  family: 'block',
  label: 'Rest',
  holds: 'optional',
  add: 'Say where the rest goes',
}
const cash = (id: string): Block => ({ kind: 'cash', id })
/** The close of SPY above its 200-day average: an example that runs. */
const compare = (id: string): Condition => ({
  kind: 'compare',
  id,
  left: { kind: 'feature', feature: 'sma', params: { ticker: 'SPY', window: 1 } },
  is: 'above',
  right: { kind: 'feature', feature: 'sma', params: { ticker: 'SPY', window: 200 } },
})
const many = (family: Family, key: string, label: string, add: string): SlotKind => ({
  key,
  family,
  label,
  holds: 'list',
  add,
})
const one = (family: Family, key: string, label: string): SlotKind => ({ key, family, label, holds: 'one' })

/** Every kind of card. To add one, add an entry; menus, cards and edits follow it. */
export const ruleKinds: Readonly<Record<RuleNode['kind'], KindEntry>> = {
  if: {
    family: 'block',
    label: 'If',
    hint: 'One of two blocks, by a condition',
    fields: [],
    slots: [one('condition', 'condition', 'If'), one('block', 'yes', 'Then'), one('block', 'no', 'Else')],
    create: (id) => ({
      kind: 'if',
      id,
      condition: compare(`${id}-condition`),
      yes: cash(`${id}-then`),
      no: cash(`${id}-else`),
    }),
  },
  pick: {
    family: 'block',
    label: 'Pick',
    hint: 'Tickers of a list: those that qualify, the best of them, weighted',
    fields: ['tickers', 'rank', 'pick weights', 'rebalance'],
    slots: [
      {
        key: 'eligible',
        family: 'condition',
        label: 'Of those where',
        holds: 'optional',
        add: 'Filter before ranking',
        isByMember: true,
      },
      {
        key: 'keep',
        family: 'condition',
        label: 'Hold each while',
        holds: 'optional',
        add: 'Filter after ranking',
        isByMember: true,
      },
      rest,
    ],
    create: (id) => ({ kind: 'pick', id, tickers: [], weights: { kind: 'equal' } }),
  },
  hold: {
    family: 'block',
    label: 'Hold',
    hint: 'Tickers at fixed percentages',
    fields: ['rows', 'rebalance'],
    slots: [rest],
    create: (id) => ({ kind: 'hold', id, rows: [{ ticker: 'SPY', pct: 100 }] }),
  },
  group: {
    family: 'block',
    label: 'Group',
    hint: 'Blocks side by side',
    fields: ['group weights', 'rebalance'],
    slots: [many('block', 'children', 'Part', 'Add block'), rest],
    create: (id) => ({ kind: 'group', id, weights: { kind: 'equal' }, children: [] }),
  },
  use: {
    family: 'block',
    label: 'Same as',
    hint: 'Another block of the tree once more',
    fields: ['use'],
    slots: [],
    create: (id) => ({ kind: 'use', id, of: '' }),
  },
  cash: {
    family: 'block',
    label: 'Cash',
    hint: 'All in the cash ticker',
    fields: ['cash'],
    slots: [],
    create: cash,
  },
  compare: {
    family: 'condition',
    label: 'Compare',
    hint: 'A value is above or below another',
    fields: ['compare'],
    slots: [],
    create: compare,
  },
  all: {
    family: 'condition',
    label: 'All of',
    hint: 'Every condition is true',
    fields: [],
    slots: [many('condition', 'of', 'And', 'Add condition')],
    create: (id) => ({ kind: 'all', id, of: [] }),
  },
  any: {
    family: 'condition',
    label: 'Any of',
    hint: 'At least one condition is true',
    fields: [],
    slots: [many('condition', 'of', 'Or', 'Add condition')],
    create: (id) => ({ kind: 'any', id, of: [] }),
  },
  not: {
    family: 'condition',
    label: 'Not',
    hint: 'The condition is false',
    fields: [],
    slots: [one('condition', 'of', 'Not')],
    create: (id) => ({ kind: 'not', id, of: compare(`${id}-of`) }),
  },
  streak: {
    family: 'condition',
    label: 'In a row',
    hint: 'True at so many checks in a row',
    fields: ['checks'],
    slots: [one('condition', 'of', 'True')],
    create: (id) => ({ kind: 'streak', id, checks: 3, of: compare(`${id}-of`) }),
  },
  latch: {
    family: 'condition',
    label: 'Latch',
    hint: 'Turned on by one condition and off by another',
    fields: [],
    slots: [one('condition', 'enter', 'Turns on when'), one('condition', 'exit', 'Turns off when')],
    create: (id) => ({
      kind: 'latch',
      id,
      enter: compare(`${id}-enter`),
      exit: compare(`${id}-exit`),
    }),
  },
}

export type RuleKind = RuleNode['kind']

export const kindsOf = (family: Family): RuleKind[] =>
  (Object.keys(ruleKinds) as RuleKind[]).filter((kind) => ruleKinds[kind].family === family)

/** What stands where a card was deleted that something must replace. */
export const emptyKind: Readonly<Record<Family, RuleKind>> = { block: 'cash', condition: 'compare' }
