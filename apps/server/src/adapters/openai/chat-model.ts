import { Problem, type ProblemKind } from '@tradewright/core/problem'
import OpenAI from 'openai'
import { Stream } from 'openai/core/streaming'
import type {
  ChatModel,
  ModelAccess,
  OfferedModel,
  OpenModel,
  Turn,
  TurnRequest,
  ModelMessage,
  ToolCall,
  ToolDeclaration,
} from '../../assistant/model.ts'
import { limitedFetch, limitedBytes, type HttpMethod } from '../http/transport.ts'
import { HttpFailure } from '../http/http-failure.ts'
import { type GuardOptions, guardedTransport } from '../http/address-guard.ts'

interface ChatModelSettings {
  /** The server of the configuration. */
  readonly baseUrl: string
  /** Fetches from addresses that users choose. */
  readonly guardedFetch: typeof fetch
  /** The longest silence before the answer begins, and between two pieces of it. */
  readonly silenceLimitMs: number
  readonly retries?: number
}
const OPENAI_HOST = 'api.openai.com'

type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk

/** Chat Completions, which every compatible server speaks, through OpenAI's own SDK. */
export const openAiModels =
  (settings: ChatModelSettings): OpenModel =>
  (access) => {
    const { silenceLimitMs, retries = 1 } = settings
    const baseURL = access.baseUrl ?? settings.baseUrl
    const client = new OpenAI({
      apiKey: access.apiKey,
      baseURL,
      // The environment's organization and project are the operator's and belong to no user.
      organization: null,
      project: null,
      timeout: silenceLimitMs,
      maxRetries: retries,
      logLevel: 'off',
      fetch: access.baseUrl === null ? limitedFetch(MAX_ANSWER_BYTES) : settings.guardedFetch,
    })
    const limit = new URL(baseURL).hostname === OPENAI_HOST ? 'max_completion_tokens' : 'max_tokens'
    return chatModel({ client, access, limit, silenceLimitMs })
  }

interface Opened {
  readonly client: OpenAI
  readonly access: ModelAccess
  readonly limit: TokenLimitName
  readonly silenceLimitMs: number
}

function chatModel(opened: Opened): ChatModel {
  const { client, access, limit } = opened
  const explained = async <Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted) throw isTimeOut(signal.reason) ? timedOut(signal.reason) : signal.reason
      throw asProblem(error, access)
    }
  }
  return {
    turn: (request, signal, onText) =>
      explained(signal, async () => {
        if (onText) return streamedTurn(opened, request, signal, onText)
        const body = toBody(request, access.model, limit)
        return readCompletion(await client.chat.completions.create(body, { signal }))
      }),
    offered: (signal) => explained(signal, () => offeredModels(client, signal)),
  }
}

/** A bare time limit is told like the server's own; a reason that a caller gave is handed on. */
const isTimeOut = (reason: unknown): boolean => reason instanceof DOMException && reason.name === 'TimeoutError'

async function offeredModels(client: OpenAI, signal: AbortSignal): Promise<OfferedModel[]> {
  try {
    const { data } = await client.models.list({ signal })
    return (data ?? []).map((model) => ({ id: model.id, shutdownDate: shutdownOf(model) }))
  } catch (error) {
    if (!(error instanceof OpenAI.NotFoundError)) throw error
    throw new Problem('upstream', 'ai.no-list', 'The server does not list its models, so the key was not checked.')
  }
}

/** Newer than some servers, and than some versions of the SDK. */
function shutdownOf(model: object): string | null {
  const date = 'shutdown_date' in model ? model.shutdown_date : null
  return typeof date === 'string' ? date.slice(0, 10) : null
}

