import type { StrategyItem, StrategyPerformance } from '@tradewright/contract/strategies'

export const PAGE_SIZE = 10
const TOP_COUNT = 5

export const ALL_TYPES = 'all'
export const SORTS = {
  name: 'Sort by Name',
  newest: 'Newest First',
  oldest: 'Oldest First',
  type: 'By Type',
} as const
type Sort = keyof typeof SORTS

export interface Filters {
  search: string
  type: string
  sort: Sort
}

/** From the start, and what Reset restores. */
export const NO_FILTERS: Filters = { search: '', type: ALL_TYPES, sort: 'newest' }

export const isSort = (value: string): value is Sort => value in SORTS

/** The search covers name and description. */
export function listed(strategies: readonly StrategyItem[], { search, type, sort }: Filters): StrategyItem[] {
  const wanted = search.trim().toLowerCase()
  return strategies
    .filter((strategy) => type === ALL_TYPES || strategy.strategy_type === type)
    .filter(({ name, description }) => `${name}\n${description ?? ''}`.toLowerCase().includes(wanted))
    .toSorted(ORDERS[sort])
}

const byName = (a: StrategyItem, b: StrategyItem) => a.name.localeCompare(b.name)
const ORDERS: Record<Sort, (a: StrategyItem, b: StrategyItem) => number> = {
  name: byName,
  newest: (a, b) => b.created_at.localeCompare(a.created_at),
  oldest: (a, b) => a.created_at.localeCompare(b.created_at),
  type: (a, b) => a.strategy_type.localeCompare(b.strategy_type) || byName(a, b),
}

export const typesOf = (strategies: readonly StrategyItem[]): string[] =>
  [...new Set(strategies.map(({ strategy_type }) => strategy_type))].sort()

/** A CAGR is a fraction, or text that is already formatted and then shown as it is. */
export type Cagr = StrategyPerformance['cagr_numeric']

/** As a fraction, for ranking and colour; null where the text holds no number. */
export function cagrFraction(cagr: Cagr): number | null {
  if (typeof cagr !== 'string') return cagr
  const [, digits] = /([-−+]?\d+(?:\.\d+)?)/.exec(cagr.replaceAll(',', '')) ?? []
  if (digits === undefined) return null
  const number = Number(digits.replace('−', '-'))
  return cagr.includes('%') ? number / 100 : number
}

/** The best by CAGR, highest first; those without one are left out. */
export function topPerformers(performances: readonly StrategyPerformance[]): StrategyPerformance[] {
  return performances
    .map((performance) => ({ performance, cagr: cagrFraction(performance.cagr_numeric) }))
    .filter((ranked): ranked is { performance: StrategyPerformance; cagr: number } => ranked.cagr !== null)
    .toSorted((a, b) => b.cagr - a.cagr)
    .slice(0, TOP_COUNT)
    .map(({ performance }) => performance)
}
