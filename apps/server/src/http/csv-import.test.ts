import { dateOf, dayStamp } from '@tradewright/core/time'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { caller, type Caller } from '../../test-support/caller.ts'
import { createTestApp, type TestApp } from '../../test-support/test-app.ts'

let server: TestApp
let user: Caller
beforeAll(async () => {
  server = await createTestApp()
  user = await caller(server)
})
afterAll(() => server.close())

function upload(csv: string | undefined, fields: Record<string, string>) {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--cut\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file = `--cut\r\ncontent-disposition: form-data; name="file"; filename="prices.csv"\r\ncontent-type: text/csv\r\n\r\n${csv}\r\n`
  return server.app.inject({
    method: 'POST',
    url: '/api/data-collector/import',
    headers: { ...user.headers, 'content-type': 'multipart/form-data; boundary=cut' },
    payload: `${parts.join('')}${csv === undefined ? '' : file}--cut--\r\n`,
  })
}

const PRICES = 'Date,Close\n2024-01-02,472.65\n2024-01-03,468.79\n'

it('stores a file of the user, whatever the order of its fields, and changes nothing the second time', async () => {
  const fields = { ticker: 'mine', granularity: '1d', columns: '', store: '' }
  expect((await upload(PRICES, fields)).json()).toEqual({
    success: true,
    ticker: 'MINE',
    rows: 2,
    records_stored: 2,
    message: 'Imported 2 rows of MINE.',
    notes: [],
  })
  expect((await upload(PRICES, fields)).json()).toMatchObject({ records_stored: 0 })
  const browsed = await user.post('/api/data-collector/data/browse', { tickers: ['MINE'], sort_order: 'asc' })
  expect(browsed.json()).toMatchObject({ records: [{ value: 472.65, provider: 'csv' }, { value: 468.79 }] })
})

it('takes the columns that the user names', async () => {
  const columns = JSON.stringify({ when: 'date', settle: 'close' })
  const answer = await upload('when,settle\n2024-01-02,10\n', { ticker: 'OTHER', columns })
  expect(answer.json()).toMatchObject({ success: true, rows: 1 })
})

it('takes a file of several megabytes', async () => {
  const first = dayStamp(dateOf('2024-01-01'))
  const rows = Array.from(
    { length: 60_000 },
    (_, i) => `${new Date(first + i * 60_000).toISOString()},${100 + (i % 7)}`,
  )
  const answer = await upload(`timestamp,close\n${rows.join('\n')}\n`, { ticker: 'BIG-USD', granularity: '1m' })
  expect(answer.json()).toMatchObject({ success: true, rows: 60_000 })
})

it.each([
  ['no file', undefined, { ticker: 'X' }, 'A file is required.'],
  ['no ticker', PRICES, {}, 'A ticker is required.'],
  [
    'an unknown granularity',
    PRICES,
    { ticker: 'X', granularity: '2d' },
    expect.stringContaining('granularity must be'),
  ],
  ['columns that are no JSON', PRICES, { ticker: 'X', columns: '{' }, expect.stringContaining('columns must be JSON')],
  ['a bad row', 'Date,Close\n2024-01-02,-5\n', { ticker: 'X' }, expect.stringContaining('line 2')],
])('refuses %s', async (_, csv, fields, error) => {
  const answer = await upload(csv, fields)
  expect([answer.statusCode, answer.json()]).toEqual([400, expect.objectContaining({ success: false, error })])
})

it('refuses a body that is no form', async () => {
  expect((await user.post('/api/data-collector/import', { ticker: 'X' })).statusCode).toBe(400)
})

it('does not write into a store of somebody else', async () => {
  const other = await caller(server)
  const { data_stores } = (await other.get('/api/data-stores')).json<{ data_stores: { id: number }[] }>()
  expect((await upload(PRICES, { ticker: 'MINE', store: String(data_stores[0]!.id) })).statusCode).toBe(404)
})
