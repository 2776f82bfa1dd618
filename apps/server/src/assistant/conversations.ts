import { Problem } from '@tradewright/core/problem'

export type MessageRole = 'user' | 'assistant' | 'error' | 'system'

export interface ChatMessage {
  readonly id: number
  readonly role: MessageRole
  readonly content: string
  readonly at: Date
}

export interface ConversationItem {
  readonly conversationId: string
  readonly title: string
  readonly messageCount: number
  readonly lastMessageAt: Date
}

interface Conversation {
  readonly conversationId: string
  readonly title: string
  /** Oldest first. */
  readonly messages: readonly ChatMessage[]
}

export interface NewMessage {
  readonly role: MessageRole
  readonly content: string
  readonly at: Date
}

/** The conversations of one user at a time: another's do not exist, even under the same id. */
export interface ConversationStore {
  /** Newest message first; `search` looks into titles and messages. */
  list(userId: number, filter: { search?: string | undefined; limit: number }): Promise<ConversationItem[]>
  find(userId: number, conversationId: string): Promise<Conversation | undefined>
  /** Adds the message, and makes the conversation where there is none. */
  begin(userId: number, conversationId: string, title: string, message: NewMessage): Promise<void>
  /** Adds the message, unless the conversation was deleted meanwhile. */
  append(userId: number, conversationId: string, message: NewMessage): Promise<void>
  /** Answers whether it was there. */
  remove(userId: number, conversationId: string): Promise<boolean>
}

interface Deps {
  readonly conversations: ConversationStore
}

export async function findConversation({ conversations }: Deps, userId: number, id: string): Promise<Conversation> {
  return (await conversations.find(userId, id)) ?? missing()
}

export async function removeConversation({ conversations }: Deps, userId: number, id: string): Promise<void> {
  if (!(await conversations.remove(userId, id))) missing()
}

function missing(): never {
  throw new Problem('missing', 'conversation.missing', 'There is no such conversation.')
}
