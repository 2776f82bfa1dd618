import { ManualClock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineAction, type Caller, defineTool, type Abilities } from './action.ts'
import type { ConnectionStore } from './connection/connect.ts'
import { type Ask, type AssistantDeps, converse, limitReplies } from './converse.ts'
import type { ChatModel, Turn } from './model.ts'
import type { ConversationStore, NewMessage } from './conversations.ts'

const left = new Problem('conflict', 'call.left', 'The client disconnected.')
const untilAborted = ({ signal }: Pick<Caller, 'signal'>): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })

const slow = {
  tool: defineTool({ name: 'wait', description: '', note: 'Waiting', input: z.object({}), run: untilAborted }),
  action: defineAction({
    type: 'wait',
    description: '',
    input: z.object({}),
    label: () => 'Wait',
    run: untilAborted,
  }),
}
const abilities: Abilities = { tools: [slow.tool], actions: [slow.action], topics: [], quickActions: [] }

let kept: NewMessage[]
const clock = new ManualClock(new Date('2026-03-02T12:00:00Z'))
const conversations: ConversationStore = {
  list: async () => [],
  find: async () => undefined,
  begin: async (_userId, _id, _title, message) => void kept.push(message),
  append: async (_userId, _id, message) => void kept.push(message),
  remove: async () => true,
}
const connections: ConnectionStore = {
  find: async () => ({
    sealedKey: Buffer.of(),
    model: 'm',
    baseUrl: null,
    unverifiedReason: null,
    lastUsed: null,
  }),
  save: async () => undefined,
  chooseModel: async () => true,
  used: async () => undefined,
  remove: async () => undefined,
}

type TurnOf = ChatModel['turn']
const depsWith = (turn: TurnOf, more: Partial<AssistantDeps> = {}): AssistantDeps => ({
  conversations,
  connections,
  abilities,
  clock,
  seal: { seal: () => Buffer.of(), open: () => 'sk' },
  openModel: () => ({ turn, offered: async () => [] }),
  replies: limitReplies(1),
  onBug: (error) => {
    throw error
  },
  timeLimitMs: 60_000,
  ...more,
})
const askFor = (more: Partial<Ask> = {}): Ask => ({
  userId: 1,
  username: 'ann',
  conversationId: 'c1',
  asked: { kind: 'message', text: 'Hello?' },
  stopped: new AbortController().signal,
  ...more,
})
const said = (text: string, toolCalls: Turn['toolCalls'] = []): Turn => ({
  text,
  toolCalls,
  usedTokens: 1,
  isCutOff: false,
})
const waitCall = { id: 'a', name: 'wait', arguments: '{}' }

beforeEach(() => {
  kept = []
})

describe('an answer that takes longer than it may', () => {
  const SENTENCE = 'The answer took too long and was ended. Please try again, or ask for less.'

  it('ends while the model speaks: what it said stays, then the reason', async () => {
    const deps = depsWith(
      (_request, signal, onText) => {
        onText?.('Once upon a time')
        return untilAborted({ signal })
      },
      { timeLimitMs: 1 },
    )
    await expect(converse(deps, askFor({ onText: () => undefined }))).rejects.toMatchObject({ code: 'ai.time-out' })
    expect(kept.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'Hello?'],
      ['assistant', 'Once upon a time\n\n*(unfinished)*'],
      ['error', SENTENCE],
    ])
  })

  it('ends while a tool works, with the same reason', async () => {
    const deps = depsWith(async () => said('', [waitCall]), { timeLimitMs: 1 })
    await expect(converse(deps, askFor())).rejects.toThrow(SENTENCE)
    expect(kept.at(-1)).toMatchObject({ role: 'error', content: SENTENCE })
  })

  it('is no loss where a button has started something', async () => {
    const deps = depsWith(untilAborted as unknown as TurnOf, { timeLimitMs: 1 })
    const asked = { kind: 'action', action: { type: 'wait', label: 'Wait' } } as const
    await expect(converse(deps, askFor({ asked }))).rejects.toThrow('Anything already started continues')
  })
})

describe('an answer that is stopped', () => {
  it('keeps only what came after something was looked up, as the screen shows it', async () => {
    const stop = new AbortController()
    const turns: TurnOf[] = [
      async (_request, _signal, onText) => {
        onText?.('I look. ')
        return said('I look. ', [{ ...waitCall, name: 'look' }])
      },
      async (_request, _signal, onText) => {
        onText?.('There is ')
        stop.abort(left)
        throw left
      },
    ]
    const look = { ...slow.tool, name: 'look', run: async () => ({ seen: true }) }
    const deps = depsWith((...args) => turns.shift()!(...args), { abilities: { ...abilities, tools: [look] } })
    expect(await converse(deps, askFor({ stopped: stop.signal, onText: () => undefined }))).toBe('There is')
    expect(kept.at(-1)).toMatchObject({ role: 'assistant', content: 'There is\n\n*(unfinished)*' })
  })

  it('between two tools of a round does not begin the second', async () => {
    const stop = new AbortController()
    let runs = 0
    const once = {
      ...slow.tool,
      run: async () => {
        runs += 1
        stop.abort(left)
      },
    }
    const turn = async () => said('', [waitCall, { ...waitCall, id: 'b' }])
    const deps = depsWith(turn, { abilities: { ...abilities, tools: [once] } })
    await converse(deps, askFor({ stopped: stop.signal }))
    expect(runs).toBe(1)
    expect(kept.at(-1)).toMatchObject({ role: 'system', content: 'Stopped.' })
  })
})

it('more answers at once than a user may have are refused, and keep nothing', async () => {
  const stop = new AbortController()
  const deps = depsWith((_request, signal) => untilAborted({ signal }))
  const first = converse(deps, askFor({ stopped: stop.signal }))
  await expect(converse(deps, askFor())).rejects.toMatchObject({ kind: 'limited', code: 'assistant.busy' })
  stop.abort(left)
  await first
  expect(kept.filter(({ role }) => role === 'user')).toHaveLength(1)
})
