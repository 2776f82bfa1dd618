import { actionTagsIn } from '@tradewright/core/action-tags'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { chatOf, responseOf } from '../../../test-support/chat.ts'
import { askOverHttp } from '../../../test-support/chat-over-http.ts'
import { type OpenAiStandIn, startOpenAiStandIn } from '../../../test-support/stand-ins/openai.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { headersOf, register, type RegisteredUser } from '../../../test-support/visitor.ts'

/** One user over real connections on both sides: what a user's browser and a model's server do to an answer that is under way. */
let vendor: OpenAiStandIn
let server: TestApp
let address: string
let user: RegisteredUser
let chat: ReturnType<typeof chatOf>
beforeAll(async () => {
  vendor = await startOpenAiStandIn()
  // No process works on jobs, so that a backtest waits until it is stopped.
  server = await createTestApp({ environment: { OPENAI_BASE_URL: vendor.baseUrl, RUN_JOBS: 'off' } })
  address = await server.address()
  user = await register(server)
  chat = chatOf(server, user)
  await chat.connect()
})
afterAll(async () => {
  await server.close()
  await vendor.close()
})
beforeEach(async () => {
  await server.app.inject({ method: 'DELETE', url: '/api/ai-assistant-conversations/c1', headers: headersOf(user) })
  await server.database.database.deleteFrom('jobs').execute()
  vendor.says()
  vendor.chats.length = 0
})
afterEach(() => vi.useRealTimers())

const HALF = 'Half of it, and no more'
const ask = (message: string) => askOverHttp(address, user, { message })
/** Once the server has noticed that the asker has gone. */
const keptMessages = (count: number) =>
  vi.waitUntil(
    async () => {
      const messages = await chat.messages()
      return messages.length >= count ? messages : undefined
    },
    { timeout: 60_000 },
  )
const vendorLeft = () =>
  new Promise<void>((resolve) => {
    vendor.onLeft = resolve
  })

describe('stopping', () => {
  it('half an answer ends the call to the model, and what had come is kept', async () => {
    vendor.says({ text: HALF, fault: 'silent-midway' })
    const left = vendorLeft()
    const answer = await ask('Tell me a story')
    expect((await answer.until('text')).data).toEqual({ text: 'Half of it, ' })
    answer.stop()
    await left
    expect(await keptMessages(2)).toMatchObject([
      { role: 'user', content: 'Tell me a story' },
      { role: 'assistant', content: 'Half of it,\n\n*(unfinished)*' },
    ])
    expect(vendor.chats).toHaveLength(1)
    expect(responseOf(await chat.ask('Go on'))).toContain('stand-in')
  })

  it('before a word has come is kept as a note', async () => {
    vendor.says({ fault: 'silent' })
    const [left, silent] = [vendorLeft(), new Promise<void>((resolve) => (vendor.onSilence = resolve))]
    const answer = await ask('Hello?')
    await silent
    answer.stop()
    await left
    expect(await keptMessages(2)).toMatchObject([{ role: 'user' }, { role: 'system', content: 'Stopped.' }])
  })

  it('while a tool works ends its work, begins no other tool and asks the model nothing more', async () => {
    const run = { allocation: [{ ticker: 'SPY', percent: 100 }], start_date: '2018-01-02', end_date: '2019-12-30' }
    const toolCall = { name: 'run_backtest', arguments: run }
    vendor.says({ text: 'I compute. ', toolCalls: [toolCall, toolCall] }, { text: 'It is done.' })
    const answer = await ask('What if?')
    expect((await answer.until('step')).data).toEqual({ note: 'Running a backtest' })
    await vi.waitUntil(async () => (await jobStates()).length > 0, { timeout: 60_000 })
    answer.stop()
    expect((await keptMessages(2)).at(-1)).toMatchObject({ role: 'system', content: 'Stopped.' })
    expect(await jobStates()).toEqual(['cancelled'])
    expect(vendor.chats).toHaveLength(1)
  })

  it('does not undo what a button has started', async () => {
    const allocation = [{ ticker: 'SPY', percent: 100 }]
    const run = { type: 'run_backtest', label: 'x', name: 'Kept', allocation, start_date: '2018-01-02' }
    const action = { ...run, end_date: '2019-12-30' }
    const answer = await askOverHttp(address, user, { action }, '/api/ai-assistant-action')
    await vi.waitUntil(async () => (await jobStates()).length > 0, { timeout: 60_000 })
    answer.stop()
    expect((await keptMessages(2)).at(-1)!.content).toBe('Stopped waiting. Anything already started continues.')
    expect(await jobStates()).toEqual(['queued'])
  })
})

