import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { RecordedLog } from '../../../test-support/recorded-log.ts'
import { startStandIn, type StandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { VirtualTiming } from '../../../test-support/virtual-timing.ts'
import { httpClient, type HttpClientOptions } from './http-client.ts'
import { HttpFailure } from './http-failure.ts'
import { RateBucket, RateBuckets } from './rate-bucket.ts'
import { fetchTransport } from './transport.ts'

const SECRET = 'k3y-that-must-not-leak'

let standIn: StandIn
let timing: VirtualTiming
let log: RecordedLog

beforeEach(async () => {
  standIn = await startStandIn('test', ({ query }) => ({ body: { asked: query.get('symbol') } }))
  timing = new VirtualTiming('2026-03-02T15:00:00Z')
  log = new RecordedLog()
})
afterEach(() => standIn.close())

const client = (options: Partial<HttpClientOptions> = {}) =>
  httpClient(
    { service: 'test', baseUrl: standIn.url, query: { api_key: SECRET }, secrets: [SECRET], ...options },
    { transport: fetchTransport, timing, buckets: new RateBuckets(timing), log },
  )

const never = new AbortController().signal
const ask = (options?: Partial<HttpClientOptions>) =>
  client(options).json({ path: '/data', query: { symbol: 'A' }, signal: never })

async function failureOf(answer: Promise<unknown>): Promise<HttpFailure> {
  try {
    await answer
  } catch (error) {
    if (error instanceof HttpFailure) return error
    throw error
  }
  throw new Error('it succeeded')
}

describe('an outside call', () => {
  it('gives the answer, with the key on the wire and not in the log', async () => {
    expect(await ask()).toEqual({ asked: 'A' })
    expect(standIn.requests[0]?.query.get('api_key')).toBe(SECRET)
    expect(log.lines).toHaveLength(1)
    expect(log.lines[0]).toMatch(/"requestId":"[0-9a-f-]{36}".*"path":"\/data".*"status":200/)
    expect(log.lines.join()).not.toContain(SECRET)
  })

  it.each([
    ['down', 'network', 3],
    ['broken', 'network', 3],
    ['half-body', 'network', 3],
    ['limited', 'limit', 3],
    ['html', 'malformed', 1],
    ['unauthorised', 'auth', 1],
  ] as const)('that meets a service which is %s ends as %s after %i tries', async (fault, kind, tries) => {
    standIn.misbehave(fault)
    const failure = await failureOf(ask())
    expect(failure.kind).toBe(kind)
    expect(failure.message).not.toContain(SECRET)
    expect(failure.message).not.toContain('127.0.0.1')
    expect(standIn.requests).toHaveLength(tries)
  })

  it('recovers when the service does, waiting longer each time', async () => {
    standIn.misbehave('broken', { times: 2 })
    expect(await ask()).toEqual({ asked: 'A' })
    expect(timing.slept).toEqual([500, 1_000])
  })

  it('waits as long as Retry-After says', async () => {
    standIn.misbehave('limited', { times: 1 })
    expect(await ask()).toEqual({ asked: 'A' })
    expect(timing.slept).toEqual([7_500])
  })

  it('gives up at once when the service asks for too much patience, and passes the wait on', async () => {
    standIn.misbehave('limited')
    const failure = await failureOf(ask({ retry: { longestWaitMillis: 5_000 } }))
    expect(failure.retryAfterSeconds).toBe(7.5)
    expect(standIn.requests).toHaveLength(1)
  })

  it('sends a POST once, whatever becomes of it', async () => {
    standIn.misbehave('broken')
    const failure = await failureOf(client().json({ method: 'POST', path: '/orders', json: { qty: 1 }, signal: never }))
    expect(failure.kind).toBe('network')
    expect(standIn.requests).toHaveLength(1)
  })

  it('sends a DELETE again: doing it twice is doing it once', async () => {
    standIn.misbehave('broken', { times: 1 })
    await client().text({ method: 'DELETE', path: '/orders/1', signal: never })
    expect(standIn.requests).toHaveLength(2)
  })

  it('ends when the time-out expires, and says so', async () => {
    standIn.misbehave('slow')
    standIn.onStall = () => timing.expireTimeouts()
    const failure = await failureOf(ask({ timeoutMillis: 9_000 }))
    expect(failure.message).toBe('it did not answer within 9 seconds')
    expect(standIn.requests).toHaveLength(3)
  })

  it('ends with the reason of the signal when it is aborted, without another try', async () => {
    const controller = new AbortController()
    standIn.misbehave('slow')
    standIn.onStall = () => controller.abort(new Error('the user cancelled'))
    await expect(client().json({ path: '/data', signal: controller.signal })).rejects.toThrow('the user cancelled')
    expect(standIn.requests).toHaveLength(1)
  })

  it('stops reading an answer that is too large', async () => {
    const failure = await failureOf(ask({ maxBytes: 5 }))
    expect(failure.kind).toBe('malformed')
  })

  it('masks a key that the service echoes', async () => {
    await standIn.close()
    standIn = await startStandIn('test', ({ query }) => ({
      status: 400,
      body: { message: `bad key ${query.get('api_key')}` },
    }))
    const failure = await failureOf(ask())
    expect(failure.body).toBe('{"message":"bad key ***"}')
  })

  it('does not follow a redirect', async () => {
    await standIn.close()
    standIn = await startStandIn('test', () => ({ status: 302, headers: { location: '/elsewhere' }, body: '' }))
    const failure = await failureOf(ask())
    expect(failure).toMatchObject({ kind: 'malformed', status: 302 })
    expect(standIn.requests).toHaveLength(1)
  })

  it('makes everybody who shares the bucket wait after a 429', async () => {
    const bucket = new RateBucket({ calls: 10, windowMillis: 1_000 }, timing)
    standIn.misbehave('limited')
    await failureOf(ask({ bucket, retry: { attempts: 1 } }))
    standIn.behave()
    const before = timing.now()
    await ask({ bucket })
    expect(timing.now() - before).toBe(7_500)
  })
})
