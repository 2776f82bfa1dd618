import { route } from '@tradewright/contract/route'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { createLog } from '../../log.ts'
import { createApp } from '../server/app.ts'
import { createHandle } from '../server/handle.ts'

const form = route({
  method: 'POST',
  path: '/api/form',
  access: 'anyone',
  tag: 'Test',
  summary: 'Counts.',
  encoding: 'multipart',
  body: z.object({ 'tickers[]': z.array(z.string()).default([]) }),
  answer: z.object({ count: z.int() }),
})

let app: FastifyInstance
beforeAll(async () => {
  app = await createApp({ log: createLog({ logLevel: 'silent' }), appUrl: undefined })
  createHandle(app, { authenticate: () => Promise.resolve(null) })(form, async ({ body }) => ({
    count: body['tickers[]'].length,
  }))
})
afterAll(() => app.close())

const field = (value: string) => `--cut\r\ncontent-disposition: form-data; name="tickers[]"\r\n\r\n${value}\r\n`
const send = (payload: string) =>
  app.inject({
    method: 'POST',
    url: '/api/form',
    headers: { 'content-type': 'multipart/form-data; boundary=cut' },
    payload,
  })

it('takes a form of many fields', async () => {
  expect((await send(`${field('SPY').repeat(3_000)}--cut--\r\n`)).json()).toEqual({ count: 3_000 })
})

it('refuses a form whose fields are too large together', async () => {
  const answer = await send(`${field('x'.repeat(900_000)).repeat(6)}--cut--\r\n`)
  expect([answer.statusCode, answer.json()]).toEqual([
    413,
    expect.objectContaining({ error: 'The form is too large.' }),
  ])
})

it.each([
  ['more fields than there may be', `${field('SPY').repeat(5_001)}--cut--\r\n`, 413],
  ['a form that is cut off', field('SPY'), 400],
  ['a field that is too long', `${field('x'.repeat(1_100_000))}--cut--\r\n`, 413],
  ['a file', '--cut\r\ncontent-disposition: form-data; name="x"; filename="x"\r\n\r\nx\r\n--cut--\r\n', 400],
])('refuses %s', async (_, payload, status) => {
  expect((await send(payload)).statusCode).toBe(status)
})
