import {
  type ChatMessage,
  ActionObject,
  askAssistant,
  AssistantAnswer,
  AssistantEvent,
  runAssistantAction,
} from '@tradewright/contract/ai-assistant'
import { actionTagsIn, unfinishedTagAt } from '@tradewright/core/action-tags'
import { parsed, callForResponse } from '../../lib/http.ts'
import { CallError } from '../../lib/call-error.ts'
import { readEvents } from '../../lib/events.ts'
import { inChosenFormats } from '../../lib/sentences.ts'

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

interface ActionButton {
  label: string
  /** Sent as it is when the button is pressed. */
  action: ActionObject
}

export interface MessageParts {
  /** Markdown without the tags that became buttons. */
  text: string
  buttons: readonly ActionButton[]
}

/** A tag that is no object with a label is not a button: it stays in the text. */
export function messageParts(content: string): MessageParts {
  const buttons: ActionButton[] = []
  let text = ''
  let from = 0
  for (const tag of actionTagsIn(content)) {
    const action = ActionObject.safeParse(parsed(tag.json))
    const label = action.success ? action.data.label?.trim() : undefined
    if (!action.success || !label) continue
    buttons.push({ label, action: action.data })
    text += content.slice(from, tag.start)
    from = tag.end
  }
  return { text: (text + content.slice(from)).trim(), buttons }
}

/** The parts of a text that is still coming: a tag is not shown before it is complete. */
export const partsSoFar = (content: string): MessageParts => messageParts(content.slice(0, unfinishedTagAt(content)))

export type Asked = { kind: 'message'; text: string } | { kind: 'action'; action: ActionObject }

interface AssistantCall {
  asked: Asked
  conversationId: string
  userId: number
  signal: AbortSignal
  onText: (text: string) => void
  onStep: (note: string) => void
}

const ACCEPT = 'text/event-stream, application/json'

/** Asks, and takes the answer as it comes: piece by piece, or whole. Empty where there was none. */
export async function callAssistant(call: AssistantCall): Promise<string> {
  const response = await ask(call)
  const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false
  if (isStream && response.body) return streamed(response.body, call)
  return AssistantAnswer.partial().safeParse(parsed(await response.text())).data?.response ?? ''
}

function ask({ asked, conversationId, userId, signal }: AssistantCall): Promise<Response> {
  const common = {
    conversation_id: conversationId,
    context: { user_id: userId, timestamp: new Date().toISOString() },
  }
  return asked.kind === 'message'
    ? callForResponse(askAssistant, { body: { message: asked.text, ...common }, signal }, ACCEPT)
    : callForResponse(runAssistantAction, { body: { action: asked.action, ...common }, signal }, ACCEPT)
}

async function streamed(body: ReadableStream<Uint8Array>, { onText, onStep }: AssistantCall): Promise<string> {
  for await (const { event, data } of readEvents(body)) {
    if (event === 'text') onText(AssistantEvent.text.parse(data).text)
    else if (event === 'step') onStep(inChosenFormats(AssistantEvent.step.parse(data).note))
    else if (event === 'done') return AssistantEvent.done.parse(data).response
    else if (event === 'error') throw failure(AssistantEvent.error.parse(data))
  }
  throw new CallError({ status: 0, code: 'network', serverMessage: null })
}

const failure = ({ error, code }: { error: string; code: string }) =>
  new CallError({ status: 502, code, serverMessage: inChosenFormats(error) })

/** The specification's words. */
export const FAILED = 'Sorry, I encountered an error. Please try again.'
export const EMPTY_REPLY = 'Sorry, I encountered an error processing your request.'
export const ACTION_FAILED = 'Sorry, I encountered an error executing that action.'
export const ACTION_DONE = 'Action completed successfully.'

export const NO_VOICE_INPUT = 'This browser does not support voice input: use Chrome, Edge or Safari.'
export const NO_SPOKEN_REPLIES = 'This browser cannot read replies aloud.'
