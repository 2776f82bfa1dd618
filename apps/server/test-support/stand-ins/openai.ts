import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface StandInToolCall {
  readonly name: string
  readonly arguments: object | string
}

/** The reply of the stand-in's model to one call. */
interface ModelReply {
  readonly text?: string
  readonly toolCalls?: readonly StandInToolCall[]
  readonly finish?: 'stop' | 'length' | 'tool_calls'
  /** An error body as OpenAI documents it. */
  readonly error?: { readonly status: number; readonly code: string; readonly message?: string }
  /** Never answers; or falls silent, ends or is torn off after the first half of the text. */
  readonly fault?: 'silent' | 'silent-midway' | 'broken-midway' | 'reset-midway'
  /** Answers whole although a stream was asked for. */
  readonly neverStreams?: boolean
}

export interface ChatBody {
  readonly model: string
  readonly messages: readonly {
    readonly role: string
    readonly content: string | null
    readonly tool_calls?: readonly { readonly function: { readonly name: string } }[]
  }[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  readonly tool_choice?: string
  readonly stream?: boolean
  readonly max_tokens?: number
}

/** A loopback server that speaks the documented API: /models and /chat/completions, whole and streamed. */
export interface OpenAiStandIn {
  readonly baseUrl: string
  readonly chats: ChatBody[]
  readonly keys: string[]
  /** Its replies, in order; after the last one, a sentence that names itself. */
  says(...replies: readonly (ModelReply | ((body: ChatBody) => ModelReply))[]): void
  /** Called when it has fallen silent. */
  onSilence: () => void
  /** Called when the client has closed the connection before the answer was whole. */
  onLeft: () => void
  close(): Promise<void>
}

export const WRONG_KEY = 'sk-wrong'
export const STAND_IN_ANSWER = 'This is the stand-in of a model.'
const MODELS = ['gpt-4o-mini', 'gpt-4o', 'gpt-6-luna', 'text-embedding-3-small']

export async function startOpenAiStandIn(): Promise<OpenAiStandIn> {
  const script: (ModelReply | ((body: ChatBody) => ModelReply))[] = []
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const key = (incoming.headers.authorization ?? '').replace('Bearer ', '')
    standIn.keys.push(key)
    outgoing.setHeader('x-request-id', 'req_stand_in')
    if (key === WRONG_KEY || key === '') return fail(outgoing, { status: 401, code: 'invalid_api_key' })
    if (incoming.url === '/v1/models') return json(outgoing, { object: 'list', data: MODELS.map(modelRow) })
    if (incoming.url !== '/v1/chat/completions') return fail(outgoing, { status: 404, code: 'unknown_url' })
    const body = JSON.parse(await textOf(incoming)) as ChatBody
    standIn.chats.push(body)
    outgoing.once('close', () => {
      if (!outgoing.writableFinished) standIn.onLeft()
    })
    const next = script.shift() ?? { text: STAND_IN_ANSWER }
    const reply = typeof next === 'function' ? next(body) : next
    if (reply.error) fail(outgoing, reply.error)
    else if (reply.fault === 'silent') standIn.onSilence()
    else if (body.stream && !reply.neverStreams) await stream(outgoing, body.model, reply, () => standIn.onSilence())
    else json(outgoing, completion(body.model, reply))
  }

  const standIn: OpenAiStandIn = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    chats: [],
    keys: [],
    says(...replies) {
      script.splice(0, script.length, ...replies)
    },
    onSilence: () => undefined,
    onLeft: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return standIn
}

const modelRow = (id: string) => ({
  id,
  object: 'model',
  created: 1_700_000_000,
  owned_by: 'stand-in',
  shutdown_date: id === 'gpt-4o' ? '2027-01-14' : null,
})

async function textOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

function json(outgoing: ServerResponse, body: object): void {
  outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function fail(outgoing: ServerResponse, { status, code, message = code }: NonNullable<ModelReply['error']>): void {
  const type = code === 'insufficient_quota' ? code : 'invalid_request_error'
  outgoing
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ error: { message, type, param: null, code } }))
}

const callsOf = ({ toolCalls = [] }: ModelReply) =>
  toolCalls.map(({ name, arguments: given }, index) => ({
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
  }))

const finishOf = ({ finish, toolCalls }: ModelReply) => finish ?? (toolCalls ? 'tool_calls' : 'stop')

const completion = (model: string, reply: ModelReply) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_763_200_000,
  model,
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: reply.text ?? null,
        refusal: null,
        ...(reply.toolCalls && { tool_calls: callsOf(reply) }),
      },
      finish_reason: finishOf(reply),
    },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
})

/** Text in halves, the arguments of tool calls in pieces, the usage in a chunk without choices, as OpenAI does. */
async function stream(
  outgoing: ServerResponse,
  model: string,
  reply: ModelReply,
  onSilence: () => void,
): Promise<void> {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  const chunk = (choices: object[], extra: object = {}) =>
    void outgoing.write(
      `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model, choices, ...extra })}\n\n`,
    )
  const delta = (part: object, finish: string | null = null) =>
    chunk([{ index: 0, delta: part, finish_reason: finish }])
  const text = reply.text ?? ''
  const half = Math.ceil(text.length / 2)
  delta({ role: 'assistant', content: '' })
  if (text) delta({ content: text.slice(0, half) })
  if (reply.fault === 'silent-midway') return onSilence()
  if (reply.fault === 'broken-midway' || reply.fault === 'reset-midway') {
    await new Promise((resolve) => setImmediate(resolve))
    if (reply.fault === 'reset-midway') outgoing.socket?.resetAndDestroy()
    else outgoing.destroy()
    return
  }
  if (text.length > half) delta({ content: text.slice(half) })
  for (const [index, { id, type, function: asked }] of callsOf(reply).entries()) {
    delta({ tool_calls: [{ index, id, type, function: { name: asked.name, arguments: '' } }] })
    for (const piece of asked.arguments.match(/.{1,7}/gs) ?? []) {
      delta({ tool_calls: [{ index, function: { arguments: piece } }] })
    }
  }
  delta({}, finishOf(reply))
  chunk([], { usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } })
  outgoing.end('data: [DONE]\n\n')
}
