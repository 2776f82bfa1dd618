import type { ActionObject } from '@tradewright/contract/ai-assistant'
import { useEffect, useRef } from 'react'
import { Link, useSearchParams } from 'react-router'
import { Button } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { downloadText } from '../../lib/download.ts'
import { Page, PageHeader } from '../../ui/layout/page.tsx'
import classes from './ai-assistant-screen.module.css'
import { Composer } from './composer.tsx'
import { chatAsMarkdown } from './export-chat.ts'
import { MessageList } from './message-list.tsx'
import { loadConversation, useDeleteConversation, useModelName } from './queries.ts'
import { QuickActions } from './quick-actions.tsx'
import { RecentChats } from './recent-chats.tsx'
import type { ShownMessage } from './chat-state.ts'
import { useChat } from './use-chat.ts'
import { useSpokenReplies } from './use-spoken-replies.ts'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'

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
