import { importCsv, IMPORT_MAX_BYTES, ImportFields } from '@tradewright/contract/collected-data'
import { Problem } from '@tradewright/core/problem'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { storeUpload, type UploadDeps } from '../market-data/csv/store-upload.ts'
import type { Handle } from './handle.ts'
import { sentenceFor } from './sentence.ts'

const LIMITS = { files: 1, fields: 20, fileSize: IMPORT_MAX_BYTES, fieldSize: 100_000 }

/** The one call that takes a file. */
export function serveCsvImport(handle: Handle, deps: UploadDeps): void {
  handle(importCsv, async ({ user, request }) => {
    const { text, fields } = await readUpload(request)
    const { ticker, granularity, columns, store } = fields
    const stored = await storeUpload(deps, user.id, { text, ticker, granularity, columns, storeId: store })
    const message = `Imported ${stored.rows.toLocaleString('en-US')} rows of ${stored.ticker}.`
    const { rows, recordsStored, notes } = stored
    return {
      success: true as const,
      ticker: stored.ticker,
      rows,
      records_stored: recordsStored,
      message,
      notes: [...notes],
    }
  })
}

async function readUpload(request: FastifyRequest): Promise<{ text: string; fields: z.output<typeof ImportFields> }> {
  if (!request.isMultipart()) throw invalid('Send the file as multipart/form-data.')
  let text: string | undefined
  const sent: Record<string, unknown> = {}
  for await (const part of request.parts({ limits: LIMITS })) {
    if (part.type === 'file') text = (await part.toBuffer()).toString('utf8')
    else sent[part.fieldname] = part.value
  }
  if (text === undefined) throw invalid('A file is required.')
  const filled = Object.entries(sent).filter(([, value]) => value !== '')
  const parsed = ImportFields.safeParse({ ...Object.fromEntries(filled), columns: columnsOf(sent['columns']) })
  if (!parsed.success) throw invalid(sentenceFor(parsed.error))
  return { text, fields: parsed.data }
}

function columnsOf(value: unknown): unknown {
  if (typeof value !== 'string' || value.trim() === '') return undefined
  try {
    return JSON.parse(value)
  } catch {
    throw invalid('columns must be JSON: a header of the file to a category.')
  }
}

const invalid = (sentence: string) => new Problem('invalid', 'import.invalid', sentence)
