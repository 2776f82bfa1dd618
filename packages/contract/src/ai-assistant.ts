import { z } from 'zod'
import { withinBounds } from './bounds.ts'
import { Sentence, Success } from './answers.ts'
import { limitField } from './ids.ts'
import { route } from './route.ts'

export const RECENT_CHATS = 10
const CONVERSATION_ID_MAX_LENGTH = 100

/** The four of the sidebar, in its order. */
export const QUICK_ACTIONS = [
  { type: 'analyze_strategy', label: 'Analyze Strategy' },
  { type: 'optimize_portfolio', label: 'Optimize Portfolio' },
  { type: 'add_feature', label: 'Add Feature' },
  { type: 'market_analysis', label: 'Market Analysis' },
] as const

const MESSAGE_ROLES = ['user', 'assistant', 'error', 'system'] as const

export const ChatMessage = z.object({
  id: z.string(),
  /**
   * Markdown. An assistant's message may hold `[ACTION:{"label":"…","type":"…",…}]`: a button that sends the object to
   * the action call. A fenced block of the language `chart` holds a `ChartBlock`:
   * `{"title":"…","unit":"usd","points":[["2024-01-31",123.4],…]}`.
   */
  content: z.string(),
  role: z.enum(MESSAGE_ROLES),
  timestamp: z.iso.datetime(),
})
export type ChatMessage = z.infer<typeof ChatMessage>

/** The content of a fenced block of the language `chart`. */
export const ChartBlock = z.object({
  title: z.string().max(300).default(''),
  /** Made-up prices: shown with the badge of the sample market. */
  synthetic: z.boolean().default(false),
  /** Plain numbers where none is given. */
  unit: z.enum(['usd']).optional(),
  points: z
    .array(z.tuple([z.string().max(40), z.number()]))
    .min(2)
    .max(1000),
})
export type ChartBlock = z.infer<typeof ChartBlock>

export const ConversationSummary = z.object({
  conversation_id: z.string(),
  title: z.string(),
  message_count: z.int(),
  last_message_time: z.iso.datetime(),
})
export type ConversationSummary = z.infer<typeof ConversationSummary>

/** Chosen by the client; ids of two users are separate. Left out, the server chooses one. */
const ConversationId = z
  .string('conversation_id must be text.')
  .trim()
  .min(1, 'conversation_id must not be empty.')
  .max(CONVERSATION_ID_MAX_LENGTH, `conversation_id is too long (at most ${CONVERSATION_ID_MAX_LENGTH} characters).`)

/** The user is known from the session: a client's own claim about it is ignored. */
const context = withinBounds(z.looseObject({}), 'The context').nullish()

const NO_MESSAGE = 'Please enter a message.'

/** An action as a button carries it; what else is in it depends on its type. */
export const ActionObject = withinBounds(
  z.looseObject(
    {
      label: z.string("The action's label must be text.").max(300, "The action's label is too long.").optional(),
      type: z.string("The action's type must be text.").max(60, "The action's type is too long.").optional(),
    },
    'An action is required.',
  ),
  'An action',
)
export type ActionObject = z.infer<typeof ActionObject>

const tag = 'AI assistant'

/** Both calls also answer as server-sent events, when the caller accepts `text/event-stream`: see `AssistantEvent`. */
export const AssistantAnswer = z.object({ response: z.string(), conversation_id: z.string() })
export type AssistantAnswer = z.infer<typeof AssistantAnswer>

export const askAssistant = route({
  method: 'POST',
  path: '/api/ai-assistant-query',
  access: 'signed in',
  addsRows: true,
  tag,
  summary: 'Ask the assistant and get its whole answer; with Accept: text/event-stream, piece by piece.',
  body: z.object({
    message: z
      .string(NO_MESSAGE)
      .max(500_000, 'The message is too long.')
      .refine((text) => text.trim() !== '', NO_MESSAGE),
    conversation_id: ConversationId.nullish(),
    context,
  }),
  answer: AssistantAnswer,
})

export const runAssistantAction = route({
  method: 'POST',
  path: '/api/ai-assistant-action',
  access: 'signed in',
  addsRows: true,
  tag,
  summary:
    'Carry out what a button of the assistant offers, or one of its quick actions, and get the outcome in words.',
  body: z.object({ action: ActionObject, conversation_id: ConversationId.nullish(), context }),
  answer: AssistantAnswer,
})

/** The events of a streamed answer, by name. The last one is `done` or `error`. */
export const AssistantEvent = {
  /** More of the answer's text. */
  text: z.object({ text: z.string() }),
  /** The tool call in progress, as a sentence. */
  step: z.object({ note: Sentence }),
  /** The answer as it is kept: what came piece by piece is replaced by it. */
  done: AssistantAnswer,
  error: z.object({ error: Sentence, code: z.string() }),
} as const

const params = z.object({ id: z.string().max(CONVERSATION_ID_MAX_LENGTH) })

export const listConversations = route({
  method: 'GET',
  path: '/api/ai-assistant-conversations',
  access: 'signed in',
  tag,
  summary: 'The conversations of the signed-in user, newest message first.',
  query: z.object({
    /** In titles and messages, whatever the letter case. */
    search: z.string().trim().max(200, 'The search is too long.').optional(),
    limit: limitField('limit', 500, 100),
  }),
  answer: z.object({ conversations: z.array(ConversationSummary) }),
})

export const getConversation = route({
  method: 'GET',
  path: '/api/ai-assistant-conversations/:id',
  access: 'signed in',
  tag,
  summary: 'The messages of a conversation, oldest first.',
  params,
  answer: z.object({ conversation_id: z.string(), title: z.string(), messages: z.array(ChatMessage) }),
})

export const deleteConversation = route({
  method: 'DELETE',
  path: '/api/ai-assistant-conversations/:id',
  access: 'signed in',
  tag,
  summary: 'Delete a conversation.',
  params,
  answer: Success,
})
