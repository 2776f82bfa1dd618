import { z } from 'zod'
import { jsonOf, type McpHeaders } from '../client.ts'
import type { Command, Invocation } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'

/** The server takes less; a line without an end must not fill the memory. */
const MAX_LINE_LENGTH = 1_000_000

const Message = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
})
const Initialized = z.object({ result: z.object({ protocolVersion: z.string() }) })

/** Codes of JSON-RPC: https://www.jsonrpc.org/specification#error_object */
const PARSE_ERROR = -32700
const SERVER_ERROR = -32000
const LOST = 'The connection to Tradewright was lost.'

export const mcp: Command = {
  name: 'mcp',
  summary: 'The MCP server on standard input and output, for agents that start a program.',
  args: [],
  options: {},
  details: [
    'Passes each line (a message of the Model Context Protocol) on to /mcp of the server, and writes what it answers, a line each. The key decides what the agent may do: read, research, propose. No scope lets it trade.',
  ],
  examples: ['tradewright mcp', 'npx @modelcontextprotocol/inspector --cli npx tradewright mcp --method tools/list'],
  async run(invocation) {
    const { stdin, interrupted } = invocation
    const headers: McpHeaders = {}
    // Fails at once where nothing is signed in, rather than with the first message.
    invocation.client()
    const underWay = new Set<Promise<void>>()
    for await (const line of lines(stdin)) {
      if (interrupted.aborted) break
      const passed = pass(invocation, line, headers).finally(() => underWay.delete(passed))
      underWay.add(passed)
      // Until the server has named the session and the version, other messages would go without them.
      if (headers.version === undefined) await passed
    }
    await Promise.all(underWay)
    return interrupted.aborted ? EXIT.interrupted : EXIT.ok
  },
}

async function pass({ client, out, interrupted }: Invocation, line: string, headers: McpHeaders): Promise<void> {
  const message = Message.safeParse(jsonOf(line))
  const refuse = (code: number, sentence: string) => {
    const id = message.data?.id
    // A notification has no answer.
    if (message.success && id === undefined) out.error(sentence)
    else out.raw(`${JSON.stringify({ jsonrpc: '2.0', id: id ?? null, error: { code, message: sentence } })}\n`)
  }
  if (!message.success) return refuse(PARSE_ERROR, 'The line is not a message of the protocol.')
  const { id, method } = message.data
  let isOpen = id !== undefined && method !== undefined
  try {
    for await (const told of client().mcp(line, headers, interrupted)) {
      const { data: about = {} } = Message.safeParse(told)
      const isAnswer = about.method === undefined && about.id !== undefined && about.id === id
      const isNotice = about.method !== undefined && about.id === undefined
      // Tradewright asks the agent nothing: a server that does is not it.
      if (!isAnswer && !isNotice && !('error' in told)) continue
      if (isAnswer || 'error' in told) isOpen = false
      if (method === 'initialize') {
        const found = Initialized.safeParse(told)
        if (found.success) headers.version = found.data.result.protocolVersion
      }
      out.raw(`${JSON.stringify(told)}\n`)
    }
    if (isOpen) refuse(SERVER_ERROR, LOST)
  } catch (error) {
    refuse(SERVER_ERROR, error instanceof Failure ? error.message : LOST)
  }
}

async function* lines(stdin: Invocation['stdin']): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of stdin) {
    const whole = (rest + String(chunk)).split('\n')
    rest = whole.pop() ?? ''
    yield* whole.filter((line) => line.trim() !== '')
    if (rest.length > MAX_LINE_LENGTH) throw new Failure(EXIT.usage, 'A message is too long.')
  }
  if (rest.trim() !== '') yield rest
}
