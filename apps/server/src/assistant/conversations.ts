import { Problem } from '@tradewright/core/problem'
import type { Conversation, ConversationStore } from './ports.ts'

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
