import { beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, sharedTestApp, type TestServer } from '../../../../test-support/test-app.ts'
import { nextName } from '../../../../test-support/visitor.ts'
import { hostCheck } from './host-check.ts'

describe('a Host header', () => {
  const local = { host: '127.0.0.1', appUrl: undefined, allowedHosts: [] }
  const everywhere = {
    host: '0.0.0.0',
    appUrl: 'https://trade.example.com:8443',
    allowedHosts: ['nas.local', 'box:80'],
  }

  it.each([
    [local, 'localhost'],
    [local, 'localhost:3000'],
    [local, 'LocalHost.:9999'],
    [local, '127.0.0.1:3000'],
    [local, '127.8.9.10'],
    [local, '[::1]:3000'],
    [local, undefined],
    [everywhere, 'trade.example.com'],
    [everywhere, 'Trade.Example.com:443'],
    [everywhere, 'nas.local:3000'],
    [everywhere, 'box'],
    [everywhere, '192.168.1.20:3000'],
    [everywhere, '[fe80::1]:3000'],
    [{ ...local, host: '192.168.1.20' }, '192.168.1.20:3000'],
    [{ ...local, host: 'fd00::20' }, '[fd00::20]:3000'],
    [{ ...local, host: 'workstation' }, 'workstation:3000'],
  ])('is known with %o: %s', (settings, header) => {
    expect(hostCheck(settings)(header)).toBe(true)
  })

  it.each([
    [local, 'evil.example'],
    [local, 'evil.example:3000'],
    [local, 'localhost.evil.example'],
    [local, '127.0.0.1.evil.example'],
    [local, 'localhost:3000@evil.example'],
    [local, 'evil.example/localhost'],
    [local, '192.168.1.20'],
    [local, ''],
    [everywhere, 'evil.example'],
    [everywhere, 'sub.trade.example.com'],
    [{ ...local, host: '192.168.1.20' }, '192.168.1.21'],
  ])('is not known with %o: %s', (settings, header) => {
    expect(hostCheck(settings)(header)).toBe(false)
  })
})

describe('a page whose name was rebound to our address', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await sharedTestApp()
  })

  const rebound = { host: 'evil.example:3000', origin: 'http://evil.example:3000', 'sec-fetch-site': 'same-origin' }

  it.each([
    ['GET', '/'],
    ['GET', '/health'],
    ['GET', '/api/events'],
    ['GET', '/api/docs'],
    ['GET', '/assets/a.js'],
    ['GET', '/no/such/path'],
    ['POST', '/mcp'],
    ['GET', '/mcp'],
    ['GET', '/api/v1/version'],
    ['GET', '/api/shared/x'],
    ['GET', '/shared/x'],
    ['GET', '/shared/x/preview.png'],
  ] as const)('is refused at %s %s', async (method, url) => {
    const answer = await server.app.inject({ method, url, headers: rebound })
    expect([answer.statusCode, answer.json()]).toEqual([403, expect.objectContaining({ code: 'host.unknown' })])
  })

  it('cannot register, and is told which setting would allow it', async () => {
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/register',
      headers: rebound,
      payload: { username: nextName(), password: 'correct horse' },
    })
    expect(answer.statusCode).toBe(403)
    expect(answer.json<{ error: string }>().error).toBe(
      'This server does not answer to the address evil.example:3000. Its operator can allow it with the setting ALLOWED_HOSTS.',
    )
  })

  it('is not helped by what a proxy would pass on', async () => {
    const headers = { ...rebound, 'x-forwarded-host': 'localhost:3000', forwarded: 'host=localhost' }
    expect((await server.app.inject({ url: '/health', headers })).statusCode).toBe(403)
  })
})

describe('behind a proxy on this machine', () => {
  it('X-Forwarded-Host makes no foreign origin ours', async () => {
    const server = await createTestApp({ environment: { APP_URL: 'https://trade.example.com' } })
    const post = (headers: Record<string, string>) =>
      server.app.inject({
        method: 'POST',
        url: '/api/register',
        headers: { host: 'trade.example.com', ...headers },
        payload: { username: nextName(), password: 'correct horse' },
      })
    const foreign = { origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' }
    expect((await post(foreign)).statusCode).toBe(403)
    expect((await post({ origin: 'https://trade.example.com' })).statusCode).toBe(200)
    await server.close()
  })
})
