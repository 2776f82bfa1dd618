import { Problem } from '@tradewright/core/problem'
import type { Granularity } from '@tradewright/core/granularity'
import { parseTicker } from '@tradewright/core/ticker'
import type { UtcMillis } from '@tradewright/core/time'
import { ingest } from '@tradewright/engine/market/layers/ingest'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import type { CoverageStore } from '../collect/coverage.ts'
import type { OpenStores } from '../stores/ports.ts'
import type { ColumnChoice } from './columns.ts'
import { importCsv } from './csv-import.ts'

export interface UploadDeps {
  readonly stores: OpenStores
  readonly coverage: CoverageStore
  readonly now: () => UtcMillis
}

export interface Upload {
  readonly text: string
  readonly ticker: string
  readonly granularity: Granularity
  readonly columns: ColumnChoice | undefined
  readonly storeId: number | undefined
}

export interface StoredUpload {
  readonly ticker: string
  readonly rows: number
  readonly recordsStored: number
  readonly notes: readonly string[]
}

/** A user's own file through the three layers of his store; uploading it again changes nothing. */
export async function storeUpload(deps: UploadDeps, userId: number, upload: Upload): Promise<StoredUpload> {
  const { symbol, leverage } = parseTicker(upload.ticker)
  if (leverage) throw new Problem('invalid', 'csv.ticker', 'A file is imported under a ticker without leverage.')
  const store = await deps.stores.find(userId, upload.storeId)
  const { bronze, silver, actions, notes } = importCsv({
    text: upload.text,
    ticker: symbol,
    granularity: upload.granularity,
    ...(upload.columns ? { columns: upload.columns } : {}),
    collectedAt: deps.now(),
  })
  const delivery = { outcome: 'delivered', ticker: symbol, bronze, silver, actions, refused: [] } as const
  const { written } = await ingest(store.series, [delivery], { isSynthetic: (id) => id === SAMPLE_PROVIDER_ID })
  const { timestamps } = silver
  const range = { from: timestamps[0]!, to: timestamps.at(-1)! + 1 }
  await deps.coverage.add(store.id, 'csv', upload.granularity, [{ ticker: symbol, range }])
  const recordsStored = written.silver.inserted + written.silver.replaced
  return { ticker: symbol, rows: timestamps.length, recordsStored, notes }
}
