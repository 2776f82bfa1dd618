import { Problem } from '@tradewright/core/problem'
import OpenAI from 'openai'
import { Stream } from 'openai/core/streaming'
import type { ChatModel, ModelAccess, OfferedModel, OpenModel, Turn, TurnRequest } from '../../assistant/model.ts'
import { limitedFetch } from '../http/limited-fetch.ts'
import { asProblem, timedOut } from './failures.ts'
import { MAX_ANSWER_BYTES } from './guarded-fetch.ts'
import { toBody, type TokenLimitName } from './messages.ts'
import { readCompletion, TurnReader } from './turn-reader.ts'

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
