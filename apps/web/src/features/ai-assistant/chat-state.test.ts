import { describe, expect, it } from 'vitest'
import { type ChatEvent, chatReducer, newChat, newConversationId } from './chat-state.ts'

const at = '2026-11-14T12:00:00.000Z'
const after = (...events: ChatEvent[]) => events.reduce(chatReducer, newChat())
const asked: ChatEvent = { type: 'asked', content: 'Hello?', at }

describe('a chat', () => {
  it('begins empty, under an id of its own [AI-016]', () => {
    expect(newChat().messages).toEqual([])
    expect(newConversationId()).not.toBe(newConversationId())
  })

  it('is under way from the question to the answer, an error or a stop [AI-017, AI-018]', () => {
    expect(after(asked).draft).toEqual({ text: '', note: '' })
    const ends: ChatEvent[] = [
      { type: 'answered', content: 'Yes.', at },
      { type: 'failed', content: 'Sorry.', detail: null, at },
      { type: 'stopped', at },
    ]
    for (const end of ends) {
      expect(after(asked, end).draft).toBeNull()
      expect(after(asked, end).messages).toHaveLength(2)
    }
  })

  it('collects what comes, and drops what was said before a look-up', () => {
    const events: ChatEvent[] = [asked, { type: 'text', text: 'Let me' }, { type: 'text', text: ' see.' }]
    expect(after(...events).draft?.text).toBe('Let me see.')
    expect(after(...events, { type: 'step', note: 'Looking' }).draft).toEqual({ text: '', note: 'Looking' })
  })

  it('keeps what had come when it was stopped', () => {
    expect(after(asked, { type: 'text', text: 'Half' }, { type: 'stopped', at }).messages[1]!.content).toContain('Half')
  })

  it('is replaced by the one that is opened [AI-019]', () => {
    expect(after(asked, { type: 'opened', conversationId: 'old', messages: [] })).toEqual({
      conversationId: 'old',
      messages: [],
      draft: null,
    })
  })
})
