import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import { epochDayOf, formatDate } from '@tradewright/core/time'
import { unfinishedTagAt } from '@tradewright/core/action-tags'
import { type ActionObject, inputOf, type AnyAction, withHonestLabels, type Caller, type Abilities } from './action.ts'
import { connectedModel, type ConnectionDeps } from './connection/connect.ts'
import { answerWithModel, type Progress, type Question } from './model-answer.ts'
import type { ConversationStore, MessageRole } from './conversations.ts'
import { NOT_UNDERSTOOD, paragraphs } from './words.ts'

export interface AssistantDeps extends ConnectionDeps {
  readonly conversations: ConversationStore
  readonly abilities: Abilities
  readonly clock: Clock
  readonly replies: ReplyLimit
  readonly onBug: (error: unknown, tool: string) => void
  readonly timeLimitMs: number
}

/** The user's message, or the button that they have pressed. */
export type Asked =
  { readonly kind: 'message'; readonly text: string } | { readonly kind: 'action'; readonly action: ActionObject }

export interface Ask extends Progress {
  readonly userId: number
  readonly username: string
  readonly conversationId: string
  readonly asked: Asked
  /** Aborted when the user pressed Stop or left. */
  readonly stopped: AbortSignal
}

const TITLE_LENGTH = 60
const MESSAGE_LENGTH = 32_000

const STOPPED = 'Stopped.'
const STOPPED_WAITING = 'Stopped waiting. Anything already started continues.'
const TOOK_TOO_LONG = 'The answer took too long and was ended. Please try again, or ask for less.'
const GOES_ON =
  'This takes longer than an answer may take. Anything already started continues: you will find it on its screen.'

/** Keeps the question, answers it and keeps the answer; whatever goes wrong, the conversation stays. */
export async function converse(deps: AssistantDeps, ask: Ask): Promise<string> {
  const { userId, conversationId, asked } = ask
  const said = wordsOf(asked)
  if (said.length > MESSAGE_LENGTH) throw tooLong(said.length)
  return deps.replies.run(userId, async () => {
    const history = (await deps.conversations.find(userId, conversationId))?.messages ?? []
    const at = () => deps.clock.now()
    await deps.conversations.begin(userId, conversationId, titleOf(said), { role: 'user', content: said, at: at() })
    const heard = new StreamedText()
    const keep = (role: MessageRole, content: string) =>
      deps.conversations.append(userId, conversationId, { role, content, at: at() })
    try {
      const answer = await answerTo(deps, { ...ask, ...heard.listen(ask) }, history)
      if (answer !== '') await keep('assistant', answer)
      return answer
    } catch (error) {
      const unfinished = heard.unfinished(deps.abilities.actions)
      if (unfinished !== '') await keep('assistant', `${unfinished}\n\n*(unfinished)*`)
      if (!ask.stopped.aborted) {
        await keep('error', error instanceof Problem ? error.message : 'Something went wrong on our side.')
        throw error
      }
      if (unfinished === '') await keep('system', pressedButton(deps, asked) ? STOPPED_WAITING : STOPPED)
      return unfinished
    }
  })
}

async function answerTo(deps: AssistantDeps, ask: Ask, history: Question['history']): Promise<string> {
  const pressed = pressedButton(deps, ask.asked)
  const limit = limitTime(ask.stopped, deps.timeLimitMs, pressed ? GOES_ON : TOOK_TOO_LONG)
  const caller: Caller = { userId: ask.userId, username: ask.username, signal: limit.signal }
  try {
    if (pressed) return await pressed.action.run(caller, inputOf(pressed.action, pressed.object))
    return await answerInWords(deps, ask, caller, history)
  } finally {
    limit.done()
  }
}

/** Undefined for whatever only asks. */
function pressedButton({ abilities }: Pick<AssistantDeps, 'abilities'>, asked: Asked) {
  if (asked.kind !== 'action') return undefined
  const action = abilities.actions.find(({ type }) => type === asked.action['type'])
  return action && { action, object: asked.action }
}

async function answerInWords(
  deps: AssistantDeps,
  ask: Ask,
  caller: Caller,
  history: Question['history'],
): Promise<string> {
  const { userId, asked } = ask
  const model = await connectedModel(deps, userId)
  const quick = asked.kind === 'action' ? quickActionOf(deps.abilities, asked.action) : undefined
  if (!model) {
    return quick ? signed(await quick.answer(caller)) : answerBuiltIn(deps.abilities, caller, wordsOf(asked))
  }
  const today = formatDate(epochDayOf(deps.clock.now().getTime()))
  const question = { text: quick?.prompt ?? wordsOf(asked), history }
  const answer = await answerWithModel({ ...deps, today }, model, caller, question, ask)
  await deps.connections.used(userId, deps.clock.now())
  return answer
}