async function streamedTurn(
  { client, access, limit, silenceLimitMs }: Opened,
  request: TurnRequest,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<Turn> {
  const stalled = new AbortController()
  const body = {
    ...toBody(request, access.model, limit),
    stream: true as const,
    stream_options: { include_usage: true },
  }
  const both = AbortSignal.any([signal, stalled.signal])
  const response = await client.chat.completions.create(body, { signal: both }).asResponse()
  // Some servers do not stream, whatever they are asked for.
  if (!response.headers.get('content-type')?.includes('text/event-stream')) {
    const turn = readCompletion((await response.json()) as Partial<OpenAI.Chat.Completions.ChatCompletion>)
    onText(turn.text)
    return turn
  }
  const reader = new TurnReader()
  const chunks = Stream.fromSSEResponse<Chunk>(response, stalled)
  for await (const chunk of unlessSilent(chunks, silenceLimitMs, stalled)) {
    const text = reader.add(chunk)
    if (text !== '') onText(text)
  }
  // The SDK ends an aborted stream without a word.
  signal.throwIfAborted()
  return reader.finished()
}

/** Gives up when nothing came for so long: the SDK's own limit counts until the answer begins. */
async function* unlessSilent<Item>(
  items: AsyncIterable<Item>,
  limitMs: number,
  stalled: AbortController,
): AsyncIterable<Item> {
  let isSilent = false
  const giveUp = () => {
    isSilent = true
    stalled.abort()
  }
  let timer = setTimeout(giveUp, limitMs)
  try {
    for await (const item of items) {
      clearTimeout(timer)
      yield item
      timer = setTimeout(giveUp, limitMs)
    }
  } catch (error) {
    if (!isSilent) throw error
  } finally {
    clearTimeout(timer)
  }
  if (isSilent) throw timedOut()
}

type Body = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming

/** OpenAI has renamed the limit; servers that imitate it know the old name. */
type TokenLimitName = 'max_completion_tokens' | 'max_tokens'

function toBody(request: TurnRequest, model: string, limit: TokenLimitName): Body {
  const { messages, tools, mayUseTools, maxTokens } = request
  return {
    model,
    messages: messages.map(toWire),
    [limit]: maxTokens,
    ...(tools.length > 0 && { tools: tools.map(toTool), tool_choice: mayUseTools ? 'auto' : 'none' }),
  }
}

function toWire(message: ModelMessage): OpenAI.Chat.Completions.ChatCompletionMessageParam {
  const { role, content } = message
  if (role === 'tool') return { role, tool_call_id: message.toolCallId, content }
  if (role !== 'assistant') return { role, content }
  return { role, content, ...(message.toolCalls?.length && { tool_calls: message.toolCalls.map(toWireCall) }) }
}

const toWireCall = ({ id, name, arguments: text }: ToolCall) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: text },
})

const toTool = ({ name, description, parameters }: ToolDeclaration): OpenAI.Chat.Completions.ChatCompletionTool => ({
  type: 'function',
  function: { name, description, parameters: { ...parameters } },
})

interface Asked {
  readonly apiKey: string
  readonly model: string
}

/** Every failure of the vendor as a sentence that a user can act on. An abort stays what it is. */
function asProblem(error: unknown, asked: Asked): unknown {
  if (error instanceof Problem || error instanceof OpenAI.APIUserAbortError) return error
  if (error instanceof OpenAI.APIConnectionTimeoutError) return timedOut(error)
  if (error instanceof OpenAI.APIConnectionError) return unreachable(error)
  if (error instanceof OpenAI.APIError) return refused(error, asked)
  return broken(error)
}

const timedOut = (cause?: unknown) =>
  new Problem('unavailable', 'ai.time-out', 'The AI model did not answer in time. Please try again.', { cause })

const broken = (cause: unknown) =>
  new Problem('upstream', 'ai.failed', 'The connection to the AI model broke before its answer was complete.', {
    cause,
  })

function unreachable(error: Error): Problem {
  const refusal = guardRefusal(error)
  if (refusal) return new Problem('invalid', 'ai.address', `The server of the AI model was not called: ${refusal}.`)
  const sentence = 'The server of the AI model cannot be reached. Check the network and the address in Settings.'
  return new Problem('upstream', 'ai.unreachable', sentence, { cause: error })
}

/** The address guard's own words, which the SDK hides in causes. */
function guardRefusal(error: unknown): string | undefined {
  for (let inner = error; inner instanceof Error; inner = inner.cause) {
    if (inner instanceof HttpFailure && inner.kind === 'bad-request') return inner.message
  }
  return undefined
}

function refused(error: InstanceType<typeof OpenAI.APIError>, { apiKey, model }: Asked): Problem {
  const said = error.message.replaceAll(apiKey, '***').slice(0, 300)
  // For the log alone: users may enter the server's address, and what it says is not shown. Not the error itself, since a
  // server may repeat the key in its answer.
  const details = {
    cause: new Error(`the AI service answered ${error.status ?? 'nothing'}: ${said}`),
    ...retryAfter(error),
  }
  const problem = (kind: ProblemKind, code: string, sentence: string) => new Problem(kind, code, sentence, details)
  if (error.status === 401)
    return problem('upstream', 'ai.key', 'The AI service refused the API key. Check it in Settings.')
  if (error.status === 403) {
    return problem('upstream', 'ai.key', 'The AI service does not allow this call with this API key (HTTP 403).')
  }
  if (error.status === 404) {
    return problem('upstream', 'ai.model', `The AI service has no model "${model}". Choose another in Settings.`)
  }
  if (isOutOfQuota(error)) return problem('upstream', 'ai.quota', 'The quota of the connected AI account is used up.')
  if (error.status === 429) {
    return problem('limited', 'ai.rate', 'The AI service is receiving too many requests. Try again in a moment.')
  }
  if (error.code === 'context_length_exceeded') {
    return problem('upstream', 'ai.too-long', 'This conversation is too long for the model. Start a new chat.')
  }
  const status = error.status === undefined ? '' : ` (HTTP ${error.status})`
  return problem('upstream', 'ai.failed', `The AI service answered with an error${status}.`)
}

