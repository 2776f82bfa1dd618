import type { Category } from '@tradewright/core/category'
import type { Granularity } from '@tradewright/core/granularity'
import type { TickerKind } from '@tradewright/core/ticker-kind'
import type { TimeRange, UtcMillis } from '@tradewright/core/time'
import { Problem } from '@tradewright/core/problem'
import type { DataRecord, Layer, SeriesBlock, SeriesTable } from './series.ts'

/** Records, not rows: a row of five categories counts five. */
export interface WriteCounts {
  readonly inserted: number
  /** A late correction: the key was there with another value. */
  readonly replaced: number
  readonly unchanged: number
}

export interface SeriesQuery {
  readonly layer: Layer
  readonly tickers: readonly string[]
  readonly granularity: Granularity
  readonly range: TimeRange
  /** Empty: every category there is. */
  readonly categories: readonly Category[]
  /** Empty: every provider. */
  readonly providers?: readonly string[]
  /** What the store held at this moment; undefined: what it holds now. */
  readonly asOf?: UtcMillis | undefined
}

/** Empty lists do not restrict. */
export interface RecordFilter {
  readonly layer: Layer
  readonly tickers?: readonly string[]
  readonly categories?: readonly Category[]
  readonly providers?: readonly string[]
  readonly granularities?: readonly Granularity[]
  readonly range?: TimeRange
  /** What the store held at this moment; undefined: what it holds now. */
  readonly asOf?: UtcMillis | undefined
}

export type RecordField =
  'ticker' | 'timestamp' | 'category' | 'type' | 'value' | 'currency' | 'provider' | 'collected_at'

export interface BrowseQuery extends RecordFilter {
  /** Found in ticker, category, type, currency or provider, without regard to letter case. */
  readonly search?: string
  /** Default `timestamp`, descending. Ties are broken by ticker, category and provider, so pages never overlap. */
  readonly sortBy: RecordField
  readonly sortOrder: 'asc' | 'desc'
  /** Counted from 1. */
  readonly page: number
  readonly perPage: number
}

export interface BrowsePage {
  readonly records: readonly DataRecord[]
  readonly total: number
}

/** The records of one series, as they are stored: no two have the same words. */
export interface StoredSeries {
  readonly ticker: string
  readonly granularity: Granularity
  readonly category: Category
  readonly provider: string
  readonly type: TickerKind
  readonly currency: string
  /** By time; NaN where it is not known when a record became public. */
  readonly column: Readonly<Record<'timestamps' | 'values' | 'collectedAt' | 'knownAt', Float64Array>>
}

/** Options of the Browse tab's filters. */
export interface AvailableData {
  readonly tickers: readonly string[]
  readonly categories: readonly Category[]
  readonly providers: readonly string[]
  readonly granularities: readonly Granularity[]
  /** First and last stamp; undefined while the layer is empty. */
  readonly stamps: { readonly min: UtcMillis; readonly max: UtcMillis } | undefined
}

/** Summary of one stored series: what `seriesFor` needs to find missing ranges, and quality to find stale series. */
export interface SeriesSummary {
  readonly ticker: string
  readonly type: TickerKind
  readonly granularity: Granularity
  readonly provider: string
  readonly categories: readonly Category[]
  readonly records: number
  readonly first: UtcMillis
  readonly last: UtcMillis
  readonly collectedAt: UtcMillis
}

/**
 * Where one user's series are kept, in three layers.
 *
 * A record's key is (layer, ticker, granularity, category, timestamp) and, in bronze and silver, its provider: gold has
 * one value per key and records whose it is. A write is all or nothing and is idempotent: the same blocks again give
 * `unchanged` counts and leave `collected_at` alone. Every store passes the same suite. A store either answers `asOf`
 * as it would have answered at that moment, or refuses it with a Problem.
 */
export interface SeriesStore {
  /** Refuses impossible silver and gold rows with a Problem (`assertPossible`); bronze takes what was sent. */
  write(layer: Layer, blocks: readonly SeriesBlock[]): Promise<WriteCounts>
  /**
   * One table per ticker in gold, one per ticker and provider in the other layers, each sorted by time.
   * A ticker without rows is absent.
   */
  read(query: SeriesQuery): Promise<SeriesTable[]>
  browse(query: BrowseQuery): Promise<BrowsePage>
  /** Every record that passes, by series and time; the caller bounds how many that are. */
  records(filter: RecordFilter): Promise<StoredSeries[]>
  available(layer: Layer): Promise<AvailableData>
  summaries(filter: RecordFilter): Promise<SeriesSummary[]>
  /** Records per layer. */
  counts(): Promise<Record<Layer, number>>
  /** Removes everything, or only what the filter names; gives the number of records removed. */
  clear(filter?: RecordFilter): Promise<number>
  /** Removes history that is older or larger than the operator keeps. Absent where a store keeps none. */
  purgeHistory?(): Promise<void>
  close(): Promise<void>
}

/** Refuses earlier moments for stores that keep no history: an answer of today would pass for one of then. */
export function refuseAsOf({ asOf }: { readonly asOf?: UtcMillis | undefined }, store: string): void {
  if (asOf === undefined) return
  const sentence = `${store} keeps no history: it cannot be read as of an earlier moment.`
  throw new Problem('invalid', 'store.no-history', sentence)
}