const quickActionOf = ({ quickActions }: Abilities, action: ActionObject) =>
  quickActions.find(({ type, label }) => type === action['type'] || label === action['label'])

/** An action of an unknown type is not carried out: its label is a question like any other. */
function wordsOf(asked: Asked): string {
  if (asked.kind === 'message') return asked.text
  const label = asked.action['label'] ?? asked.action['type']
  if (typeof label !== 'string' || label.trim() === '') {
    throw new Problem('invalid', 'assistant.action', 'The action has neither a label nor a type.')
  }
  return label
}

function titleOf(text: string): string {
  const words = text.trim().replaceAll(/\s+/g, ' ')
  const letters = Array.from(words)
  return letters.length <= TITLE_LENGTH ? words : `${letters.slice(0, TITLE_LENGTH - 1).join('')}…`
}

function tooLong(length: number): Problem {
  const sentence = `The message has ${length.toLocaleString('en-US')} characters; at most ${MESSAGE_LENGTH.toLocaleString('en-US')} are allowed.`
  return new Problem('too-large', 'assistant.message', sentence)
}

/** The text of an answer streamed so far, in case that it breaks off: only that since the last tool call. */
class StreamedText {
  #text = ''

  /** The same progress, listened to. */
  listen({ onText, onStep }: Progress): Progress {
    return {
      onText:
        onText &&
        ((text) => {
          this.#text += text
          onText(text)
        }),
      onStep: (note) => {
        this.#text = ''
        onStep?.(note)
      },
    }
  }

  /** Cuts off a half-streamed button; labels of whole ones are made from their input, as in a finished answer. */
  unfinished(actions: readonly AnyAction[]): string {
    return withHonestLabels(this.#text.slice(0, unfinishedTagAt(this.#text)).trim(), actions)
  }
}

interface TimeLimit {
  /** Aborted by the asker, or when the time is over: then with a Problem that says this sentence. */
  readonly signal: AbortSignal
  done(): void
}

function limitTime(stopped: AbortSignal, milliseconds: number, sentence: string): TimeLimit {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(new Problem('unavailable', 'ai.time-out', sentence)), milliseconds)
  return { signal: AbortSignal.any([stopped, over.signal]), done: () => clearTimeout(timer) }
}

const CONNECT = '[connect an OpenAI key or a compatible server in Settings](/settings#openai)'

/** Under each of its answers, so that a template is not taken for a model. */
const SIGNATURE = `*This is the built-in assistant: it answers from your own data and the guide, without an AI model. For open-ended questions, ${CONNECT}.*`

/** Topics look for words by patterns, whose time grows with the square of the text. */
const MAX_QUESTION_LENGTH = 1_000

const signed = (answer: string): string => paragraphs(answer, SIGNATURE)

const ASKS_FOR_HELP =
  /^(?:help|hi|hello|hey|good (?:morning|afternoon|evening)|what can (?:you|i) (?:do|ask).*|what do you know.*|who are you.*)[?!. ]*$/
const THANKS = /^(?:many )?(?:thanks|thank you|thx|cheers)(?: a lot| very much)?[?!. ]*$/

/** The first topic that recognises the question; what none does is not answered by a guess. */
export async function answerBuiltIn({ topics }: Abilities, caller: Caller, asked: string): Promise<string> {
  const question = asked.slice(0, MAX_QUESTION_LENGTH).replaceAll(/\s+/g, ' ').trim()
  const words = question.toLowerCase()
  if (ASKS_FOR_HELP.test(words)) return signed(whatItCanDo(topics))
  if (THANKS.test(words)) return signed('You are welcome.')
  const topic = topics.find((one) => one.matches(words, question))
  return signed(topic ? await topic.answer(caller, question) : NOT_UNDERSTOOD)
}

const whatItCanDo = (topics: Abilities['topics']): string =>
  paragraphs(
    'I answer from your own data and from the guide. Ask, for example:',
    topics.flatMap(({ example }) => (example === undefined ? [] : [`- ${example}`])).join('\n'),
  )

/** How many answers a user may have under way at once, in this process. */
interface ReplyLimit {
  run<Result>(userId: number, work: () => Promise<Result>): Promise<Result>
}

export function limitReplies(atOnce: number): ReplyLimit {
  const running = new Map<number, number>()
  const add = (userId: number, change: number) => {
    const next = (running.get(userId) ?? 0) + change
    if (next > 0) running.set(userId, next)
    else running.delete(userId)
  }
  return {
    async run(userId, work) {
      if ((running.get(userId) ?? 0) >= atOnce) throw tooMany()
      add(userId, 1)
      try {
        return await work()
      } finally {
        add(userId, -1)
      }
    },
  }
}

const tooMany = () =>
  new Problem(
    'limited',
    'assistant.busy',
    'Other answers of yours are still in progress. Wait for them, or stop them.',
    {
      retryAfterSeconds: 5,
    },
  )
