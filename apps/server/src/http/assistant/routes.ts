import * as contract from '@tradewright/contract/ai-assistant'
import { Problem } from '@tradewright/core/problem'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { randomUUID } from 'node:crypto'
import {
  findConversation,
  removeConversation,
  type ChatMessage,
  type ConversationItem,
} from '../../assistant/conversations.ts'
import { type Asked, type AssistantDeps, converse } from '../../assistant/converse.ts'
import { EventStream } from '../answer/event-stream.ts'
import type { Handle, SignedInUser } from '../server/handle.ts'
import { disconnectSignal } from '../server/client-disconnect.ts'

const HEARTBEAT_INTERVAL_MS = 15_000

export function serveAssistant(handle: Handle, deps: AssistantDeps): void {
  handle(contract.askAssistant, ({ body, ...call }) =>
    answer(deps, call, body.conversation_id, { kind: 'message', text: body.message }),
  )
  handle(contract.runAssistantAction, ({ body, ...call }) =>
    answer(deps, call, body.conversation_id, { kind: 'action', action: body.action }),
  )
  handle(contract.listConversations, async ({ user, query }) => ({
    conversations: (await deps.conversations.list(user.id, query)).map(itemToWire),
  }))
  handle(contract.getConversation, async ({ user, params }) => {
    const { conversationId, title, messages } = await findConversation(deps, user.id, params.id)
    return { conversation_id: conversationId, title, messages: messages.map(messageToWire) }
  })
  handle(contract.deleteConversation, async ({ user, params }) => {
    await removeConversation(deps, user.id, params.id)
    return { success: true as const }
  })
}

interface Call {
  readonly user: SignedInUser
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Whole, or as server-sent events for a caller who accepts them. */
async function answer(
  deps: AssistantDeps,
  { user, request, reply }: Call,
  givenId: string | null | undefined,
  asked: Asked,
): Promise<contract.AssistantAnswer> {
  const conversation_id = givenId ?? randomUUID()
  const ask = {
    userId: user.id,
    username: user.username,
    conversationId: conversation_id,
    asked,
    stopped: disconnectSignal(reply),
  }
  if (!request.headers.accept?.includes('text/event-stream')) {
    return { response: await converse(deps, ask), conversation_id }
  }
  const stream = new EventStream(reply)
  const beat = setInterval(() => stream.beat(), HEARTBEAT_INTERVAL_MS)
  try {
    const response = await converse(deps, {
      ...ask,
      onText: (text) => stream.send('text', { text }),
      onStep: (note) => stream.send('step', { note }),
    })
    stream.send('done', { response, conversation_id })
    return { response, conversation_id }
  } catch (error) {
    stream.send('error', failureToWire(error, request))
    return { response: '', conversation_id }
  } finally {
    clearInterval(beat)
    stream.end()
  }
}

/** The answer has begun, so that it is too late for a status. */
function failureToWire(error: unknown, request: FastifyRequest): { error: string; code: string } {
  if (error instanceof Problem) {
    request.log.warn({ code: error.code, err: error.cause }, error.message)
    return { error: error.message, code: error.code }
  }
  request.log.error({ err: error }, 'unexpected failure')
  return { error: 'Something went wrong on our side. The failure was logged; please try again.', code: 'internal' }
}

const itemToWire = (item: ConversationItem): contract.ConversationSummary => ({
  conversation_id: item.conversationId,
  title: item.title,
  message_count: item.messageCount,
  last_message_time: item.lastMessageAt.toISOString(),
})

const messageToWire = ({ id, content, role, at }: ChatMessage): contract.ChatMessage => ({
  id: String(id),
  content,
  role,
  timestamp: at.toISOString(),
})
