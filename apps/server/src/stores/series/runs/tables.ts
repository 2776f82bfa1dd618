import type { Category } from '@tradewright/core/category'
import { currenciesOf, type Layer, type SeriesSource, type SeriesTable } from '@tradewright/engine/market/series'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { joinByTime } from './merge-runs.ts'
import type { Run } from './run.ts'

/**
 * Runs to tables: one per ticker in gold, one per ticker and provider elsewhere. A year of minutes takes some
 * milliseconds, and between two tables others have their turn.
 */
export async function tablesOf(layer: Layer, runs: readonly Run[]): Promise<SeriesTable[]> {
  const groups = Map.groupBy(runs, ({ words }) =>
    layer === 'gold' ? words.ticker : JSON.stringify([words.ticker, words.provider]),
  )
  const tables: SeriesTable[] = []
  for (const own of groups.values()) {
    tables.push(tableOf(own))
    if (tables.length < groups.size) await nextTurn()
  }
  return tables
}

function tableOf(runs: readonly Run[]): SeriesTable {
  const { ticker, granularity, type } = runs[0]!.words
  const currency = currenciesOf(runs.map(({ words }) => words))
  const byCategory = Map.groupBy(runs, ({ words }) => words.category)
  const joined = [...byCategory].map(
    ([category, own]) => [category, joinByTime(own.map(({ column }) => column))] as const,
  )
  const timestamps = unionOfStamps(joined.map(([, column]) => column.timestamps))
  const columns: Record<Category, Float64Array> = {}
  let knownAt: Float64Array | undefined
  for (const [category, column] of joined) {
    columns[category] = spread(column.values, column.timestamps, timestamps)
    if (!hasInstants(column.knownAt)) continue
    knownAt ??= new Float64Array(timestamps.length).fill(Number.NaN)
    keepLater(knownAt, spread(column.knownAt, column.timestamps, timestamps))
  }
  const rows = { ticker, granularity, type, currency, timestamps, columns, sources: sourcesOf(runs, timestamps) }
  return knownAt ? { ...rows, knownAt } : rows
}

function unionOfStamps(lists: readonly Float64Array[]): Float64Array {
  const [first, ...others] = lists.toSorted((a, b) => b.length - a.length)
  // Categories of one provider mostly have the same stamps.
  if (others.every((other) => isSubset(other, first!))) return first!.slice()
  return Float64Array.from(new Set(lists.flatMap((list) => [...list]))).sort()
}

function hasInstants(instants: Float64Array): boolean {
  for (let i = 0; i < instants.length; i++) if (!Number.isNaN(instants[i]!)) return true
  return false
}

function isSubset(part: Float64Array, whole: Float64Array): boolean {
  if (part.length === whole.length) return areEqual(part, whole)
  let at = 0
  for (let i = 0; i < part.length; i++) {
    while (at < whole.length && whole[at]! < part[i]!) at++
    if (whole[at] !== part[i]) return false
  }
  return true
}

function areEqual(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Values at their stamps, with NaN where there is none. */
function spread(values: Float64Array, stamps: Float64Array, all: Float64Array): Float64Array {
  if (stamps.length === all.length) return values.slice()
  const target = new Float64Array(all.length).fill(Number.NaN)
  for (let i = 0, at = 0; i < stamps.length; i++) {
    while (all[at]! < stamps[i]!) at++
    target[at] = values[i]!
  }
  return target
}

/** A row is known when the last of its values is: an earlier answer would look ahead. */
function keepLater(target: Float64Array, values: Float64Array): void {
  for (let i = 0; i < values.length; i++)
    if (!(values[i]! <= target[i]!) && !Number.isNaN(values[i]!)) target[i] = values[i]!
}

function sourcesOf(runs: readonly Run[], all: Float64Array): SeriesSource[] {
  return [...Map.groupBy(runs, ({ words }) => words.provider)].map(([provider, own]) => {
    const stamps = own.length === runs.length ? all : stampsOf(own)
    const collectedAt = own.reduce((newest, { column }) => Math.max(newest, greatest(column.collectedAt)), -Infinity)
    return { provider, rows: stamps.length, from: stamps[0]!, last: stamps.at(-1)!, collectedAt }
  })
}

function stampsOf(runs: readonly Run[]): Float64Array {
  const perCategory = [...Map.groupBy(runs, ({ words }) => words.category).values()]
  return unionOfStamps(perCategory.map((some) => joinByTime(some.map(({ column }) => column)).timestamps))
}

function greatest(values: Float64Array): number {
  let found = Number.NEGATIVE_INFINITY
  for (let i = 0; i < values.length; i++) if (values[i]! > found) found = values[i]!
  return found
}
