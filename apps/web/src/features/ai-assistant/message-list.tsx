import { Button, VisuallyHidden } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ActionObject } from '@tradewright/contract/ai-assistant'
import { formatExact } from '../../lib/format-time.ts'
import { drawHelpLink } from '../../help/help-link.tsx'
import { Markdown } from '../../ui/feedback/markdown.tsx'
import { useNow } from '../../ui/feedback/use-now.ts'
import { messageParts, type MessageParts, partsSoFar } from './action-buttons.ts'
import type { ChatState, ShownMessage } from './chat-state.ts'
import { chartOf } from './inline-chart.tsx'
import classes from './message-list.module.css'
import { messageTime } from './message-time.ts'

type Act = (action: ActionObject, label: string) => void

interface MessageListProps extends Pick<ChatState, 'messages' | 'draft'> {
  onAct: Act
}

/** Messages, oldest first. New answers are announced when the reader is idle. */
export function MessageList({ messages, draft, onAct }: MessageListProps) {
  const now = useNow()
  return (
    <div className={classes.list} role="log" aria-label="Messages">
      {messages.map((message, index) => (
        <Message
          key={message.id}
          message={message}
          name={nameOf(index)}
          now={now}
          isBusy={draft !== null}
          onAct={onAct}
        />
      ))}
      {draft && <Draft draft={draft} name={nameOf(messages.length)} />}
    </div>
  )
}

const nameOf = (index: number): string => `Message ${index + 1}`

interface MessageProps {
  message: ShownMessage
  name: string
  now: number
  isBusy: boolean
  onAct: Act
}

const SPEAKERS = { user: 'You', assistant: 'Assistant', error: 'Error', system: 'Note' } as const

function Message({ message, name, now, isBusy, onAct }: MessageProps) {
  const { role, content, timestamp, detail } = message
  return (
    <article className={classes.message} data-role={role}>
      <VisuallyHidden>{SPEAKERS[role]}:</VisuallyHidden>
      {role === 'assistant' ? (
        <Answer parts={messageParts(content)} name={name} isBusy={isBusy} onAct={onAct} />
      ) : (
        <div className={classes.plain}>
          {role === 'error' && <IconAlertCircle className={classes.icon} size={18} stroke={1.8} aria-hidden />}
          <div>
            <p>{content}</p>
            {detail && <p className={classes.detail}>{detail}</p>}
          </div>
        </div>
      )}
      <time className={`${classes.time} tabular`} dateTime={timestamp} title={formatExact(timestamp)}>
        {messageTime(timestamp, now)}
      </time>
    </article>
  )
}

const draw = (language: string, text: string) => (language === 'chart' ? chartOf(text) : undefined)

interface AnswerProps extends Pick<MessageProps, 'name' | 'isBusy' | 'onAct'> {
  parts: MessageParts
}

function Answer({ parts: { text, buttons }, name, isBusy, onAct }: AnswerProps) {
  return (
    <>
      {text && <Markdown text={text} name={name} drawBlock={draw} drawLink={drawHelpLink} />}
      {buttons.length > 0 && (
        <div className={classes.buttons}>
          {buttons.map(({ label, action }, index) => (
            // Two buttons of one message may say the same.
            // oxlint-disable-next-line react/no-array-index-key
            <Button key={`${index} ${label}`} variant="default" disabled={isBusy} onClick={() => onAct(action, label)}>
              {label}
            </Button>
          ))}
        </div>
      )}
    </>
  )
}

interface DraftProps {
  draft: NonNullable<ChatState['draft']>
  name: string
}

function Draft({ draft: { text, note }, name }: DraftProps) {
  const shown = partsSoFar(text).text
  return (
    <article className={classes.message} data-role="assistant" aria-busy>
      {shown && <Markdown text={shown} name={name} drawBlock={draw} drawLink={drawHelpLink} />}
      <p className={classes.thinking}>
        <span className={classes.dots} aria-hidden>
          <i />
          <i />
          <i />
        </span>
        {note ? `${note}...` : shown ? 'Writing...' : 'Thinking...'}
      </p>
    </article>
  )
}
