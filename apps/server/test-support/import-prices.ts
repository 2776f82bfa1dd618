import { dateOf, formatDate } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import type { LightMyRequestResponse } from 'fastify'
import type { Caller } from './caller.ts'
import type { TestServer } from './test-app.ts'

const BOUNDARY = 'cut'

/** Uploads a CSV file as the Data Collector does. */
export function importCsv(
  { app }: TestServer,
  user: Pick<Caller, 'headers'>,
  ticker: string,
  csv: string,
  more: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  const fields = Object.entries({ ticker, ...more })
  return app.inject({
    method: 'POST',
    url: '/api/data-collector/import',
    headers: { ...user.headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    payload:
      fields
        .map(([name, text]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`)
        .join('') +
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="prices.csv"\r\n\r\n${csv}\r\n` +
      `--${BOUNDARY}--\r\n`,
  })
}

/** Daily closes of every session from 100 upwards, imported for the user. */
export async function importDaily(
  server: TestServer,
  user: Pick<Caller, 'headers'>,
  ticker: string,
  from: string,
  last: string,
): Promise<void> {
  const days = [...nyse.sessionsBetween(dateOf(from), dateOf(last) + 1)]
  const rows = days.map((day, i) => `${formatDate(day)},${(100 + (i % 7) + i / 20).toFixed(2)}`)
  const answer = await importCsv(server, user, ticker, `Date,Close\n${rows.join('\n')}\n`)
  if (answer.statusCode !== 200) throw new Error(answer.body)
}
