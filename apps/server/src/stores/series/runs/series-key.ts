import type { Category } from '@tradewright/core/category'
import type { Granularity } from '@tradewright/core/granularity'
import type { TickerKind } from '@tradewright/core/ticker-kind'
import type { Layer } from '@tradewright/engine/market/series'

/** The words of a series: everything about its records that is text and not a number. */
export interface SeriesKey {
  readonly ticker: string
  readonly granularity: Granularity
  readonly category: Category
  readonly provider: string
  readonly type: TickerKind
  readonly currency: string
}

/** The order of the words by which files are sorted. */
export const wordNames = ['ticker', 'granularity', 'category', 'provider', 'type', 'currency'] as const

export type WordName = (typeof wordNames)[number]

export function compareKeys(a: SeriesKey, b: SeriesKey): number {
  for (const name of wordNames) {
    if (a[name] !== b[name]) return a[name] < b[name] ? -1 : 1
  }
  return 0
}

export const isSameKey = (a: SeriesKey, b: SeriesKey): boolean => compareKeys(a, b) === 0

/** Records whose stamps are equal and whose key is equal are one and the same record. */
export const keyOf = (layer: Layer, { ticker, granularity, category, provider }: SeriesKey): string =>
  JSON.stringify(layer === 'gold' ? [ticker, granularity, category] : [ticker, granularity, category, provider])
