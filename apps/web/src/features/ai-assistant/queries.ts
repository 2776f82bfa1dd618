import {
  type ChatMessage,
  deleteConversation,
  getConversation,
  listConversations,
  RECENT_CHATS,
} from '@tradewright/contract/ai-assistant'
import { getOpenAiStatus } from '@tradewright/contract/openai'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useOfferUndo } from '../../deletions/use-offer-undo.ts'
import { call } from '../../lib/http.ts'
import { showToast } from '../../ui/feedback/toasts/toast-store.ts'
import type { ShownMessage } from './chat-state.ts'
import { FAILED } from './messages.ts'

export const CONVERSATIONS_KEY = ['conversations']

/** The latest; with a search, the latest of those that hold it. */
export function useConversations(search: string) {
  return useQuery({
    queryKey: [...CONVERSATIONS_KEY, search],
    queryFn: async ({ signal }) => {
      const query = search === '' ? {} : { search }
      const { conversations } = await call(listConversations, { query: { ...query, limit: RECENT_CHATS }, signal })
      return conversations.slice(0, RECENT_CHATS)
    },
    placeholderData: keepPreviousData,
  })
}

/** Loaded on demand, never kept: the screen holds the conversation that is open. */
export async function loadConversation(id: string): Promise<ShownMessage[] | null> {
  try {
    const { messages } = await call(getConversation, { params: { id } })
    return messages.map(toShown)
  } catch (error) {
    tellFailure('This chat could not be loaded', error)
    return null
  }
}

export interface DeletedChat {
  id: string
  title: string
}

export function useDeleteConversation(onDeleted: (id: string) => void) {
  const queries = useQueryClient()
  const offerUndo = useOfferUndo()
  return useMutation({
    mutationFn: ({ id }: DeletedChat) => call(deleteConversation, { params: { id } }),
    onSuccess: (_, { id, title }) => {
      onDeleted(id)
      offerUndo(`chat “${title}”`, [{ kind: 'conversation', id }])
    },
    onError: (error) => tellFailure('This chat could not be deleted', error),
    onSettled: () => queries.invalidateQueries({ queryKey: CONVERSATIONS_KEY }),
  })
}

/** The name of the model, or that the application itself answers. A failure shows nothing: the answers say it, too. */
export function useModelName() {
  const status = useQuery({
    queryKey: ['openai status'],
    queryFn: ({ signal }) => call(getOpenAiStatus, { signal }),
  })
  if (!status.data) return undefined
  return status.data.connected ? status.data.model_preference : null
}

/** A failure is stored as its reason alone, so the screen adds what failed. */
function toShown({ id, role, content, timestamp }: ChatMessage): ShownMessage {
  if (role === 'error') return { id, role, timestamp, content: FAILED, detail: content }
  return { id, role, timestamp, content }
}

const tellFailure = (text: string, error: unknown) =>
  showToast({ kind: 'error', text, detail: error instanceof Error ? error.message : null })
