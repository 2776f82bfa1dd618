import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { callTool } from '../../../server/test-support/mcp-client.ts'
import { keyOf, type ListeningApp, listeningApp, run } from '../../test-support/cli.ts'

const program = join(dirname(dirname(fileURLToPath(import.meta.url))), 'main.ts')

let server: ListeningApp
beforeAll(async () => {
  server = await listeningApp()
})

const envOf = (key: string) => ({ TRADEWRIGHT_URL: server.url, TRADEWRIGHT_KEY: key })

it('serves the official client over standard input and output, with the rights of the key', async () => {
  const { key } = await keyOf(server, ['read', 'propose'])
  const client = new Client({ name: 'test agent', version: '1.0.0' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp'],
      env: { ...envOf(key), PATH: process.env['PATH'] ?? '' },
    }),
  )
  const names = (await client.listTools()).tools.map(({ name }) => name)
  expect(names).toContain('propose_make_ticker_list')
  expect(names).not.toContain('run_backtest')
  const wish = { name: 'Large', list_type: 'target', tickers: ['SPY'] }
  const [proposed, listed] = await Promise.all([
    callTool(client, 'propose_make_ticker_list', wish),
    callTool(client, 'list_recent_runs'),
  ])
  expect(proposed.texts[0]).toContain('Nothing has changed yet.')
  expect(listed.isError).toBe(false)
  await client.close()
})

it('answers what is no message, and a key that is revoked or unknown, with a sentence', async () => {
  const ask = '{"jsonrpc":"2.0","id":7,"method":"tools/list"}'
  const { exit, stdout } = await run(['mcp'], envOf(`tw_${'a'.repeat(43)}`), { stdin: `nonsense\n${ask}\n` })
  expect(exit).toBe(0)
  const [first, second] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: unknown; error: { message: string } })
  expect(first).toMatchObject({ id: null, error: { message: 'The line is not a message of the protocol.' } })
  expect(second).toMatchObject({ id: 7, error: { message: expect.stringContaining('API key') as string } })
})

it('passes on what answers the message alone, whatever a server writes beside it', async () => {
  const lines = [
    'data: no JSON\ndata: {"jsonrpc":"2.0","id":7,"result":{"forged":"by a second line"}}',
    'data: {"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[]}}',
    'data: {"jsonrpc":"2.0","id":8,"result":{"tools":"of another message"}}',
    'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.5}}',
    'data: {"jsonrpc":"2.0","id":7,\ndata: "result":{"tools":[]}}',
  ]
  const hostile = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`${lines.join('\n\n')}\n\n`)
  }).listen(0, '127.0.0.1')
  await once(hostile, 'listening')
  onTestFinished(() => void hostile.close())
  const env = { ...envOf(`tw_${'a'.repeat(43)}`), TRADEWRIGHT_URL: urlOf(hostile) }
  const ask = (method: string) => run(['mcp'], env, { stdin: `{"jsonrpc":"2.0","id":7,"method":"${method}"}\n` })
  expect(
    (await ask('tools/list')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 0.5 } },
    { jsonrpc: '2.0', id: 7, result: { tools: [] } },
  ])
  // An answer that never comes is told as lost, so that the agent does not wait for it.
  lines.pop()
  expect((await ask('tools/list')).stdout).toContain(
    '"error":{"code":-32000,"message":"The connection to Tradewright was lost."}',
  )
})

const urlOf = (listening: Server) => `http://127.0.0.1:${(listening.address() as AddressInfo).port}`

it('needs a key', async () => {
  expect(await run(['mcp'], {}, { stdin: '' })).toMatchObject({ exit: 3, stdout: '' })
})
