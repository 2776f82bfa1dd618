import type { Category } from '@tradewright/core/category'
import { lowerBound } from '@tradewright/core/column'
import type { Granularity } from '@tradewright/core/granularity'
import type { TickerKind } from '@tradewright/core/ticker-kind'
import { assertPossible } from '../layers/rows.ts'
import { addCounts, noWrites, columnRecords, type StoredColumn, upsertColumn } from '../layers/upsert.ts'
import {
  layers,
  type Layer,
  type SeriesBlock,
  currenciesOf,
  type SeriesSource,
  type SeriesTable,
  type DataRecord,
} from '../series.ts'
import {
  type SeriesStore,
  type RecordFilter,
  refuseAsOf,
  type WriteCounts,
  type AvailableData,
  type SeriesSummary,
  type BrowsePage,
  type BrowseQuery,
  type RecordField,
} from '../series-store.ts'

/** A series store without a disk: what tests and short computations use, and the plainest reading of the port. */
export function memorySeriesStore(): SeriesStore {
  const all: MemorySeriesMap = new Map()
  return {
    async write(layer, blocks) {
      if (layer !== 'bronze') blocks.forEach(assertPossible)
      return blocks.reduce((counts, block) => addCounts(counts, writeBlock(all, layer, block)), noWrites)
    },
    async read({ granularity, ...query }) {
      return tablesOf(selectSeries(all, { ...query, granularities: [granularity] }), query.layer === 'gold')
    },
    browse: async (query) => browseRecords(selectSeries(all, query), query),
    records: async (filter) =>
      selectSeries(all, filter).map(({ ticker, granularity, category, provider, type, currency, column }) => ({
        ticker,
        granularity,
        category,
        provider,
        type,
        currency,
        column,
      })),
    available: async (layer) => availableIn(selectSeries(all, { layer })),
    summaries: async (filter) => summarise(selectSeries(all, filter)),
    async counts() {
      const [bronze, silver, gold] = layers.map((layer) => recordsIn(selectSeries(all, { layer })))
      return { bronze: bronze!, silver: silver!, gold: gold! }
    },
    clear: async (filter) =>
      (filter ? [filter] : layers.map((layer) => ({ layer }))).reduce((sum, one) => sum + removeSeries(all, one), 0),
    close: async () => {},
  }
}

const admits = (allowed: readonly string[] | undefined, value: string): boolean =>
  allowed === undefined || allowed.length === 0 || allowed.includes(value)

const matches = (series: MemorySeries, filter: RecordFilter): boolean =>
  series.layer === filter.layer &&
  admits(filter.tickers, series.ticker) &&
  admits(filter.categories, series.category) &&
  admits(filter.providers, series.provider) &&
  admits(filter.granularities, series.granularity)

/** The series that pass the filter, cut to its range; none of them is empty. */
function selectSeries(all: MemorySeriesMap, filter: RecordFilter): MemorySeries[] {
  refuseAsOf(filter, 'The store in memory')
  const { range } = filter
  const found = [...all.values()].filter((series) => matches(series, filter))
  if (!range) return found
  const cut = (series: MemorySeries): MemorySeries => ({
    ...series,
    column: keepStamps(series.column, (stamp) => stamp >= range.from && stamp < range.to),
  })
  return found.map(cut).filter(({ column }) => column.timestamps.length > 0)
}

/** Removes what passes the filter and tells how many records that were. */
function removeSeries(all: MemorySeriesMap, filter: RecordFilter): number {
  const { range } = filter
  let removed = 0
  for (const [key, series] of all) {
    if (!matches(series, filter)) continue
    const left = range ? keepStamps(series.column, (stamp) => stamp < range.from || stamp >= range.to) : emptyColumn
    removed += series.column.timestamps.length - left.timestamps.length
    if (left.timestamps.length === 0) all.delete(key)
    else all.set(key, { ...series, column: left })
  }
  return removed
}