const isOutOfQuota = ({ code, type }: { code?: string | null | undefined; type?: string | undefined }) =>
  code === 'insufficient_quota' || type === 'insufficient_quota'

function retryAfter({ headers }: { headers?: Headers | undefined }): { retryAfterSeconds?: number } {
  const seconds = Number(headers?.get('retry-after'))
  return Number.isFinite(seconds) && seconds > 0 ? { retryAfterSeconds: Math.min(seconds, 3_600) } : {}
}

/** More than any answer in words needs. */
const MAX_ANSWER_BYTES = 1024 * 1024

/** `fetch` for an address that a user has chosen: what is private or reserved is not called. */
export function guardedFetch(options: GuardOptions): typeof fetch {
  const transport = guardedTransport(options)
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const response = await transport({
      method: (init.method ?? 'GET').toUpperCase() as HttpMethod,
      url,
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === 'string' ? init.body : undefined,
      signal: init.signal ?? new AbortController().signal,
    })
    const names = ['content-type', 'retry-after', 'x-request-id', 'x-should-retry', 'retry-after-ms']
    const headers = names.flatMap((name) => {
      const value = response.header(name)
      return value === undefined ? [] : [[name, value] as [string, string]]
    })
    return new Response(ReadableStream.from(limitedBytes(response.body, MAX_ANSWER_BYTES)), {
      status: response.status,
      headers,
    })
  }
}

type Completion = OpenAI.Chat.Completions.ChatCompletion
type ToolCallPart = OpenAI.Chat.Completions.ChatCompletionChunk.Choice.Delta.ToolCall

/** Far more than the tokens that were asked for; a server of the user's may send anything. */
const MAX_TEXT_LENGTH = 100_000
const MAX_CALLS = 50

/** A whole answer. What a server that only resembles OpenAI leaves out is read as nothing. */
export function readCompletion(completion: Partial<Completion>): Turn {
  const choice = completion.choices?.[0]
  if (!choice?.message) throw unreadable()
  const calls = (choice.message.tool_calls ?? [])
    .slice(0, MAX_CALLS)
    .flatMap((call, index) =>
      call.type === 'function' || call.type === undefined
        ? [{ id: call.id || `call_${index}`, name: call.function.name, arguments: call.function.arguments }]
        : [],
    )
  return {
    text: textOf(choice.message.content ?? choice.message.refusal),
    toolCalls: calls,
    usedTokens: completion.usage?.total_tokens ?? 0,
    isCutOff: choice.finish_reason === 'length',
  }
}

/** Puts the pieces of a streamed answer together; tool calls come in parts that belong together by their index. */
export class TurnReader {
  #text = ''
  #usedTokens = 0
  #finish: string | null = null
  readonly #calls = new Map<number, { id: string; name: string; arguments: string }>()

  /** Answers the new text in it. */
  add(chunk: Partial<Chunk>): string {
    this.#usedTokens = chunk.usage?.total_tokens ?? this.#usedTokens
    const choice = chunk.choices?.[0]
    if (!choice) return ''
    this.#finish = choice.finish_reason ?? this.#finish
    for (const part of choice.delta?.tool_calls ?? []) this.#addCall(part)
    const text = textOf(choice.delta?.content ?? choice.delta?.refusal).slice(0, MAX_TEXT_LENGTH - this.#text.length)
    this.#text += text
    return text
  }

  #addCall(part: ToolCallPart): void {
    if (!this.#calls.has(part.index) && this.#calls.size >= MAX_CALLS) return
    const call = this.#calls.get(part.index) ?? { id: `call_${part.index}`, name: '', arguments: '' }
    this.#calls.set(part.index, {
      id: part.id || call.id,
      name: call.name + (part.function?.name ?? ''),
      arguments: call.arguments + (part.function?.arguments ?? ''),
    })
  }

  /** A stream that ends without saying why has been cut. */
  finished(): Turn {
    if (this.#finish === null) throw cutShort()
    const toolCalls: ToolCall[] = [...this.#calls].sort(([a], [b]) => a - b).map(([, call]) => call)
    return { text: this.#text, toolCalls, usedTokens: this.#usedTokens, isCutOff: this.#finish === 'length' }
  }
}

function textOf(content: unknown): string {
  if (content === undefined || content === null) return ''
  if (typeof content !== 'string') throw unreadable()
  return content.slice(0, MAX_TEXT_LENGTH)
}

const cutShort = () =>
  new Problem('upstream', 'ai.failed', 'The connection to the AI model broke before its answer was complete.')

const unreadable = () => new Problem('upstream', 'ai.failed', "The AI model's answer was not understood.")
