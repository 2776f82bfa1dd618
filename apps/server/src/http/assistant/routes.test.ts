import { ManualClock } from '@tradewright/core/clock'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chatOf, responseOf } from '../../../test-support/chat.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { headersOf, register } from '../../../test-support/visitor.ts'

const clock = new ManualClock(new Date('2026-03-02T12:00:00Z'))
let server: TestApp
beforeAll(async () => {
  server = await createTestApp({ clock, environment: { RUN_JOBS: 'off' } })
})
afterAll(() => server.close())

const chat = async () => chatOf(server, await register(server))
interface Summary {
  conversation_id: string
  title: string
  message_count: number
  last_message_time: string
}
const listed = async (own: ReturnType<typeof chatOf>, query = '') =>
  (await own.get(`/api/ai-assistant-conversations${query}`)).json<{ conversations: Summary[] }>().conversations

describe('conversations', () => {
  it('are kept with their messages, titled by the first one [AI-014, AI-015, AI-029, AI-031, AI-032]', async () => {
    const own = await chat()
    const question = `List my strategies, ${'please '.repeat(20)}`
    const response = responseOf(await own.ask(question, 'mine'))
    expect(response).toContain('no saved strategies yet')
    const messages = await own.messages('mine')
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', question],
      ['assistant', response],
    ])
    expect(messages[0]).toMatchObject({ id: expect.any(String) as string, timestamp: '2026-03-02T12:00:00.000Z' })
    const [summary] = await listed(own)
    expect(summary).toEqual({
      conversation_id: 'mine',
      title: expect.stringMatching(/^List my strategies, please .*…$/) as string,
      message_count: 2,
      last_message_time: clock.now().toISOString(),
    })
    expect(Array.from(summary!.title)).toHaveLength(60)
  })

  it('are listed by their newest message, and found by what was said [AI-031]', async () => {
    const own = await chat()
    for (const id of ['a', 'b', 'c']) {
      await own.ask(`Question 100% ${id}`, id)
      clock.advance(1_000)
    }
    await own.ask('Once more_', 'a')
    const ids = async (query: string) => (await listed(own, query)).map(({ conversation_id }) => conversation_id)
    expect(await ids('')).toEqual(['a', 'c', 'b'])
    expect(await ids('?limit=1')).toEqual(['a'])
    expect(await ids('?search=QUESTION%20100%25%20b')).toEqual(['b'])
    expect(await ids('?search=more_')).toEqual(['a'])
    expect(await ids('?search=more%25')).toEqual([])
  })

  it('get an id where none was given', async () => {
    const own = await chat()
    const answer = await own.send('/api/ai-assistant-query', { message: 'Hello' })
    const { conversation_id } = answer.json<{ conversation_id: string }>()
    expect(await own.messages(conversation_id)).toHaveLength(2)
  })

  it('are deleted; what is not there is 404 [AI-033, AI-036]', async () => {
    const user = await register(server)
    const own = chatOf(server, user)
    const remove = (id: string) =>
      server.app.inject({ method: 'DELETE', url: `/api/ai-assistant-conversations/${id}`, headers: headersOf(user) })
    await own.ask('Hello', 'gone')
    expect((await remove('gone')).json()).toEqual({ success: true })
    expect((await own.get('/api/ai-assistant-conversations/gone')).statusCode).toBe(404)
    expect((await remove('gone')).statusCode).toBe(404)
    expect((await remove('never')).statusCode).toBe(404)
  })

  it("of two users under the same id never meet, and another's does not exist [AI-016, AI-028]", async () => {
    const [user, other] = [await register(server), await register(server)]
    const [own, theirs] = [chatOf(server, user), chatOf(server, other)]
    await own.ask('My secret plan', 'same')
    expect((await theirs.get('/api/ai-assistant-conversations/same')).statusCode).toBe(404)
    await theirs.ask('Hello', 'same')
    expect((await theirs.messages('same'))[0]!.content).toBe('Hello')
    const remove = { method: 'DELETE', url: '/api/ai-assistant-conversations/same', headers: headersOf(other) } as const
    expect((await server.app.inject(remove)).json()).toEqual({ success: true })
    expect((await server.app.inject(remove)).statusCode).toBe(404)
    expect((await own.messages('same'))[0]!.content).toBe('My secret plan')
    expect(await listed(theirs, '?search=secret')).toEqual([])
  })

  it('need a session, by cookie or by bearer token [AI-026, AI-027]', async () => {
    const user = await register(server)
    const paths = ['/api/ai-assistant-query', '/api/ai-assistant-action']
    for (const url of paths)
      expect((await server.app.inject({ method: 'POST', url, payload: {} })).statusCode).toBe(401)
    for (const url of ['/api/ai-assistant-conversations', '/api/ai-assistant-conversations/x']) {
      expect((await server.app.inject({ method: 'GET', url })).statusCode).toBe(401)
    }
    expect((await chatOf(server, { token: user.token }).ask('Hello')).statusCode).toBe(200)
  })
})

describe('bad input', () => {
  it.each(['', '   ', '\n\t'])('a blank message is refused: %j [AI-034]', async (message) => {
    const answer = await (await chat()).ask(message)
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([400, 'Please enter a message.'])
  })

  it.each([
    {},
    { message: null },
    { message: 1 },
    { message: 'x', conversation_id: '' },
    { message: 'x', conversation_id: 'x'.repeat(101) },
    { message: 'a\0b' },
  ])('is refused with a sentence: %j [AI-034]', async (body) => {
    const answer = await (await chat()).send('/api/ai-assistant-query', body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json<{ error: string }>().error).toMatch(/\.$/)
  })

  it.each([{}, { action: null }, { action: 'run' }, { action: [] }, { action: {} }, { action: { label: 5 } }])(
    'an action is required: %j [AI-035]',
    async (body) => {
      const answer = await (await chat()).send('/api/ai-assistant-action', body)
      expect(answer.statusCode).toBe(400)
    },
  )

  it('a message of 100 kB is too long; the conversation stays as it was', async () => {
    const own = await chat()
    await own.ask('Hello')
    const answer = await own.ask('x'.repeat(100_000))
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
      413,
      'The message has 100,000 characters; at most 32,000 are allowed.',
    ])
    expect(await own.messages()).toHaveLength(2)
  })
})