const jobStates = async (): Promise<string[]> => {
  const rows = await server.database.database
    .selectFrom('jobs')
    .select('state')
    .where('user_id', '=', user.id)
    .execute()
  return rows.map(({ state }) => state)
}

describe('a model that', () => {
  it('falls silent in the middle is given up; what it said is kept, then the reason', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    vendor.says({ text: HALF, fault: 'silent-midway' })
    const left = vendorLeft()
    const answer = await ask('Tell me a story')
    await answer.until('text')
    // A third of the three minutes that an answer may take.
    vi.advanceTimersByTime(60_000)
    const sentence = 'The AI model did not answer in time. Please try again.'
    expect(await answer.rest()).toEqual([{ event: 'error', data: { code: 'ai.time-out', error: sentence } }])
    await left
    expect(await chat.messages()).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'Half of it,\n\n*(unfinished)*' },
      { role: 'error', content: sentence },
    ])
  })

  it('loses its connection in the middle has said what it said', async () => {
    vendor.says({ text: HALF, fault: 'reset-midway' })
    const events = await (await ask('Tell me a story')).rest()
    expect(events).toMatchObject([
      { event: 'text', data: { text: 'Half of it, ' } },
      { event: 'error', data: { code: 'ai.failed' } },
    ])
    expect((await chat.messages()).map(({ role }) => role)).toEqual(['user', 'assistant', 'error'])
    expect(vendor.chats).toHaveLength(1)
  })

  it.each([
    [{ status: 401, code: 'invalid_api_key' }, 'ai.key'],
    [{ status: 429, code: 'insufficient_quota' }, 'ai.quota'],
    [{ status: 404, code: 'model_not_found' }, 'ai.model'],
    [{ status: 500, code: 'server_error' }, 'ai.failed'],
  ])('fails with %j is told as %s, and the chat goes on', async (error, code) => {
    vendor.says({ error }, { error })
    const events = await (await ask('Hello?')).rest()
    expect(events).toMatchObject([{ event: 'error', data: { code } }])
    expect((await chat.messages()).map(({ role }) => role)).toEqual(['user', 'error'])
    vendor.says()
    expect((await (await ask('And now?')).rest()).at(-1)!.event).toBe('done')
  })

  it('fails after a tool has failed leaves both in order', async () => {
    const toolCall = { name: 'get_strategy', arguments: { strategy_id: 999_999 } }
    const error = { status: 500, code: 'server_error' }
    vendor.says({ toolCalls: [toolCall] }, { error }, { error })
    const events = await (await ask('Read it')).rest()
    expect(events.map(({ event }) => event)).toEqual(['step', 'error'])
    expect(vendor.chats[1]!.messages.at(-1)!.content).toContain('There is no such strategy.')
  })

  it.each([
    '[ACTION:{"label":"Buy","type":"create_strategy"',
    '[ACTION:{"label":"Buy", type: create_strategy}]',
    '[ACTION:not even JSON]',
    '[ACTION]{"label":"Buy"}',
    '<ACTION>[{"label":"Buy"}]</ACTION>',
  ])('writes a malformed tag has written text: %s', async (tag) => {
    vendor.says({ text: `Press this: ${tag} please` })
    const done = await (await ask('A button?')).until('done')
    expect(done.data['response']).toBe(`Press this: ${tag} please`)
    expect(actionTagsIn(tag).filter(({ json }) => isJson(json))).toEqual([])
    expect((await chat.get('/api/strategies')).json<{ strategies: unknown[] }>().strategies).toEqual([])
  })

  it('is stopped inside a tag leaves no half of it', async () => {
    const tag = '[ACTION:{"label":"Save","type":"create_strategy","name":"All in"}]'
    vendor.says({ text: `Press: ${tag}`, fault: 'silent-midway' })
    const answer = await ask('A button?')
    await answer.until('text')
    answer.stop()
    expect((await keptMessages(2)).at(-1)!.content).toBe('Press:\n\n*(unfinished)*')
  })
})

const isJson = (text: string): boolean => {
  try {
    return JSON.parse(text) !== undefined
  } catch {
    return false
  }
}

it('a message of 100 kB is refused with a sentence, and the model is not asked', async () => {
  await chat.ask('Hello')
  const events = await (await ask('x'.repeat(100_000))).rest()
  expect(events).toMatchObject([{ event: 'error', data: { code: 'assistant.message' } }])
  expect(await chat.messages()).toHaveLength(2)
  expect(vendor.chats).toHaveLength(1)
})
