import type { MemorySeries } from './series.ts'
import type { DataRecord } from '../series.ts'
import type { BrowsePage, BrowseQuery, RecordField } from '../series-store.ts'

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
