import { type ActionObject, QUICK_ACTIONS } from '@tradewright/contract/ai-assistant'
import { useEffect, useRef, useCallback, useReducer, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { Button } from '@mantine/core'
import {
  IconSparkles,
  IconAdjustmentsHorizontal,
  IconChartLine,
  IconPuzzle,
  IconReportAnalytics,
} from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { downloadText } from '../../lib/download.ts'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import classes from './ai-assistant-screen.module.css'
import { Composer, HOW_TO_SPEAK, preferredVoice } from './composer.tsx'
import { MessageList } from './message-list.tsx'
import {
  loadConversation,
  useDeleteConversation,
  useModelName,
  CONVERSATIONS_KEY,
  RecentChats,
} from './recent-chats.tsx'
import {
  type ShownMessage,
  chatReducer,
  newChat,
  newConversationId,
  messageParts,
  type Asked,
  callAssistant,
  ACTION_DONE,
  ACTION_FAILED,
  EMPTY_REPLY,
  FAILED,
} from './chat-state.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import quickActionsClasses from './sidebar.module.css'
import { useUser } from '../../app/session.ts'

type QuickAction = (typeof QUICK_ACTIONS)[number]

const ICONS = {
  analyze_strategy: IconReportAnalytics,
  optimize_portfolio: IconAdjustmentsHorizontal,
  add_feature: IconPuzzle,
  market_analysis: IconChartLine,
} satisfies Record<QuickAction['type'], unknown>

function QuickActions({ disabled, onAct }: { disabled: boolean; onAct: (action: QuickAction) => void }) {
  return (
    <section className={quickActionsClasses.section} aria-labelledby="quick-actions">
      <h2 className={quickActionsClasses.heading} id="quick-actions">
        Quick Actions
      </h2>
      <ul className={quickActionsClasses.actions}>
        {QUICK_ACTIONS.map((action) => {
          const Glyph = ICONS[action.type]
          return (
            <li key={action.type}>
              <button
                type="button"
                className={quickActionsClasses.action}
                disabled={disabled}
                onClick={() => onAct(action)}
              >
                <Glyph size={16} stroke={1.7} aria-hidden />
                {action.label}
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const SPEAKERS = { user: 'You', assistant: 'Assistant', error: 'Error', system: 'Note' } as const

export function chatAsMarkdown(messages: readonly ShownMessage[]): string {
  const parts = messages.map(({ role, timestamp, content, detail }) => {
    const { text, buttons } = role === 'assistant' ? messageParts(content) : { text: content, buttons: [] }
    const offers = buttons.map(({ label }) => `- (button) ${label}`).join('\n')
    return [`## ${SPEAKERS[role]}, ${timestamp}`, text, detail, offers].filter(Boolean).join('\n\n')
  })
  return `# Chat with the AI Assistant of Tradewright\n\n${parts.join('\n\n')}\n`
}

export function AiAssistantScreen() {
  const spoken = useSpokenReplies()
  const chat = useChat({ onAnswer: spoken.speak })
  const { conversationId, messages, draft, isProcessing } = chat
  useScrollToEnd(messages.length, draft?.text)

  const show = useChatInAddress(messages.length === 0 ? null : conversationId, {
    begin: chat.begin,
    open: chat.open,
  })
  const begin = () => {
    spoken.hush()
    chat.begin()
    show(null)
  }
  const open = (id: string) => {
    spoken.hush()
    show(id)
  }
  const deletion = useDeleteConversation((id) => {
    if (id === conversationId) begin()
  })
  const act = (action: ActionObject, label: string) => {
    spoken.hush()
    void chat.act(action, label)
    show(conversationId, { replace: true })
  }
  const ask = (text: string) => {
    spoken.hush()
    void chat.ask(text)
    show(conversationId, { replace: true })
  }
  const exportChat = () => downloadText('chat.md', chatAsMarkdown(messages), 'text/markdown')

  return (
    <Page documentTitle="AI Assistant" width="work">
      <PageHeader
        title="AI Assistant"
        subtitle="Ask about a strategy, your portfolio or the market"
        aside={<WhoAnswers />}
      />
      <div className={classes.columns}>
        <aside className={classes.sidebar} aria-label="Quick actions and chats">
          <QuickActions disabled={isProcessing} onAct={(action) => act(action, action.label)} />
          <RecentChats
            currentId={conversationId}
            onNew={begin}
            onOpen={open}
            onDelete={(chat) => deletion.mutate(chat)}
          />
        </aside>
        <div className={classes.chat}>
          <div className={classes.reading} data-empty={messages.length === 0}>
            {messages.length === 0 ? (
              <FirstQuestions onAsk={ask} />
            ) : (
              <MessageList messages={messages} draft={draft} onAct={act} />
            )}
          </div>
          <div className={classes.foot}>
            <Composer
              isProcessing={isProcessing}
              onSend={ask}
              onStop={chat.stop}
              onClear={begin}
              onExport={messages.length === 0 ? undefined : exportChat}
              spoken={spoken}
            />
          </div>
        </div>
      </div>
    </Page>
  )
}

interface ShownChat {
  begin: () => void
  open: (id: string, messages: readonly ShownMessage[]) => void
}

/** The chat lives in the address as `?chat=`, so that a reload, a link and Back lead to it. `current`: null for a new one. */
function useChatInAddress(current: string | null, { begin, open }: ShownChat) {
  const [query, setQuery] = useSearchParams()
  const asked = query.get('chat')
  const shown = useRef(current)
  useEffect(() => {
    shown.current = current
  })
  useEffect(() => {
    if (asked === shown.current) return undefined
    if (asked === null) {
      begin()
      return undefined
    }
    let isLatest = true
    void loadConversation(asked).then((loaded) => {
      if (!isLatest) return
      if (loaded) open(asked, loaded)
      else setQuery(shown.current === null ? {} : { chat: shown.current }, { replace: true })
    })
    return () => {
      isLatest = false
    }
  }, [asked, begin, open, setQuery])
  return (id: string | null, { replace = false } = {}) => {
    if (id === asked) return
    setQuery(id === null ? {} : { chat: id }, { replace, preventScrollReset: true })
  }
}

/** Shows whether a template or a model answers. */
function WhoAnswers() {
  const model = useModelName()
  if (model === undefined) return null
  return (
    <p className={classes.who}>
      {model ? `Answered by ${model}. ` : 'Answered by the built-in assistant. '}
      <Link to="/settings#openai">{model ? 'Change' : 'Connect a model'}</Link>
    </p>
  )
}

/** New text is at the end; readers who have scrolled back stay where they are. */
function useScrollToEnd(messageCount: number, draft: string | undefined) {
  useEffect(() => {
    if (messageCount > 0) window.scrollTo({ top: document.documentElement.scrollHeight })
  }, [messageCount])
  useEffect(() => {
    const { scrollHeight, clientHeight, scrollTop } = document.documentElement
    const isNearEnd = scrollHeight - clientHeight - scrollTop < 160
    if (draft && isNearEnd) window.scrollTo({ top: scrollHeight })
  }, [draft])
}

/** Each answered with and without a connected model. */
const QUESTIONS = [
  'What is my best strategy?',
  'Compare my last two backtests',
  'What moved my portfolio?',
  'What if I held 60% SPY and 40% TLT?',
]

/** Questions to begin with, shown before the first message. */
function FirstQuestions({ onAsk }: { onAsk: (question: string) => void }) {
  return (
    <EmptyState
      icon={IconSparkles}
      title="What would you like to know?"
      text="Ask in your own words, or start with one of these."
      action={QUESTIONS.map((question) => (
        <Button key={question} className={classes.question ?? ''} variant="default" onClick={() => onAsk(question)}>
          {question}
        </Button>
      ))}
    />
  )
}

interface ChatListeners {
  /** Called with each whole answer. */
  onAnswer: (content: string) => void
}

const at = () => new Date().toISOString()

/** One conversation on the screen, and the answer that is under way in it. */
function useChat({ onAnswer }: ChatListeners) {
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

/** Reads answers aloud while it is on; a new one, or leaving, ends the one before. */
function useSpokenReplies() {
  const [isOn, setOn] = useState(false)
  const isSupported = 'speechSynthesis' in window

  const hush = useCallback(() => {
    if (isSupported) window.speechSynthesis.cancel()
  }, [isSupported])
  useEffect(() => hush, [hush])

  const speak = (content: string) => {
    if (!isOn || !isSupported) return
    hush()
    // Chrome knows its voices only some time after the page began, so they are asked for now.
    const voice = preferredVoice(window.speechSynthesis.getVoices())
    for (const sentence of sentencesOf(spokenText(content))) {
      const utterance = Object.assign(new SpeechSynthesisUtterance(sentence), HOW_TO_SPEAK)
      if (voice) utterance.voice = voice
      window.speechSynthesis.speak(utterance)
    }
  }

  const toggle = () => {
    if (isOn) hush()
    setOn(!isOn)
  }

  return { isSupported, isOn, toggle, speak, hush }
}

/** The part of a message to read aloud: no buttons, code, charts, tables or addresses. */
export function spokenText(content: string): string {
  return messageParts(content)
    .text.replaceAll(/```[\s\S]*?```/g, ' ')
    .replaceAll(/^\s*\|.*\|\s*$/gm, ' ')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/https?:\/\/\S+/g, ' ')
    .replaceAll(/\\([\\`*_{}[\]()#+!|<>~-])/g, '$1')
    .replaceAll(/[*_`#>~]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Browsers stop in the middle of long texts, so that each sentence is handed over on its own. */
export const sentencesOf = (text: string): string[] => text.split(/(?<=[.!?:])\s+/).filter(Boolean)