function writeBlock(all: MemorySeriesMap, layer: Layer, block: SeriesBlock): WriteCounts {
  const { ticker, granularity, provider, type, currency } = block
  let counts = noWrites
  for (const category of Object.keys(block.columns)) {
    const incoming = columnRecords(block, category)
    if (incoming.timestamps.length === 0) continue
    const series = { layer, ticker, granularity, provider, category, type, currency }
    const taken = layer === 'gold' ? removeFromOthers(all, series, incoming) : 0
    const key = seriesKey(series)
    const { column, counts: written } = upsertColumn(all.get(key)?.column ?? emptyColumn, incoming)
    all.set(key, { ...series, column })
    // A key that another provider held before is not new to gold.
    counts = addCounts(counts, {
      inserted: written.inserted - taken,
      replaced: written.replaced + taken,
      unchanged: written.unchanged,
    })
  }
  return counts
}

/** Gold holds one value per key: the writer's values replace those of other providers. */
function removeFromOthers(all: MemorySeriesMap, writer: Omit<MemorySeries, 'column'>, incoming: StoredColumn): number {
  const stamps = new Set(incoming.timestamps)
  let taken = 0
  for (const [key, series] of all) {
    const isRival = series.provider !== writer.provider && seriesKey({ ...writer, provider: series.provider }) === key
    if (!isRival) continue
    const left = keepStamps(series.column, (stamp) => !stamps.has(stamp))
    taken += series.column.timestamps.length - left.timestamps.length
    if (left.timestamps.length === 0) all.delete(key)
    else all.set(key, { ...series, column: left })
  }
  return taken
}

function summarise(series: readonly MemorySeries[]): SeriesSummary[] {
  const groups = Map.groupBy(series, ({ ticker, granularity, provider }) => `${ticker} ${granularity} ${provider}`)
  return [...groups.values()].map((group) => {
    const { ticker, type, granularity, provider } = group[0]!
    return {
      ticker,
      type,
      granularity,
      provider,
      categories: group.map(({ category }) => category).sort(),
      records: group.reduce((sum, { column }) => sum + column.timestamps.length, 0),
      first: Math.min(...group.map(({ column }) => column.timestamps[0]!)),
      last: Math.max(...group.map(({ column }) => column.timestamps.at(-1)!)),
      collectedAt: Math.max(...group.map(({ column }) => column.collectedAt.reduce((a, b) => Math.max(a, b)))),
    }
  })
}

function availableIn(series: readonly MemorySeries[]): AvailableData {
  const distinct = <K extends 'ticker' | 'category' | 'provider' | 'granularity'>(name: K) =>
    [...new Set(series.map((one) => one[name]))].sort()
  return {
    tickers: distinct('ticker'),
    categories: distinct('category'),
    providers: distinct('provider'),
    granularities: distinct('granularity'),
    stamps:
      series.length === 0
        ? undefined
        : {
            min: Math.min(...series.map(({ column }) => column.timestamps[0]!)),
            max: Math.max(...series.map(({ column }) => column.timestamps.at(-1)!)),
          },
  }
}

const recordsIn = (series: readonly MemorySeries[]): number =>
  series.reduce((sum, { column }) => sum + column.timestamps.length, 0)

/** Stored columns to tables: one per ticker, or one per ticker and provider. */
function tablesOf(series: readonly MemorySeries[], mixesProviders: boolean): SeriesTable[] {
  const groups = Map.groupBy(series, ({ ticker, provider }) => (mixesProviders ? ticker : `${ticker} ${provider}`))
  return [...groups.values()].map(tableOf)
}

function tableOf(group: readonly MemorySeries[]): SeriesTable {
  const { ticker, granularity, type } = group[0]!
  const timestamps = unionOfStamps(group)
  const columns: Record<Category, Float64Array> = {}
  const knownAt = new Float64Array(timestamps.length).fill(Number.NaN)
  for (const { category, column } of group) {
    const target = (columns[category] ??= new Float64Array(timestamps.length).fill(Number.NaN))
    column.timestamps.forEach((stamp, i) => {
      const row = lowerBound(timestamps, stamp)
      target[row] = column.values[i]!
      if (!Number.isNaN(column.knownAt[i]!)) knownAt[row] = column.knownAt[i]!
    })
  }
  const isDated = knownAt.some((instant) => !Number.isNaN(instant))
  return {
    ticker,
    granularity,
    type,
    currency: currenciesOf(group),
    timestamps,
    columns,
    ...(isDated ? { knownAt } : {}),
    sources: sourcesOf(group),
  }
}

