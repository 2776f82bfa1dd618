import { useQueryClient } from '@tanstack/react-query'
import type { ActionObject } from '@tradewright/contract/ai-assistant'
import { useCallback, useEffect, useReducer, useRef } from 'react'
import { useUser } from '../../app/session-context.ts'
import { type Asked, callAssistant } from './assistant-call.ts'
import { chatReducer, newChat, newConversationId, type ShownMessage } from './chat-state.ts'
import { ACTION_DONE, ACTION_FAILED, EMPTY_REPLY, FAILED } from './messages.ts'
import { CONVERSATIONS_KEY } from './queries.ts'

interface ChatListeners {
  /** Called with each whole answer. */
  onAnswer: (content: string) => void
}

const at = () => new Date().toISOString()

/** One conversation on the screen, and the answer that is under way in it. */
export function useChat({ onAnswer }: ChatListeners) {
  const user = useUser()
  const queries = useQueryClient()
  const [state, dispatch] = useReducer(chatReducer, undefined, newChat)
  const running = useRef<AbortController | null>(null)
  const { conversationId, draft } = state

  const stop = useCallback(() => running.current?.abort(), [])
  useEffect(() => stop, [stop])

  const send = async (asked: Asked, said: string) => {
    if (running.current) return
    const call = new AbortController()
    running.current = call
    // The server stores an answer to a chat that is no longer shown; it is not dispatched here.
    const tell: typeof dispatch = (event) => running.current === call && dispatch(event)
    dispatch({ type: 'asked', content: said, at: at() })
    try {
      const answer = await callAssistant({
        asked,
        conversationId,
        userId: user.id,
        signal: call.signal,
        onText: (text) => tell({ type: 'text', text }),
        onStep: (note) => tell({ type: 'step', note }),
      })
      tell(answerEvent(asked, answer))
      if (running.current === call && answer.trim() !== '') onAnswer(answer)
    } catch (error) {
      if (call.signal.aborted) tell({ type: 'stopped', at: at() })
      else tell({ ...failure(asked, error), at: at() })
    } finally {
      if (running.current === call) running.current = null
      await queries.invalidateQueries({ queryKey: CONVERSATIONS_KEY })
    }
  }

  const open = useCallback((id: string, messages: readonly ShownMessage[]) => {
    running.current?.abort()
    running.current = null
    dispatch({ type: 'opened', conversationId: id, messages })
  }, [])

  return {
    ...state,
    isProcessing: draft !== null,
    ask: (text: string) => send({ kind: 'message', text }, text),
    act: (action: ActionObject, label: string) => send({ kind: 'action', action }, label),
    stop,
    open,
    begin: useCallback(() => open(newConversationId(), []), [open]),
  }
}

function answerEvent({ kind }: Asked, answer: string) {
  if (answer.trim() !== '') return { type: 'answered', content: answer, at: at() } as const
  if (kind === 'action') return { type: 'answered', content: ACTION_DONE, at: at() } as const
  return { type: 'failed', content: EMPTY_REPLY, detail: null, at: at() } as const
}

const failure = ({ kind }: Asked, error: unknown) =>
  ({
    type: 'failed',
    content: kind === 'action' ? ACTION_FAILED : FAILED,
    detail: error instanceof Error ? error.message : null,
  }) as const
