import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLog } from '../../log.ts'
import { createApp } from './app.ts'

let app: Awaited<ReturnType<typeof createApp>>
beforeAll(async () => {
  app = await createApp({ log: createLog({ logLevel: 'silent' }), appUrl: undefined })
  app.get('/hello', async () => ({ hello: true }))
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app.close())

/** All that the server sends until it closes the connection. */
async function answerTo(request: string): Promise<{ head: string; body: string }> {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(request)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n', 2)
  return { head, body }
}

const LONG = 'x'.repeat(20_000)

it('says in a sentence that a request was too long, and that the connection ends', async () => {
  const { head, body } = await answerTo(`GET /${LONG} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
  expect(head).toContain('HTTP/1.1 431 Request Header Fields Too Large')
  expect(head.toLowerCase()).toContain('connection: close')
  expect(JSON.parse(body)).toMatchObject({
    success: false,
    code: 'request.headers',
    error: 'The address or the headers of the request are too long.',
  })
})

it('answers HEAD without a body', async () => {
  const { head, body } = await answerTo(`HEAD /${LONG} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
  expect(head).toContain('HTTP/1.1 431')
  expect(body).toBe('')
})

it('refuses what is not HTTP', async () => {
  const { head, body } = await answerTo('NONSENSE\r\n\r\n')
  expect(head).toContain('HTTP/1.1 400 Bad Request')
  expect(JSON.parse(body)).toMatchObject({ code: 'request.http' })
})
