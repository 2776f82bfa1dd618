import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { NOWHERE, providersAt } from '../../../test-support/providers-at.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'

let server: TestApp
let address: string
let greedy: Caller
let other: Caller
let account: number
beforeAll(async () => {
  // As an operator runs it.
  const environment = { ...providersAt(NOWHERE), MAX_CALLS_PER_MINUTE: '1200', MAX_THREAD_PCT_PER_USER: '40' }
  server = await createTestApp({ environment })
  address = await server.address()
  greedy = await caller(server)
  other = await caller(server)
  account = (await greedy.post('/api/alpaca/paper-account', {})).json<{ account: { id: number } }>().account.id
})
afterAll(() => server.close())

type Flood = () => Promise<Response>

const sent = (path: string, who: Caller | undefined, body?: object): Promise<Response> =>
  fetch(new URL(path, address), {
    method: body ? 'POST' : 'GET',
    headers: { ...who?.headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })

const tickers = (count: number) => Array.from({ length: count }, (_, i) => `T${i}`)

const floods: readonly [string, Flood][] = [
  ['lists', () => sent('/api/strategies', greedy)],
  ['strategies to deploy', () => sent('/api/deployment/strategies', greedy)],
  [
    'mappings of 400 tickers',
    () => {
      const ticker_mapping = Object.fromEntries(tickers(400).map((ticker) => [ticker, ticker]))
      return sent('/api/asset/validate-mapping', greedy, { account_id: account, ticker_mapping })
    },
  ],
  ['bodies that are refused', () => sent('/api/strategies', greedy, { name: 'x', config: { list: tickers(40_000) } })],
  ['the documentation, by a visitor', () => sent('/api/docs', undefined)],
  ['sign-ins', () => sent('/api/login', undefined, { email: 'nobody', password: 'wrong' })],
]

describe.each(floods)('a flood of %s', (_name, flood) => {
  it('leaves another user their lists and their stop', async () => {
    const over = new AbortController()
    const statuses = new Set<number>()
    const connection = async () => {
      while (!over.signal.aborted) {
        const answer = await flood()
        statuses.add(answer.status)
        await answer.arrayBuffer()
      }
    }
    const flooding = Array.from({ length: 24 }, connection)
    const waits: number[] = []
    const timed = async (call: () => Promise<Response>): Promise<Response> => {
      const began = performance.now()
      const answer = await call()
      await answer.arrayBuffer()
      waits.push(performance.now() - began)
      return answer
    }
    try {
      for (let i = 0; i < 12; i++) {
        expect((await timed(() => sent('/api/strategies', other))).status).toBe(200)
        expect((await timed(() => sent('/health', undefined))).status).toBe(200)
      }
      expect((await timed(() => sent('/api/deployment/emergency-stop', other, {}))).status).toBe(200)
    } finally {
      over.abort()
      await Promise.all(flooding)
    }
    // The clients of the flood share the thread here; what a started program answers is measured by the benchmark.
    expect(waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.95)]).toBeLessThan(2_000)
    expect([...statuses].filter((status) => status >= 500)).toEqual([])
  })
})
