import { Button, VisuallyHidden } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { type ActionObject, ChartBlock } from '@tradewright/contract/ai-assistant'
import { useId } from 'react'
import { formatExact, formatDate, formatTime, ownDay } from '../../lib/format-time.ts'
import { drawHelpLink } from '../../help/help-link.tsx'
import { Markdown } from '../../ui/feedback/markdown.tsx'
import { useNow } from '../../ui/feedback/use-now.ts'
import { messageParts, type MessageParts, partsSoFar, type ChatState, type ShownMessage } from './chat-state.ts'
import classes from './message-list.module.css'
import { formatMoney, formatNumber, formatWholeMoney } from '../../lib/format.ts'
import { parsed } from '../../lib/http.ts'
import { SourceBadge } from '../../ui/feedback/source-badge.tsx'
import inlineChartClasses from './inline-chart.module.css'

const plainFigure = (value: number) => formatNumber(value, { decimals: 2 })

/** Undefined where the block is no chart: then it is shown as the code it is. */
function chartOf(text: string) {
  const block = ChartBlock.safeParse(parsed(text))
  return block.success ? <InlineChart {...block.data} /> : undefined
}

/** A small line with its ends in words; the figures themselves are in the message. */
function InlineChart({ title, points, synthetic, unit }: ChartBlock) {
  const heading = useId()
  const figure = unit === 'usd' ? formatMoney : plainFigure
  const axis = unit === 'usd' ? formatWholeMoney : plainFigure
  const { line, area, lowest, highest } = chartPaths(points.map(([, value]) => value))
  const [first, last] = [points[0]!, points.at(-1)!]
  const summary = `From ${figure(first[1])} on ${formatDate(first[0])} to ${figure(last[1])} on ${formatDate(last[0])}, between ${figure(lowest)} and ${figure(highest)}.`
  return (
    <figure className={inlineChartClasses.chart} aria-labelledby={heading}>
      <figcaption className={inlineChartClasses.caption}>
        <span id={heading}>{title || 'Chart'}</span>
        {synthetic && <SourceBadge synthetic />}
        <span className={`${inlineChartClasses.last} tabular`}>{figure(last[1])}</span>
      </figcaption>
      <VisuallyHidden>{summary}</VisuallyHidden>
      <svg
        className={inlineChartClasses.plot}
        viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden
      >
        <path className={inlineChartClasses.area} d={area} />
        <path className={inlineChartClasses.line} d={line} />
      </svg>
      <div className={`${inlineChartClasses.axis} tabular`} aria-hidden>
        <span>{formatDate(first[0])}</span>
        <span>
          {axis(lowest)} to {axis(highest)}
        </span>
        <span>{formatDate(last[0])}</span>
      </div>
    </figure>
  )
}

const CHART_WIDTH = 600
const CHART_HEIGHT = 120

interface ChartPaths {
  /** SVG paths in a box of the two sizes above. */
  line: string
  area: string
  lowest: number
  highest: number
}

/** Evenly spaced, lowest value at the foot and highest at the top. A flat line runs through the middle. */
export function chartPaths(values: readonly number[]): ChartPaths {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)]
  const span = highest - lowest
  const x = (index: number) => (index / Math.max(1, values.length - 1)) * CHART_WIDTH
  const y = (value: number) => (span === 0 ? CHART_HEIGHT / 2 : (1 - (value - lowest) / span) * CHART_HEIGHT)
  const at = (number: number) => number.toFixed(1)
  const line = values.map((value, index) => `${index === 0 ? 'M' : 'L'}${at(x(index))} ${at(y(value))}`).join('')
  return { line, area: `${line}L${CHART_WIDTH} ${CHART_HEIGHT}L0 ${CHART_HEIGHT}Z`, lowest, highest }
}

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

/** `3:30 PM ET`, with the date before it on any other day than today; by the chosen zone, where there is one. */
export function messageTime(when: string, now: number): string {
  const time = formatTime(when)
  const day = ownDay(new Date(when))
  return day === ownDay(new Date(now)) ? time : `${formatDate(day)}, ${time}`
}
