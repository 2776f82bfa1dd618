import { Problem } from '@tradewright/core/problem'
import type { Granularity } from '@tradewright/core/granularity'
import { refuseForeignExchanges } from '@tradewright/core/exchange'
import { formatTicker, parseTicker } from '@tradewright/core/ticker'
import { observationCategory } from '@tradewright/core/category'
import { isObservation, tickerKind } from '@tradewright/core/ticker-kind'
import type { UtcMillis } from '@tradewright/core/time'
import { noActions } from '@tradewright/engine/market/corporate-actions'
import { type Delivery, ingest } from '@tradewright/engine/market/layers/ingest'
import { sliceRows } from '@tradewright/engine/market/layers/rows'
import type { SeriesStore } from '@tradewright/engine/market/series-store'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import type { CoverageStore } from '../collect/collect.ts'
import type { OpenStores } from '../stores/data-store.ts'
import type { ColumnChoice } from './columns.ts'
import type { CsvImport } from './csv-import.ts'
import type { CsvLimits } from './records.ts'
import type { CsvToRead } from './read-csv-task.ts'

export interface UploadDeps {
  readonly stores: OpenStores
  readonly coverage: CoverageStore
  readonly now: () => UtcMillis
  /** Reads the file on a thread of its own. */
  readonly readCsv: (file: CsvToRead, options: { owner: string; signal: AbortSignal }) => Promise<CsvImport>
}

interface Upload {
  /** Where the uploaded file lies. */
  readonly path: string
  readonly ticker: string
  readonly granularity: Granularity
  readonly columns: ColumnChoice | undefined
  /** See `CsvFile`. */
  readonly knownAfterDays: number | undefined
  readonly currency?: string | undefined
  readonly storeId: number | undefined
  readonly limits: CsvLimits
  /** Ends the import as long as nothing is stored yet. */
  readonly signal: AbortSignal
}

interface StoredUpload {
  readonly ticker: string
  readonly rows: number
  readonly recordsStored: number
  readonly notes: readonly string[]
}

/** A user's own file through the three layers of their store; uploading it again changes nothing. */
export async function storeUpload(deps: UploadDeps, userId: number, upload: Upload): Promise<StoredUpload> {
  const { path, granularity, limits, signal } = upload
  refuseForeignExchanges([upload.ticker])
  const ticker = parseTicker(upload.ticker)
  const { symbol } = ticker
  if (formatTicker(ticker) !== symbol)
    throw new Problem(
      'invalid',
      'csv.ticker',
      'Import a file under a plain ticker, without leverage or other parameters.',
    )
  const store = await deps.stores.find(userId, upload.storeId)
  const file = {
    path,
    ticker: symbol,
    granularity,
    ...(upload.columns ? { columns: upload.columns } : {}),
    knownAfterDays: upload.knownAfterDays,
    ...(upload.currency ? { currency: upload.currency } : {}),
    collectedAt: deps.now(),
    limits,
  }
  const read = await deps.readCsv(file, { owner: String(userId), signal })
  await refuseMixture(store.series, read)
  let recordsStored = 0
  for (const delivery of slicesOf(read)) {
    const { written } = await ingest(store.series, [delivery], { isSynthetic: (id) => id === SAMPLE_PROVIDER_ID })
    recordsStored += written.silver.inserted + written.silver.replaced
  }
  const { timestamps } = read.silver
  const range = { from: timestamps[0]!, to: timestamps.at(-1)! + 1 }
  await deps.coverage.add(store.id, 'csv', granularity, [{ ticker: symbol, range }])
  return { ticker: symbol, rows: timestamps.length, recordsStored, notes: read.notes }
}

/** Prices are known at their close, other values when they are published: one name cannot be both. */
async function refuseMixture(series: SeriesStore, { silver: { ticker, knownAt } }: CsvImport): Promise<void> {
  const stored = await series.summaries({ layer: 'gold', tickers: [ticker] })
  const isPriced = stored.some(({ categories }) => categories.includes('close'))
  const hasValues = stored.some(({ categories }) => categories.includes(observationCategory))
  if (isObservation(tickerKind(ticker)) || !(knownAt ? isPriced : hasValues && !isPriced)) return
  const sentence = knownAt
    ? `${ticker} has prices in this data store. Import other data under a name of its own, such as ${ticker}DATA.`
    : `Under ${ticker} this data store has values that are no prices. Import prices under another name.`
  throw new Problem('conflict', 'csv.mixture', sentence)
}

/** A store compares and encodes what it is given on the thread that answers requests: in parts it stays short. */
const SLICE_VALUES = 1_000_000

/** A long file is stored part by part. The corporate actions go with the last one. */
export function* slicesOf({ bronze, silver, actions }: CsvImport, sliceValues = SLICE_VALUES): Generator<Delivery> {
  const rows = bronze.timestamps.length
  const step = Math.ceil(sliceValues / Object.keys(bronze.columns).length)
  for (let from = 0; from < rows; from += step) {
    const to = Math.min(rows, from + step)
    yield {
      outcome: 'delivered',
      ticker: bronze.ticker,
      bronze: sliceRows(bronze, from, to),
      silver: sliceRows(silver, from, to),
      actions: to === rows ? actions : noActions,
      refused: [],
    }
  }
}
