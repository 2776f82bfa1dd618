import { listStrategies } from '@tradewright/contract/strategies'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, it } from 'vitest'
import { type HostileServer, httpHead, startHostileServer } from '../../server/test-support/stand-ins/hostile-server.ts'
import { Client } from './client.ts'

const KEY = `tw_${'a'.repeat(43)}`
const LIMITS = { callMs: 300, silenceMs: 300, maxBytes: 1_000_000 }

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

const clientOf = (url: string) => new Client({ url, key: KEY }, () => {}, LIMITS)

async function hostile(...attack: Parameters<typeof startHostileServer>): Promise<HostileServer> {
  const server = await startHostileServer(...attack)
  open.push(() => server.close())
  return server
}

async function answering(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server: Server = createServer(answer)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  open.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it.each([
  ['silent', httpHead('application/json'), 'cannot be reached'],
  ['dripping', httpHead('application/json'), 'cannot be reached'],
  ['endless', httpHead('application/json'), 'is longer than any answer of Tradewright'],
  ['endless', httpHead('application/json', '500 Oh no'), 'is longer than any answer of Tradewright'],
] as const)('gives a %s server up', async (hostility, head, sentence) => {
  const { url } = await hostile(hostility, head)
  await expect(clientOf(url).call(listStrategies)).rejects.toThrow(sentence)
})

it.each([
  ['silent', 'cannot be reached'],
  ['endless', 'is longer than any answer of Tradewright'],
] as const)('gives a %s stream of events up', async (hostility, sentence) => {
  const { url } = await hostile(hostility, httpHead('text/event-stream'))
  const read = async () => {
    for await (const event of clientOf(url).events(new AbortController().signal)) expect(event).toBe('resync')
  }
  await expect(read()).rejects.toThrow(sentence)
})

it('unpacks no answer that is small on the way and large in memory', async () => {
  const packed = gzipSync(Buffer.alloc(50_000_000, ' '))
  const url = await answering((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed)
  })
  await expect(clientOf(url).call(listStrategies)).rejects.toThrow('is longer than any answer of Tradewright')
})

it('shows the beginning of a refusal that goes on and on', async () => {
  const url = await answering((_, response) => {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: 'x'.repeat(100_000), code: 'long' }))
  })
  await expect(clientOf(url).call(listStrategies)).rejects.toThrow(/^x{2000}$/)
})