const unionOfStamps = (group: readonly MemorySeries[]): Float64Array =>
  Float64Array.from(new Set(group.flatMap(({ column }) => [...column.timestamps]))).sort()

function sourcesOf(group: readonly MemorySeries[]): SeriesSource[] {
  return [...Map.groupBy(group, ({ provider }) => provider)].map(([provider, own]) => {
    const stamps = unionOfStamps(own)
    const collectedAt = Math.max(...own.flatMap(({ column }) => [...column.collectedAt]))
    return { provider, rows: stamps.length, from: stamps[0]!, last: stamps.at(-1)!, collectedAt }
  })
}

const FIELDS = {
  ticker: (record) => record.ticker,
  timestamp: (record) => record.timestamp,
  category: (record) => record.category,
  type: (record) => record.type,
  value: (record) => record.value,
  currency: (record) => record.currency,
  provider: (record) => record.provider,
  collected_at: (record) => record.collectedAt,
} as const satisfies Record<RecordField, (record: DataRecord) => string | number>

/** Broken in this order, ascending, whatever the sort: two pages never show the same record. */
const TIE_BREAKERS = ['timestamp', 'ticker', 'category', 'provider'] as const

export function browseRecords(series: readonly MemorySeries[], query: BrowseQuery): BrowsePage {
  const search = query.search?.toLowerCase() ?? ''
  const found = series.filter((one) => searchText(one).includes(search)).flatMap(recordsOf)
  const direction = query.sortOrder === 'asc' ? 1 : -1
  found.sort((a, b) => {
    const order = direction * compareBy(query.sortBy, a, b)
    return order || TIE_BREAKERS.reduce((decided, field) => decided || compareBy(field, a, b), 0)
  })
  const start = (query.page - 1) * query.perPage
  return { records: found.slice(start, start + query.perPage), total: found.length }
}

const searchText = ({ ticker, category, type, currency, provider }: MemorySeries): string =>
  [ticker, category, type, currency, provider].join('\n').toLowerCase()

function compareBy(field: RecordField, a: DataRecord, b: DataRecord): number {
  const [left, right] = [FIELDS[field](a), FIELDS[field](b)]
  if (left === right) return 0
  return left < right ? -1 : 1
}

const recordsOf = ({ column, ticker, category, type, currency, provider, granularity }: MemorySeries): DataRecord[] =>
  Array.from(column.timestamps, (timestamp, i) => ({
    ticker,
    timestamp,
    category,
    type,
    value: column.values[i]!,
    currency,
    provider,
    collectedAt: column.collectedAt[i]!,
    granularity,
    knownAt: Number.isNaN(column.knownAt[i]!) ? undefined : column.knownAt[i]!,
  }))

/** One category of one series from one provider. */
interface MemorySeries {
  readonly layer: Layer
  readonly ticker: string
  readonly granularity: Granularity
  readonly provider: string
  readonly category: Category
  readonly type: TickerKind
  readonly currency: string
  readonly column: StoredColumn
}

/** By layer, ticker, granularity, category and provider. */
type MemorySeriesMap = Map<string, MemorySeries>

const seriesKey = ({ layer, ticker, granularity, category, provider }: Omit<MemorySeries, 'column'>): string =>
  JSON.stringify([layer, ticker, granularity, category, provider])

const emptyColumn: StoredColumn = {
  timestamps: new Float64Array(),
  values: new Float64Array(),
  knownAt: new Float64Array(),
  collectedAt: new Float64Array(),
}

/** The records whose stamps are wanted. */
function keepStamps(column: StoredColumn, isWanted: (stamp: number) => boolean): StoredColumn {
  const rows: number[] = []
  column.timestamps.forEach((stamp, row) => {
    if (isWanted(stamp)) rows.push(row)
  })
  const take = (values: Float64Array) => Float64Array.from(rows, (row) => values[row]!)
  return {
    timestamps: take(column.timestamps),
    values: take(column.values),
    knownAt: take(column.knownAt),
    collectedAt: take(column.collectedAt),
  }
}
