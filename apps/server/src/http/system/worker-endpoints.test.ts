import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Metrics } from '../../observe/metrics.ts'
import { serveWorkerEndpoints } from './worker-endpoints.ts'

const TOKEN = 'a-token-of-prometheus'
const source: Metrics = {
  contentType: 'text/plain',
  recordCall() {},
  text: async () => 'tradewright_info 1\n',
  names: () => [],
  close() {},
}
const state = { isUp: true, isReady: true }
const server = serveWorkerEndpoints({
  isUp: async () => state.isUp,
  isReady: async () => state.isReady,
  metrics: { source, token: TOKEN },
})
let base: string
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const statusOf = async (path: string, init?: RequestInit): Promise<number> => (await fetch(base + path, init)).status

it('tells whether a worker is up, and whether it is ready', async () => {
  expect([await statusOf('/health'), await statusOf('/ready')]).toEqual([200, 200])
  state.isReady = false
  expect([await statusOf('/health'), await statusOf('/ready')]).toEqual([200, 503])
  state.isUp = false
  expect(await statusOf('/health')).toBe(503)
})

it('shows metrics to the holder of the token alone, and has nothing else', async () => {
  const answer = await fetch(`${base}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
  expect([answer.status, await answer.text()]).toEqual([200, 'tradewright_info 1\n'])
  expect(await statusOf('/metrics')).toBe(404)
  expect(await statusOf('/metrics', { headers: { authorization: 'Bearer wrong' } })).toBe(404)
  expect(await statusOf('/health', { method: 'POST' })).toBe(404)
  expect(await statusOf('/api/user')).toBe(404)
})
