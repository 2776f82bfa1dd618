import { Problem } from '@tradewright/core/problem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type OpenAiStandIn,
  startOpenAiStandIn,
  STAND_IN_ANSWER,
  WRONG_KEY,
} from '../../../test-support/stand-ins/openai.ts'
import type { TurnRequest } from '../../assistant/model.ts'
import { openAiModels, guardedFetch } from './chat-model.ts'

let vendor: OpenAiStandIn
beforeAll(async () => {
  vendor = await startOpenAiStandIn()
})
afterAll(() => vendor.close())

const SILENCE_MS = 300
const settings = () => ({ baseUrl: vendor.baseUrl, guardedFetch: guardedFetch({}), silenceLimitMs: SILENCE_MS })
const open = (apiKey = 'sk-good', baseUrl: string | null = null) =>
  openAiModels(settings())({ apiKey, model: 'gpt-4o-mini', baseUrl })
const never = () => new AbortController().signal

const request: TurnRequest = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello?' },
  ],
  tools: [{ name: 'get_quotes', description: 'Prices', parameters: { type: 'object', properties: {} } }],
  mayUseTools: true,
  maxTokens: 100,
}

async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const error: unknown = await work.then(
    () => new Error('it did not fail'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof Problem)) throw error
  return error
}

describe.each(['whole', 'streamed'] as const)('an answer that comes %s', (manner) => {
  const turn = (pieces: string[] = [], signal = never()) =>
    open().turn(request, signal, manner === 'streamed' ? (text) => pieces.push(text) : undefined)

  it('is its text', async () => {
    const pieces: string[] = []
    expect(await turn(pieces)).toEqual({ text: STAND_IN_ANSWER, toolCalls: [], usedTokens: 15, isCutOff: false })
    expect(pieces.join('')).toBe(manner === 'streamed' ? STAND_IN_ANSWER : '')
  })

  it('is its tool calls, put together from their pieces', async () => {
    vendor.says({
      text: 'Let me look.',
      toolCalls: [
        { name: 'get_quotes', arguments: { tickers: ['SPY', 'TLT'] } },
        { name: 'get_quotes', arguments: 'not JSON' },
      ],
    })
    const { toolCalls, text } = await turn()
    expect(text).toBe('Let me look.')
    expect(toolCalls).toEqual([
      { id: 'call_0', name: 'get_quotes', arguments: '{"tickers":["SPY","TLT"]}' },
      { id: 'call_1', name: 'get_quotes', arguments: 'not JSON' },
    ])
  })

  it('says when it was cut off at its limit', async () => {
    vendor.says({ text: 'Once upon', finish: 'length' })
    expect((await turn()).isCutOff).toBe(true)
  })

  it.each([
    [{ status: 401, code: 'invalid_api_key' }, 'ai.key'],
    [{ status: 403, code: 'unsupported_country_region_territory' }, 'ai.key'],
    [{ status: 404, code: 'model_not_found' }, 'ai.model'],
    [{ status: 429, code: 'insufficient_quota' }, 'ai.quota'],
    [{ status: 429, code: 'rate_limit_exceeded' }, 'ai.rate'],
    [{ status: 400, code: 'context_length_exceeded' }, 'ai.too-long'],
    [{ status: 400, code: 'unsupported_parameter' }, 'ai.failed'],
    [{ status: 500, code: 'server_error' }, 'ai.failed'],
  ])('fails with %j as the problem %s', async (error, code) => {
    vendor.says({ error }, { error })
    expect((await problemOf(turn())).code).toBe(code)
  })

  it('does not show what the vendor says, and not even the log gets the key that it echoes', async () => {
    vendor.says({ error: { status: 400, code: 'x', message: 'bad key sk-good here' } })
    const problem = await problemOf(turn())
    expect(problem.message).toBe('The AI service answered with an error (HTTP 400).')
    expect(String(problem.cause)).toContain('bad key *** here')
  })

  it('gives up on a server that never answers', async () => {
    vendor.says({ fault: 'silent' }, { fault: 'silent' })
    expect((await problemOf(turn())).code).toBe('ai.time-out')
  })

  it('ends when the asker stops it, with the given reason, and the server is told by the connection', async () => {
    vendor.says({ fault: 'silent' })
    const stop = new AbortController()
    vendor.onSilence = () => stop.abort(new Problem('conflict', 'assistant.stopped', 'Stopped.'))
    const left = new Promise<void>((resolve) => {
      vendor.onLeft = resolve
    })
    expect((await problemOf(turn([], stop.signal))).code).toBe('assistant.stopped')
    await left
    vendor.onSilence = () => undefined
    vendor.onLeft = () => undefined
  })
})

