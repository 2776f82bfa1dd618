import { idField } from '@tradewright/contract/ids'
import { EXPORT_KINDS, PORTFOLIO_EXPORT_PATH, PORTFOLIO_EXPORT_SCOPE } from '@tradewright/contract/tax-lots'
import { Problem } from '@tradewright/core/problem'
import type { FastifyInstance } from 'fastify'
import { Readable } from 'node:stream'
import { z } from 'zod'
import { exportAccount } from '../../portfolio/export.ts'
import { sentenceFor } from '../input/sentence.ts'
import type { Downloads } from '../server/downloads.ts'
import type { Authenticate } from '../server/handle.ts'

const EXPORT_SCHEMA = {
  summary:
    `An account's ${EXPORT_KINDS.join(', ')} as a CSV file: \`account_id\` and \`kind\`. A million rows at most, the ` +
    'oldest first. The newest broker entries are fetched first; while the broker is unavailable, the file has ' +
    'what is stored, and the header `x-as-of` says as of when.',
  tags: ['Portfolio'],
  description: `API keys need the scope \`${PORTFOLIO_EXPORT_SCOPE}\`.`,
  security: [{ cookie: [] }, { bearer: [] }, { apiKey: [] }],
  produces: ['text/csv'],
}

const Query = z.object({
  account_id: idField,
  kind: z.enum(EXPORT_KINDS, `kind must be one of ${EXPORT_KINDS.join(', ')}.`),
})

export function servePortfolioExport(
  app: FastifyInstance,
  authenticate: Authenticate,
  deps: Parameters<typeof exportAccount>[0],
  downloads: Downloads,
): void {
  app.get(PORTFOLIO_EXPORT_PATH, { schema: EXPORT_SCHEMA }, async (request, reply) => {
    const session = await authenticate(request, PORTFOLIO_EXPORT_SCOPE)
    if (!session) throw new Problem('unauthenticated', 'session.missing', 'Please sign in first.')
    const { id } = session.user
    const query = Query.safeParse(request.query)
    if (!query.success) throw new Problem('invalid', 'request.invalid', sentenceFor(query.error))
    const { account_id: accountId, kind } = query.data
    const download = downloads.begin(id, 'Another file is being downloaded. Wait until it has finished.')
    try {
      const { name, asOf, pieces } = await exportAccount(deps, id, accountId, kind)
      const file = download.carries(Readable.from(pieces))
      return await reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header(
          'content-disposition',
          `attachment; filename="${fileName(name)}-${kind}-${asOf.toISOString().slice(0, 10)}.csv"`,
        )
        .header('x-as-of', asOf.toISOString())
        .header('cache-control', 'no-store')
        .send(file)
    } catch (error) {
      download.release()
      throw error
    }
  })
}

/** Letters and digits alone: the name is the user's own text, and a header is no place for it. */
const fileName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 60) || 'account'
