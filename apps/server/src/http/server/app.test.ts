import { Problem, type ProblemKind } from '@tradewright/core/problem'
import { route } from '@tradewright/contract/route'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createLog } from '../../log.ts'
import { createApp } from './app.ts'
import { createHandle } from './handle.ts'
import { publishOpenApi } from './openapi.ts'
import { serveWebApp } from './web-app.ts'

const echo = route({
  method: 'POST',
  path: '/api/echo/:id',
  access: 'anyone',
  tag: 'Test',
  summary: 'Says it back.',
  params: z.object({ id: z.coerce.number().int() }),
  body: z.object({ text: z.string('text is required.') }),
  answer: z.object({ id: z.number(), text: z.string() }),
})
const fail = route({
  method: 'GET',
  path: '/api/fail/:kind',
  access: 'anyone',
  tag: 'Test',
  summary: 'Fails.',
  params: z.object({ kind: z.string() }),
  answer: z.object({}),
})
const secret = route({
  method: 'GET',
  path: '/api/mine',
  access: 'signed in',
  tag: 'Test',
  summary: 'Mine.',
  answer: z.object({}),
})

let app: FastifyInstance
beforeAll(async () => {
  app = await createApp({ log: createLog({ logLevel: 'silent' }), appUrl: undefined })
  await publishOpenApi(app, 'session')
  const handle = createHandle(app, { authenticate: () => Promise.resolve(null) })
  handle(echo, async ({ params, body }) => ({ id: params.id, text: body.text, password: 'never leaves' }))
  handle(fail, async ({ params }) => {
    if (params.kind === 'bug') throw new Error('secret detail')
    if (params.kind === 'away') throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    throw new Problem(params.kind as ProblemKind, 'test.failed', 'A clear sentence.', { retryAfterSeconds: 2.5 })
  })
  handle(secret, async () => ({}))
  await serveWebApp(app, '/nonexistent', () => Promise.resolve(undefined))
})
afterAll(() => app.close())

const post = (payload: unknown, headers = {}) =>
  app.inject({
    method: 'POST',
    url: '/api/echo/7',
    headers: { 'content-type': 'application/json', ...headers },
    payload: payload as string,
  })

describe('a declared route', () => {
  it('gets checked input and lets out only what its answer declares [SHELL-077]', async () => {
    const answer = await post(JSON.stringify({ text: 'hello' }))
    expect(answer.json()).toEqual({ id: 7, text: 'hello' })
  })

  it.each([
    ['no JSON at all [SHELL-075]', '{"text": ', 400, 'The request body is not valid JSON.'],
    ['an empty body', '', 400, 'text is required.'],
    ['a missing field', '{}', 400, 'text is required.'],
    ['a field of another type', '{"text": 5}', 400, 'text is required.'],
    ['an array', '[]', 400, /^The request is not valid: .*\.$/],
    [
      'a body that is too large',
      JSON.stringify({ text: 'x'.repeat(1_100_000) }),
      413,
      'The request body is too large.',
    ],
    ['a poisoned prototype', '{"__proto__": {"text": "x"}}', 400, 'The request body is not valid JSON.'],
  ])('answers %s with a sentence', async (_, payload, status, sentence) => {
    const answer = await post(payload)
    const body = answer.json<{ success: boolean; error: string; message: string }>()
    expect([answer.statusCode, body.success, body.error === body.message]).toEqual([status, false, true])
    if (typeof sentence === 'string') expect(body.error).toBe(sentence)
    else expect(body.error).toMatch(sentence)
  })

  it('refuses a content type it does not know', async () => {
    const answer = await post('<text/>', { 'content-type': 'application/xml' })
    expect(answer.statusCode).toBe(400)
  })

  it('answers 401 as JSON without a session [SHELL-064]', async () => {
    const answer = await app.inject('/api/mine')
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([401, 'Please sign in first.'])
  })
})

describe('a failure', () => {
  it.each([
    ['invalid', 400],
    ['unauthenticated', 401],
    ['denied', 403],
    ['missing', 404],
    ['conflict', 409],
    ['not-configured', 409],
    ['too-large', 413],
    ['limited', 429],
    ['upstream', 502],
    ['unavailable', 503],
  ])('of kind %s answers %i with the same sentence in error and message', async (kind, status) => {
    const answer = await app.inject(`/api/fail/${kind}`)
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toMatchObject({
      success: false,
      error: 'A clear sentence.',
      message: 'A clear sentence.',
      code: 'test.failed',
    })
    expect(answer.headers['retry-after']).toBe('3')
  })

  it('that is a bug tells nothing of its inside', async () => {
    const answer = await app.inject('/api/fail/bug')
    expect(answer.statusCode).toBe(500)
    expect(answer.body).not.toContain('secret detail')
  })

  it('of the database says so and promises nothing about what was written', async () => {
    const answer = await app.inject('/api/fail/away')
    expect(answer.statusCode).toBe(503)
    expect(answer.json<{ error: string }>().error).toBe(
      'The database cannot be reached right now. Please try again in a moment.',
    )
  })

  it.each(['/api', '/api/', '/api/unknown', '/api/echo'])(
    'of a path without a route is JSON: %s [SHELL-074]',
    async (url) => {
      const answer = await app.inject({ url, headers: { accept: 'text/html' } })
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toMatchObject({ success: false, code: 'route.unknown' })
    },
  )
})

describe('every answer', () => {
  it('carries the security headers, without inline scripts, and a request id', async () => {
    const { headers } = await app.inject('/api/unknown')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
    expect(headers['strict-transport-security']).toBeUndefined()
  })
})

describe('/api/docs', () => {
  it('publishes the declared routes as OpenAPI', async () => {
    const document = (await app.inject('/api/docs')).json<{ openapi: string; paths: Record<string, object> }>()
    expect(document.openapi).toMatch(/^3\./)
    expect(Object.keys(document.paths)).toContain('/api/echo/{id}')
  })

  it('shows browsers a page to read', async () => {
    const answer = await app.inject({ url: '/api/docs', headers: { accept: 'text/html,*/*' } })
    const page = await app.inject({ url: String(answer.headers.location), headers: { accept: 'text/html' } })
    const followed = page.headers.location ? await app.inject(page.headers.location) : page
    expect(followed.headers['content-type']).toContain('text/html')
  })
})