describe('a stream', () => {
  it('that falls silent midway is a time-out; what came was handed over', async () => {
    vendor.says({ text: 'Half of it, and no more', fault: 'silent-midway' })
    const pieces: string[] = []
    expect((await problemOf(open().turn(request, never(), (text) => pieces.push(text)))).code).toBe('ai.time-out')
    expect(pieces.join('')).toBe('Half of it, ')
  })

  it.each(['broken-midway', 'reset-midway'] as const)('that is %s is not taken for a whole answer', async (fault) => {
    vendor.says({ text: 'Half of it, and no more', fault })
    expect((await problemOf(open().turn(request, never(), () => undefined))).code).toBe('ai.failed')
  })

  it('may come whole from a server that does not stream', async () => {
    vendor.says({ text: 'All at once', neverStreams: true })
    const pieces: string[] = []
    expect((await open().turn(request, never(), (text) => pieces.push(text))).text).toBe('All at once')
    expect(pieces).toEqual(['All at once'])
  })
})

describe('what is sent', () => {
  it('has the tools, the limit and the whole exchange', async () => {
    await open().turn(
      {
        ...request,
        mayUseTools: false,
        messages: [
          ...request.messages,
          { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'get_quotes', arguments: '{}' }] },
          { role: 'tool', toolCallId: 'a', content: '{"data":1}' },
        ],
      },
      never(),
    )
    expect(vendor.chats.at(-1)).toMatchObject({
      model: 'gpt-4o-mini',
      max_tokens: 100,
      tool_choice: 'none',
      tools: [{ type: 'function', function: { name: 'get_quotes' } }],
      messages: [
        { role: 'system' },
        { role: 'user', content: 'Hello?' },
        { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'get_quotes' } }] },
        { role: 'tool', tool_call_id: 'a', content: '{"data":1}' },
      ],
    })
    expect(vendor.keys.at(-1)).toBe('sk-good')
  })
})

describe('the list of models', () => {
  it('has what the server offers, with the day it ends', async () => {
    const offered = await open().offered(never())
    expect(offered).toContainEqual({ id: 'gpt-4o', shutdownDate: '2027-01-14' })
    expect(offered).toContainEqual({ id: 'gpt-4o-mini', shutdownDate: null })
  })

  it('is refused for a wrong key', async () => {
    expect((await problemOf(open(WRONG_KEY).offered(never()))).code).toBe('ai.key')
  })

  it('is unavailable where nothing listens', async () => {
    const nobody = openAiModels({ ...settings(), baseUrl: 'http://127.0.0.1:9' })
    const model = nobody({ apiKey: 'sk-x', model: 'm', baseUrl: null })
    expect((await problemOf(model.offered(never()))).code).toBe('ai.unreachable')
  })
})

describe("a user's own server address", () => {
  it('is not called where it is private, whatever is behind it', async () => {
    const asked = vendor.keys.length
    const problem = await problemOf(open('sk-good', vendor.baseUrl).offered(never()))
    expect([problem.kind, problem.code]).toEqual(['invalid', 'ai.address'])
    expect(vendor.keys.length).toBe(asked)
  })

  it('is called, and streamed from, where the operator allows it', async () => {
    const models = openAiModels({
      ...settings(),
      baseUrl: 'http://127.0.0.1:9',
      guardedFetch: guardedFetch({ isAllowed: () => true }),
    })
    const pieces: string[] = []
    const model = models({ apiKey: 'ollama', model: 'llama3.1', baseUrl: vendor.baseUrl })
    expect((await model.turn(request, never(), (text) => pieces.push(text))).text).toBe(STAND_IN_ANSWER)
    expect(pieces.length).toBe(2)
    expect((await model.turn(request, never())).text).toBe(STAND_IN_ANSWER)
  })
})
