import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OpenAiStandIn, startOpenAiStandIn } from '../../../test-support/stand-ins/openai.ts'
import { startStandIn, type StandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { headersOf, register, type RegisteredUser } from '../../../test-support/visitor.ts'

let vendor: OpenAiStandIn
let documentation: StandIn
let server: TestApp
let user: RegisteredUser
beforeAll(async () => {
  vendor = await startOpenAiStandIn()
  documentation = await startStandIn('documentation', () => ({
    body: '<!doctype html><html><head><title>x</title></head><body><p>GET /bars &amp; more</p><script>evil()</script></body></html>',
  }))
  const environment = { OPENAI_BASE_URL: vendor.baseUrl, RUN_JOBS: 'off', ALLOW_PRIVATE_PROVIDERS: 'on' }
  server = await createTestApp({ environment })
  user = await register(server)
})
afterAll(async () => {
  await server.close()
  await documentation.close()
  await vendor.close()
})

const send = (url: string, payload: object) =>
  server.app.inject({ method: 'POST', url, headers: headersOf(user), payload })
const generate = (api_documentation: string) =>
  send('/api/data-collector/providers/generate', { provider_name: 'Bars', api_documentation })

const definition = {
  id: 'bars',
  displayName: 'Bars',
  baseUrl: 'https://api.example.com',
  path: '/bars/{ticker}',
  records: { shape: 'rows', path: 'data', timestamp: 'date', timestampFormat: 'date', values: { close: 'c' } },
}

it('needs a connected model, then gives what the model wrote, corrected once', async () => {
  const refused = await generate('GET /bars')
  expect(refused.json<{ error: string }>().error).toContain('connect your OpenAI key in Settings')
  await send('/api/openai/connect', { api_key: 'sk-good' })
  vendor.says({ text: '{"id":"bars"}' }, { text: `Here it is:\n\`\`\`json\n${JSON.stringify(definition)}\n\`\`\`` })
  const answer = await generate('GET /bars')
  expect(answer.json()).toMatchObject({ success: true, definition: { id: 'bars', path: '/bars/{ticker}' } })
  expect(vendor.chats.at(-1)!.messages.at(-1)!.content).toContain('does not fit the schema')
  expect(vendor.chats.at(-1)!.tools).toBeUndefined()
})

it('reads documentation from its address, as text', async () => {
  vendor.says({ text: JSON.stringify(definition) })
  expect((await generate(documentation.url)).statusCode).toBe(200)
  const asked = vendor.chats.at(-1)!.messages.at(-1)!.content
  expect(asked).toContain('GET /bars & more')
  expect(asked).not.toContain('evil')
})

it('refuses an answer that is no definition', async () => {
  vendor.says({ text: 'I would rather not.' }, { text: 'Really not.' })
  const answer = await generate('GET /bars')
  expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
    502,
    expect.stringContaining('not a usable definition'),
  ])
})
