import { Problem } from '@tradewright/core/problem'
import { DAY } from '@tradewright/core/time'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import type { CorporateActions } from '@tradewright/engine/market/corporate-actions'
import { assertPossible } from '@tradewright/engine/market/layers/validate-rows'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import type { SeriesTable } from '@tradewright/engine/market/series'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { SeriesDigest } from './run-digest.ts'

/** Columns as 64-bit floats, least significant byte first, compressed with Zstandard, in base64. */
export interface PackedTable {
  readonly timestamps: string
  readonly columns: Readonly<Record<string, string>>
  readonly knownAt?: string | undefined
  readonly actions?: CorporateActions | undefined
}

/** Of all series of a passport: 16 MB before they are packed. */
const MAX_PASSPORT_VALUES = 2_000_000

export function packRows({ series, actions }: MarketData): Map<string, PackedTable> {
  assertReadable([...series.values()].map(valuesOf))
  return new Map(
    [...series].map(([symbol, { timestamps, columns, knownAt }]) => {
      const own = actions?.get(symbol)
      const packed = Object.entries(columns).map(([name, column]) => [name, pack(column)] as const)
      return [
        symbol,
        {
          timestamps: pack(timestamps),
          columns: Object.fromEntries(packed),
          ...(knownAt && { knownAt: pack(knownAt) }),
          ...(own && { actions: own }),
        },
      ]
    }),
  )
}

/** Before anything is unpacked: a small file may state any number of rows. @param counts values of each series */
export function assertReadable(counts: readonly number[]): void {
  const count = counts.reduce((sum, one) => sum + one, 0)
  if (count <= MAX_PASSPORT_VALUES) return
  const [has, most] = [count, MAX_PASSPORT_VALUES].map((one) => one.toLocaleString('en-US'))
  const sentence = `The rows of this run have ${has} values, and a passport holds at most ${most}. Use one without the rows.`
  throw new Problem('too-large', 'passport.rows', sentence)
}

const valuesOf = ({ timestamps, columns }: SeriesTable): number => timestamps.length * (1 + Object.keys(columns).length)

const pack = (column: Float64Array): string =>
  zstdCompressSync(new Uint8Array(column.buffer, column.byteOffset, column.byteLength)).toString('base64')

export function unpackTable(digest: SeriesDigest, packed: PackedTable): SeriesTable {
  const { ticker, granularity, type, currency, rows, synthetic } = digest
  const column = (text: string): Float64Array => unpack(text, rows, ticker)
  const timestamps = column(packed.timestamps)
  if (!timestamps.every(isInstant)) throw unreadable(ticker)
  const source = { rows, from: timestamps[0] ?? 0, last: timestamps[rows - 1] ?? 0, collectedAt: 0 }
  const table = {
    ticker,
    granularity,
    type,
    currency,
    timestamps,
    columns: Object.fromEntries(Object.entries(packed.columns).map(([name, text]) => [name, column(text)])),
    ...(packed.knownAt !== undefined && { knownAt: column(packed.knownAt) }),
    sources: rows === 0 ? [] : [{ provider: synthetic ? SAMPLE_PROVIDER_ID : 'passport', ...source }],
  }
  // The rows of a run have come through a store, which lets in no others.
  assertPossible({ ...table, provider: 'the passport', collectedAt: 0 })
  return table
}

/** Of the years 1000 to 3000: what is beyond has no date that could be written. */
const isInstant = (stamp: number): boolean =>
  Number.isSafeInteger(stamp) && Math.abs(stamp - THE_YEAR_2000) <= THOUSAND_YEARS
const THE_YEAR_2000 = Date.UTC(2000)
const THOUSAND_YEARS = 365_242 * DAY

function unpack(text: string, rows: number, ticker: string): Float64Array {
  try {
    const bytes = zstdDecompressSync(Buffer.from(text, 'base64'), { maxOutputLength: Math.max(8, rows * 8) })
    if (bytes.length === rows * 8) return new Float64Array(Uint8Array.from(bytes).buffer)
  } catch {
    // Not Zstandard, damaged, or larger than it says.
  }
  throw unreadable(ticker)
}

const unreadable = (ticker: string): Problem =>
  new Problem('invalid', 'passport.rows', `The rows of ${ticker} in this passport are damaged and cannot be read.`)
