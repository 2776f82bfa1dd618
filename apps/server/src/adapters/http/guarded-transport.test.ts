import { gzipSync } from 'node:zlib'
import { createServer } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { httpHead, startHostileServer } from '../../../test-support/stand-ins/hostile-server.ts'
import { type StandIn, startStandIn, type StandInAnswer } from '../../../test-support/stand-ins/stand-in.ts'
import { type GuardOptions, isPublicAddress, guardedTransport } from './address-guard.ts'
import { readLimitedText } from './transport.ts'

const never = new AbortController().signal

/** Names as a resolver would know them. Loopback stands for a public host here, since no test may leave it. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  'api.test': ['127.0.0.1'],
  'other.test': ['127.0.0.1'],
  'metadata.test': ['169.254.169.254'],
  'mixed.test': ['127.0.0.1', '10.0.0.8'],
  'six.test': ['::ffff:10.0.0.1'],
}
const resolve: GuardOptions['resolve'] = async (hostname) =>
  (NAMES[hostname] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
const isAllowed = (address: string) => address === '127.0.0.1' || isPublicAddress(address)

describe('the guarded transport', () => {
  let standIn: StandIn
  let answer: StandInAnswer
  beforeEach(async () => {
    answer = { body: { fine: true } }
    standIn = await startStandIn('test', ({ path }) => (path === '/final' ? { body: { final: true } } : answer))
  })
  afterEach(() => standIn.close())

  const port = () => new URL(standIn.url).port
  const call = async (
    url: string,
    guard: GuardOptions = { resolve, isAllowed },
    headers: Record<string, string> = {},
  ) => {
    const response = await guardedTransport(guard)({
      method: 'GET',
      url: new URL(url),
      headers,
      body: undefined,
      signal: never,
    })
    return { status: response.status, text: await readLimitedText(response.body, 1_000_000) }
  }
  const redirectTo = (location: string) => {
    answer = { status: 302, headers: { location }, body: '' }
  }

  it('connects to the address that was checked', async () => {
    expect(await call(`http://api.test:${port()}/data`)).toEqual({ status: 200, text: '{"fine":true}' })
  })

  it.each([
    'http://127.0.0.1',
    'http://localhost',
    'http://2130706433',
    'http://0x7f.1',
    'http://[::1]',
    'http://[::ffff:127.0.0.1]',
    'http://169.254.169.254',
  ])('refuses %s by itself', async (origin) => {
    await expect(call(`${origin}:${port()}/`, {})).rejects.toThrow('private or reserved address')
    expect(standIn.requests).toHaveLength(0)
  })

  it.each(['metadata.test', 'mixed.test', 'six.test'])('refuses a name with a private address: %s', async (name) => {
    await expect(call(`http://${name}:${port()}/`)).rejects.toThrow('private or reserved address')
    expect(standIn.requests).toHaveLength(0)
  })

  it.each(['http://metadata.test/latest', 'http://10.0.0.1/', 'http://[fd00:ec2::254]/', 'file:///etc/passwd'])(
    'refuses a redirect to %s',
    async (location) => {
      redirectTo(location)
      await expect(call(`http://api.test:${port()}/`)).rejects.toMatchObject({ kind: 'bad-request' })
      expect(standIn.requests).toHaveLength(1)
    },
  )

  it('asks for the name once, so that a changed answer gains nothing', async () => {
    let asked = 0
    const rebinding: GuardOptions['resolve'] = async () => [
      { address: asked++ === 0 ? '127.0.0.1' : '10.0.0.1', family: 4 },
    ]
    expect((await call(`http://api.test:${port()}/data`, { resolve: rebinding, isAllowed })).status).toBe(200)
    expect(asked).toBe(1)
  })

  it('follows a redirect, and carries no key to another host', async () => {
    const headers = { 'x-api-key': 'secret', 'user-agent': 'Tradewright' }
    redirectTo(`http://api.test:${port()}/final`)
    expect((await call(`http://api.test:${port()}/`, undefined, headers)).text).toBe('{"final":true}')
    redirectTo(`http://other.test:${port()}/final`)
    expect((await call(`http://api.test:${port()}/`, undefined, headers)).text).toBe('{"final":true}')
    expect(standIn.requests.map(({ headers }) => headers['x-api-key'])).toEqual([
      'secret',
      'secret',
      'secret',
      undefined,
    ])
  })

  it('does not wait for a name server when it is aborted', async () => {
    const controller = new AbortController()
    const silent: GuardOptions['resolve'] = () => {
      controller.abort(new Error('cancelled'))
      return new Promise(() => undefined)
    }
    const url = new URL('http://api.test/')
    const request = { method: 'GET', url, headers: {}, body: undefined, signal: controller.signal } as const
    await expect(guardedTransport({ resolve: silent })(request)).rejects.toThrow('cancelled')
  })

  it('survives that an answer is aborted which was not read yet', async () => {
    const server = await startHostileServer('dripping', httpHead())
    const controller = new AbortController()
    const response = await guardedTransport({ isAllowed })({
      method: 'GET',
      url: new URL(server.url),
      headers: {},
      body: undefined,
      signal: controller.signal,
    })
    controller.abort(new Error('cancelled'))
    await new Promise((done) => setImmediate(done))
    await expect(readLimitedText(response.body, 1_000)).rejects.toThrow('cancelled')
    await server.close()
  })

  it('ends a circle of redirects', async () => {
    redirectTo(`http://api.test:${port()}/`)
    await expect(call(`http://api.test:${port()}/`)).rejects.toThrow('more than 5 times')
  })

  it('unpacks what comes packed', async () => {
    const server = createServer((_, outgoing) => {
      outgoing.writeHead(200, { 'content-encoding': 'gzip' })
      outgoing.end(gzipSync('packed'))
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    expect((await call(`http://api.test:${address.port}/`)).text).toBe('packed')
    await new Promise((done) => server.close(done))
  })
})
