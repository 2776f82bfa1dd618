import { IMPORT_LIMITS, IMPORT_MAX_BYTES, importCsv, ImportFields } from '@tradewright/contract/collected-data'
import type { KeyScope } from '@tradewright/core/key-scopes'
import { Problem } from '@tradewright/core/problem'
import { limitConcurrency } from '../../turn-queue.ts'
import type { CountedWork } from '../../jobs/run-limit.ts'
import type { TradedBy } from '../../live-trading/traded-tickers.ts'
import { storeUpload, type UploadDeps } from '../../market-data/csv/store-upload.ts'
import type { Handle } from '../server/handle.ts'
import { removeStaleUploads, withUpload } from '../input/receive-upload.ts'
import { disconnectSignal } from '../server/client-disconnect.ts'

interface CsvImportDeps extends UploadDeps {
  /** Where files lie while they are imported. */
  readonly uploadFolder: string
  readonly counted: CountedWork
  /** Whose money running deployments trade that read the ticker. */
  readonly tradedBy: TradedBy
}

const FORM = { fields: ImportFields, file: 'file', maxBytes: IMPORT_MAX_BYTES }

/**
 * Imports of all users that are read at once: each takes some hundred megabytes meanwhile. Receiving a file takes none.
 */
const MAX_IMPORTS = 2
const MAX_WAITING = 50

/** The one call that takes a file. */
export function serveCsvImport(handle: Handle, deps: CsvImportDeps): void {
  // A file that cannot be removed today is tried again at the next start.
  void removeStaleUploads(deps.uploadFolder, deps.now()).catch(() => {})
  /** Users with an import under way: a file takes memory and a thread, so each gets one at a time. */
  const importing = new Set<number>()
  const places = limitConcurrency(MAX_IMPORTS, MAX_WAITING)
  handle(importCsv, async ({ user, session, request, reply }) => {
    if (importing.has(user.id)) throw oneAtATime()
    importing.add(user.id)
    try {
      const signal = disconnectSignal(reply)
      const stored = await withUpload(request, deps.uploadFolder, FORM, async (path, fields) => {
        if (session.key) {
          const { scopes } = session.key
          for (const money of await deps.tradedBy(user.id, fields.ticker)) refuseSteering(scopes, money, fields.ticker)
        }
        const { store: storeId, ticker, granularity, columns, currency, known_after_days: knownAfterDays } = fields
        const upload = {
          path,
          ticker,
          granularity,
          columns,
          currency,
          knownAfterDays,
          storeId,
          limits: IMPORT_LIMITS,
          signal,
        }
        return deps.counted(user.id, () => places.run(() => storeUpload(deps, user.id, upload)))
      })
      const { ticker, rows, recordsStored, notes } = stored
      const message = `Imported ${rows.toLocaleString('en-US')} rows of ${ticker}.`
      return { success: true as const, ticker, rows, records_stored: recordsStored, message, notes: [...notes] }
    } finally {
      importing.delete(user.id)
    }
  })
}

/** An import stands before every provider: it decides what a deployment that reads it buys. */
function refuseSteering(scopes: readonly KeyScope[], money: 'paper' | 'live', ticker: string): void {
  if (scopes.includes(`trade-${money}`)) return
  const sentence =
    `A running deployment decides by prices of ${ticker.trim().toUpperCase()}, and imported prices come first. ` +
    `This API key does not have the scope “trade-${money}”, which this import needs.`
  throw new Problem('denied', 'api-key.scope', sentence, { facts: { scope: `trade-${money}` } })
}

function oneAtATime(): Problem {
  const sentence = 'Another import of yours is running. Please try again when it has finished.'
  return new Problem('limited', 'import.running', sentence, { retryAfterSeconds: 5 })
}
