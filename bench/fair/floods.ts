import { request } from 'node:http'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { allocationForm } from '../../apps/server/test-support/backtest-form.ts'
import type { Trader } from '../live/live-program.ts'

/** As a proxy in front of the program says it: the flood does not come from the address of whoever waits beside it. */
const FROM = { 'x-forwarded-for': '203.0.113.5' }

/** Calls of one kind that are under way at any moment. */
const CONNECTIONS = 32

const tickers = (count: number) => Array.from({ length: count }, (_, i) => `T${i}`)
const rules = {
  ...allocationForm,
  strategyType: 'Rules',
  rules: JSON.stringify({
    root: { type: 'weights', weights: tickers(400).map((ticker) => ({ ticker, weight: 0.25 })) },
  }),
}
const construction = {
  backtest: { ...allocationForm, 'ticker[]': tickers(400), 'allocation[]': tickers(400).map(() => '0.25') },
  methods: [{ id: 'min_variance' }],
}
const study = { backtest: rules, numbers: [{ path: 'root.weights.0.weight', from: 1, to: 100, step: 1 }] }

/** Sends one call and reads its answer; resolves with the status. */
type Flood = (url: string, greedy: Pick<Trader, 'cookie' | 'accountId'>) => Promise<number>

const sent = async (url: string, path: string, cookie?: string, body?: object): Promise<number> => {
  const answer = await fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...FROM, ...(cookie && { cookie }), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  await answer.arrayBuffer()
  return answer.status
}

/** Reads a kilobyte a second of an answer, and breaks it off after three. */
const readSlowly = (url: string, path: string, cookie: string): Promise<number> =>
  new Promise((resolve) => {
    const asked = request(`${url}${path}`, { headers: { ...FROM, cookie } }, (answer) => {
      answer.pause()
      setTimeout(() => {
        answer.destroy()
        resolve(answer.statusCode ?? 0)
      }, 3_000)
    })
    asked.on('error', () => resolve(0)).end()
  })

export const floods: Readonly<Record<string, Flood>> = {
  lists: (url, { cookie }) => sent(url, '/api/strategies', cookie),
  'strategies to deploy': (url, { cookie }) => sent(url, '/api/deployment/strategies', cookie),
  'mappings of 400 tickers': (url, { cookie, accountId }) =>
    sent(url, '/api/asset/validate-mapping', cookie, {
      account_id: accountId,
      ticker_mapping: Object.fromEntries(tickers(400).map((ticker) => [ticker, ticker])),
    }),
  'bodies that are refused': (url, { cookie }) =>
    sent(url, '/api/strategies', cookie, { name: 'x', config: { list: tickers(40_000) } }),
  'forms of studies': (url, { cookie }) => sent(url, '/api/parameter-studies', cookie, study),
  'forms of constructions': (url, { cookie }) => sent(url, '/api/portfolio-constructions', cookie, construction),
  'own exports, read slowly': (url, { cookie }) => readSlowly(url, '/api/user/export', cookie),
  'event streams': (url, { cookie }) => readSlowly(url, '/api/events', cookie),
  'security logs': (url, { cookie }) => sent(url, '/api/auth/security-log', cookie),
  'the documentation, by a visitor': (url) => sent(url, '/api/docs'),
  'sign-ins, by a visitor': (url) => sent(url, '/api/login', undefined, { email: 'nobody', password: 'wrong' }),
  'second steps, by a visitor': (url) => sent(url, '/api/login/second-step', undefined, { code: '000000' }),
}

export interface FloodOrder {
  readonly name: string
  readonly url: string
  readonly cookie: string
  readonly accountId: number
}

/** On a thread of its own: what a flood costs its sender must not hold up the clock of whoever waits beside it. */
if (!isMainThread && parentPort) {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the benchmark beside it has made it
  const { name, url, ...greedy } = workerData as FloodOrder
  const over = new AbortController()
  parentPort.once('message', () => over.abort())
  const answers: number[] = []
  const connection = async () => {
    while (!over.signal.aborted) answers.push(await floods[name]!(url, greedy).catch(() => 0))
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, connection))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort.postMessage(answers)
}
