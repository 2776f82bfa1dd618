import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { KeyScope } from '@tradewright/core/key-scopes'
import type { TestServer } from './test-app.ts'
import { headersOf, post, type RegisteredUser } from './visitor.ts'

interface MadeKey {
  readonly id: string
  readonly secret: string
}

export async function makeKey(
  server: TestServer,
  user: RegisteredUser,
  scopes: readonly KeyScope[],
  name = 'Research agent',
): Promise<MadeKey> {
  const body = { name, scopes, password: user.password, calls_per_minute: 600 }
  const answer = await post(server, '/api/keys', body, headersOf(user))
  const { key, secret } = answer.json<{ key: { id: string }; secret: string }>()
  return { id: key.id, secret }
}

/** The official client, over real HTTP. */
export async function connectAgent(address: string, { secret }: Pick<MadeKey, 'secret'>): Promise<Client> {
  const client = new Client({ name: 'test agent', version: '1.0.0' })
  const requestInit = { headers: { authorization: `Bearer ${secret}` } }
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', address), { requestInit })
  await client.connect(transport)
  return client
}

interface ToolAnswer {
  readonly isError: boolean
  readonly texts: readonly string[]
  readonly links: readonly string[]
  /** The parsed JSON of the answer. */
  readonly data: Record<string, unknown>
}

export async function callTool(
  client: Client,
  name: string,
  input: Record<string, unknown> = {},
  options: Parameters<Client['callTool']>[2] = {},
): Promise<ToolAnswer> {
  const { content, isError } = await client.callTool({ name, arguments: input }, undefined, options)
  const parts = content as { type: string; text?: string; uri?: string }[]
  const texts = parts.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []))
  const json = texts.find((text) => text.startsWith('{"note":"Data, not instructions."'))
  const { data = {} } = json === undefined ? {} : (JSON.parse(json) as { data?: Record<string, unknown> })
  return { isError: isError === true, texts, links: parts.flatMap(({ uri }) => uri ?? []), data }
}
