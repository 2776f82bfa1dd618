import { IMPORT_MAX_BYTES } from '@tradewright/contract/collected-data'
import { dateOf, dayStamp } from '@tradewright/core/time'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeAll, describe, expect, it } from 'vitest'
import { caller, type Caller } from '../../../test-support/caller.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'

let server: TestServer
let user: Caller
beforeAll(async () => {
  server = await sharedTestApp()
  user = await caller(server)
})

const URL_PATH = '/api/data-collector/import'
const MULTIPART = { 'content-type': 'multipart/form-data; boundary=cut' }
const FILE_HEAD = '--cut\r\ncontent-disposition: form-data; name="file"; filename="prices.csv"\r\n\r\n'

function upload(csv: string | undefined, fields: Record<string, string>) {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--cut\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file = `${FILE_HEAD}${csv}\r\n`
  return server.app.inject({
    method: 'POST',
    url: URL_PATH,
    headers: { ...user.headers, ...MULTIPART },
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
  ['text after a quote', 'Date,Close\n2024-01-02,"10"5\n', { ticker: 'X' }, expect.stringContaining('line 2')],
  ['a bad row', 'Date,Close\n2024-01-02,-5\n', { ticker: 'X' }, expect.stringContaining('line 2')],
])('refuses %s', async (_, csv, fields, error) => {
  const answer = await upload(csv, fields)
  expect([answer.statusCode, answer.json()]).toEqual([400, expect.objectContaining({ success: false, error })])
})

it('refuses a body that is no form', async () => {
  expect((await user.post(URL_PATH, { ticker: 'X' })).statusCode).toBe(400)
})

it('does not write into a store of another user', async () => {
  const other = await caller(server)
  const { data_stores } = (await other.get('/api/data-stores')).json<{ data_stores: { id: number }[] }>()
  expect((await upload(PRICES, { ticker: 'MINE', store: String(data_stores[0]!.id) })).statusCode).toBe(404)
})

const filesUnderWay = () => readdirSync(join(server.dataDir, 'uploads'))

/** An upload over a real connection that is still on its way: its file is being written. */
async function slowUpload() {
  const { readable, writable } = new TransformStream()
  const body = writable.getWriter()
  const left = new AbortController()
  const request: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers: { ...user.headers, ...MULTIPART },
    body: readable,
    duplex: 'half',
    signal: left.signal,
  }
  const answer = fetch(`${await server.address()}${URL_PATH}`, request)
  await body.write(Buffer.from(`--cut\r\ncontent-disposition: form-data; name="ticker"\r\n\r\nSLOW\r\n${FILE_HEAD}`))
  await body.write(Buffer.from('Date,Close\n2024-01-02,1\n'))
  await expect.poll(() => filesUnderWay().length).toBe(1)
  const finish = async () => {
    await body.write(Buffer.from('\r\n--cut--\r\n'))
    await body.close()
  }
  return { answer, finish, leave: () => left.abort() }
}

describe('an upload', () => {
  it('is one at a time for each user, and others are told to come back', async () => {
    const first = await slowUpload()
    const refused = await upload(PRICES, { ticker: 'MINE' })
    expect([refused.statusCode, refused.json()]).toEqual([429, expect.objectContaining({ code: 'import.running' })])
    expect(refused.headers['retry-after']).toBe('5')
    await first.finish()
    expect(await (await first.answer).json()).toMatchObject({ success: true, rows: 1 })
    expect((await upload(PRICES, { ticker: 'MINE' })).statusCode).toBe(200)
  })

  it('ends when the client disconnects, and leaves no file behind', async () => {
    const first = await slowUpload()
    first.leave()
    await expect(first.answer).rejects.toThrow('aborted')
    await expect.poll(() => filesUnderWay()).toEqual([])
    await expect.poll(async () => (await upload('no table', { ticker: 'MINE' })).statusCode).toBe(400)
  })

  it('is refused before it is read when its length is said to be too large', async () => {
    const answer = await server.app.inject({
      method: 'POST',
      url: URL_PATH,
      headers: { ...user.headers, ...MULTIPART, 'content-length': String(2 * IMPORT_MAX_BYTES) },
      payload: Buffer.from(FILE_HEAD),
    })
    expect([answer.statusCode, answer.json()]).toEqual([
      413,
      expect.objectContaining({ error: 'The file is too large: at most 64 MB at a time.' }),
    ])
  })

  it('is refused when more comes than was said', async () => {
    const body = new PassThrough()
    const answering = server.app.inject({
      method: 'POST',
      url: URL_PATH,
      headers: { ...user.headers, ...MULTIPART },
      payload: body,
    })
    body.write(FILE_HEAD)
    const chunk = Buffer.alloc(1024 * 1024, '\n')
    for (let sent = 0; sent <= IMPORT_MAX_BYTES; sent += chunk.length) body.write(chunk)
    body.end('\r\n--cut--\r\n')
    expect((await answering).statusCode).toBe(413)
    expect(filesUnderWay()).toEqual([])
  })
})
