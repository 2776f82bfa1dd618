import { partsSoFar } from './action-buttons.ts'
import type { ChatMessage } from '@tradewright/contract/ai-assistant'

export interface ShownMessage extends ChatMessage {
  /** Why, under an error. */
  detail?: string | null
}

export interface ChatState {
  conversationId: string
  messages: readonly ShownMessage[]
  /** The part of a streamed answer received so far, and the assistant's current tool call. */
  draft: { text: string; note: string } | null
}

export type ChatEvent =
  | { type: 'asked'; content: string; at: string }
  | { type: 'text'; text: string }
  | { type: 'step'; note: string }
  | { type: 'answered'; content: string; at: string }
  | { type: 'failed'; content: string; detail: string | null; at: string }
  | { type: 'stopped'; at: string }
  | { type: 'opened'; conversationId: string; messages: readonly ShownMessage[] }

/** Not a UUID: browsers make those only where the page came over TLS. */
export const newConversationId = (): string =>
  `chat-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 12)}`

export const newChat = (): ChatState => ({ conversationId: newConversationId(), messages: [], draft: null })

export function chatReducer(state: ChatState, event: ChatEvent): ChatState {
  const { messages, draft } = state
  const say = (role: ChatMessage['role'], content: string, timestamp: string, detail: string | null = null) =>
    [...messages, { id: `local-${messages.length}`, role, content, timestamp, detail }] satisfies ShownMessage[]
  switch (event.type) {
    case 'asked':
      return { ...state, messages: say('user', event.content, event.at), draft: { text: '', note: '' } }
    case 'text':
      return { ...state, draft: draft && { text: draft.text + event.text, note: '' } }
    case 'step':
      // Text before a tool call is not the answer.
      return { ...state, draft: draft && { text: '', note: event.note } }
    case 'answered':
      return { ...state, messages: say('assistant', event.content, event.at), draft: null }
    case 'failed':
      return { ...state, messages: say('error', event.content, event.at, event.detail), draft: null }
    case 'stopped':
      return {
        ...state,
        messages: draft?.text
          ? say('assistant', `${partsSoFar(draft.text).text}\n\n*(unfinished)*`, event.at)
          : say('system', 'Stopped.', event.at),
        draft: null,
      }
    case 'opened':
      return { conversationId: event.conversationId, messages: event.messages, draft: null }
    default:
      return state
  }
}
