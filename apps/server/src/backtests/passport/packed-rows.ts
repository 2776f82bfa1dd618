import { isCategory } from '@tradewright/core/category'
import { Problem } from '@tradewright/core/problem'
import { DAY } from '@tradewright/core/time'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import type { CorporateActions } from '@tradewright/engine/market/corporate-actions'
import { assertPossible } from '@tradewright/engine/market/layers/rows'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import type { SeriesTable } from '@tradewright/engine/market/series'
import { describeParquet, readParquetTable, writeParquetTable } from './parquet-table.ts'
import type { SeriesDigest } from './run-digest.ts'

/** The rows of a series as a Parquet file in base64. */
export interface PackedTable {
  readonly parquet: string
  /** Whether its last column is when each row became public, in milliseconds since 1970. */
  readonly hasKnownAt: boolean
  readonly actions?: CorporateActions | undefined
}

/** Values that all series of a passport may have together: 16 MB before they are packed. */
const MAX_PASSPORT_VALUES = 2_000_000

export function packRows({ series, actions }: MarketData): Map<string, PackedTable> {
  assertReadable([...series.values()].map(valuesOf))
  return new Map(
    [...series].map(([symbol, { timestamps, columns, knownAt }]) => {
      const own = actions?.get(symbol)
      const named = [...Object.entries(columns), ...(knownAt ? [[KNOWN_AT, knownAt] as const] : [])]
      const parquet = writeParquetTable({ timestamps, columns: named }).toString('base64')
      return [symbol, { parquet, hasKnownAt: knownAt !== undefined, ...(own && { actions: own }) }]
    }),
  )
}

/** No category has capital letters. */
const KNOWN_AT = 'KNOWN_AT'

/** As the file states them, before anything is unpacked. */
export function packedValues({ ticker, rows }: Pick<SeriesDigest, 'ticker' | 'rows'>, packed: PackedTable): number {
  const { columns } = describe(packed, ticker, rows).description
  return rows * columns.length
}

function describe({ parquet }: PackedTable, ticker: string, rows: number) {
  try {
    const file = Buffer.from(parquet, 'base64')
    const description = describeParquet(file)
    if (description.rows === rows && description.columns.length <= MAX_COLUMNS) return { file, description }
  } catch {
    // Another kind of file, or damaged.
  }
  throw unreadable(ticker)
}

/** 64 categories, the instants, and when the rows became public. */
const MAX_COLUMNS = 66

/** Before anything is unpacked: a small file may state any number of rows. @param counts values of each series */
export function assertReadable(counts: readonly number[]): void {
  const count = counts.reduce((sum, one) => sum + one, 0)
  if (count <= MAX_PASSPORT_VALUES) return
  const [has, most] = [count, MAX_PASSPORT_VALUES].map((one) => one.toLocaleString('en-US'))
  const sentence = `The rows of this run have ${has} values, and a passport holds at most ${most}. Use one without the rows.`
  throw new Problem('too-large', 'passport.rows', sentence)
}

const valuesOf = ({ timestamps, columns }: SeriesTable): number => timestamps.length * (1 + Object.keys(columns).length)

interface UnpackedColumns {
  readonly timestamps: Float64Array
  readonly columns: Readonly<Record<string, Float64Array>>
  readonly knownAt?: Float64Array
}

function unpackParquet({ ticker, rows }: SeriesDigest, packed: PackedTable): UnpackedColumns {
  const { file, description } = describe(packed, ticker, rows)
  try {
    const { timestamps, columns } = readParquetTable(file, description)
    const values = packed.hasKnownAt ? columns.slice(0, -1) : columns
    const last = packed.hasKnownAt ? columns.at(-1)?.[1] : undefined
    if (values.every(([name]) => isCategory(name)) && packed.hasKnownAt === (last !== undefined)) {
      return { timestamps, columns: Object.fromEntries(values), ...(last && { knownAt: last }) }
    }
  } catch {
    // Damaged, or larger than it says.
  }
  throw unreadable(ticker)
}

export function unpackTable(digest: SeriesDigest, packed: PackedTable): SeriesTable {
  const { ticker, granularity, type, currency, rows, synthetic } = digest
  const unpacked = unpackParquet(digest, packed)
  const { timestamps } = unpacked
  if (!timestamps.every(isInstant)) throw unreadable(ticker)
  const source = { rows, from: timestamps[0] ?? 0, last: timestamps[rows - 1] ?? 0, collectedAt: 0 }
  const table = {
    ticker,
    granularity,
    type,
    currency,
    ...unpacked,
    sources: rows === 0 ? [] : [{ provider: synthetic ? SAMPLE_PROVIDER_ID : 'passport', ...source }],
  }
  // The rows of a run have come through a store, which lets in no others.
  assertPossible({ ...table, provider: 'the passport', collectedAt: 0 })
  return table
}

/** True from about the year 1000 to 3000: what is beyond has no date that could be written. */
const isInstant = (stamp: number): boolean =>
  Number.isSafeInteger(stamp) && Math.abs(stamp - THE_YEAR_2000) <= THOUSAND_YEARS
const THE_YEAR_2000 = Date.UTC(2000)
const THOUSAND_YEARS = 365_242 * DAY

const unreadable = (ticker: string): Problem =>
  new Problem('invalid', 'passport.rows', `The rows of ${ticker} in this passport are damaged and cannot be read.`)
