import { DATA_EXPORT_PATH, DATA_EXPORT_SCOPE, EXPORT_FORMATS, ExportQuery } from '@tradewright/contract/collected-data'
import { Problem } from '@tradewright/core/problem'
import type { FastifyInstance } from 'fastify'
import { exportRecords, type ExportDeps, MAX_EXPORTED_RECORDS } from '../../market-data/browse/export-records.ts'
import { sentenceFor } from '../input/sentence.ts'
import { disconnectSignal } from '../server/client-disconnect.ts'
import type { Downloads } from '../server/downloads.ts'
import type { Authenticate } from '../server/handle.ts'
import { filtersOf } from './collected-data.ts'

const SCHEMA = {
  summary:
    `Stored records as a file: the filters of browse, and \`format\` ${EXPORT_FORMATS.join(' or ')}. At most ` +
    `${MAX_EXPORTED_RECORDS.toLocaleString('en-US')} records. Timestamps are in UTC and values are 64-bit floats.`,
  tags: ['Data Collector'],
  description: `API keys need the scope \`${DATA_EXPORT_SCOPE}\`.`,
  security: [{ cookie: [] }, { bearer: [] }, { apiKey: [] }],
  produces: ['application/vnd.apache.parquet', 'text/csv'],
}

const CONTENT_TYPES = { parquet: 'application/vnd.apache.parquet', csv: 'text/csv; charset=utf-8' } as const

export function serveDataExport(
  app: FastifyInstance,
  authenticate: Authenticate,
  deps: ExportDeps,
  downloads: Downloads,
): void {
  app.get(DATA_EXPORT_PATH, { schema: SCHEMA }, async (request, reply) => {
    const session = await authenticate(request, DATA_EXPORT_SCOPE)
    if (!session) throw new Problem('unauthenticated', 'session.missing', 'Please sign in first.')
    const query = ExportQuery.safeParse(request.query)
    if (!query.success) throw new Problem('invalid', 'request.invalid', sentenceFor(query.error))
    const { format } = query.data
    const download = downloads.begin(session.user.id, 'Another file is being downloaded. Wait until it has finished.')
    try {
      const asked = { filters: filtersOf(query.data), format, signal: disconnectSignal(reply) }
      const handle = await exportRecords(deps, session.user.id, asked)
      const file = download.carries(handle.createReadStream())
      return await reply
        .header('content-type', CONTENT_TYPES[format])
        .header('content-disposition', `attachment; filename="tradewright-data.${format}"`)
        .header('cache-control', 'no-store')
        .send(file)
    } catch (error) {
      download.release()
      throw error
    }
  })
}
