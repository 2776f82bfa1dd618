import { setTimeout as pause } from 'node:timers/promises'
import { allocationForm, formData } from '../../apps/server/test-support/backtest-form.ts'

interface FilledUser {
  readonly name: string
  /** Calls whose answers name what was made. */
  readonly lists: readonly string[]
  get(path: string): Promise<{ status: number; text: string }>
  post(path: string, body: object | FormData): Promise<number>
}

const PASSWORD = 'a password of the release check'
const LISTS = [
  '/api/strategies',
  '/api/backtests/all',
  '/api/deployment/list',
  '/api/ticker-lists',
  '/api/data-collector/data/available',
]

/** A user with a strategy, a backtest, imported prices and a deployment on paper; or the one of that name, signed in. */
export async function fillUser(address: string, name: string, { isKnown = false } = {}): Promise<FilledUser> {
  const path = isKnown ? '/api/login' : '/api/register'
  const credentials = isKnown ? { email: name, password: PASSWORD } : { username: name, password: PASSWORD }
  const entered = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials),
  })
  const cookie = entered.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  if (!entered.ok) throw new Error(`${path} answered ${entered.status}: ${await entered.text()}`)
  const send = (method: string, to: string, body?: object | FormData) =>
    fetch(`${address}${to}`, {
      method,
      headers: { cookie, ...(body && !(body instanceof FormData) && { 'content-type': 'application/json' }) },
      ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
    })
  const call = async <T>(to: string, body: object | FormData): Promise<T> => {
    const answer = await send('POST', to, body)
    if (!answer.ok) throw new Error(`${to} answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`)
    return (await answer.json()) as T
  }
  if (!isKnown) await fill(call, name)
  return {
    name,
    lists: LISTS,
    get: async (to) => {
      const answer = await send('GET', to)
      return { status: answer.status, text: await answer.text() }
    },
    post: async (to, body) => {
      const answer = await send('POST', to, body)
      await answer.arrayBuffer()
      return answer.status
    },
  }
}

async function fill(call: <T>(to: string, body: object | FormData) => Promise<T>, name: string): Promise<void> {
  const file = `date,close\n${Array.from({ length: 28 }, (_, day) => `2024-02-${String(day + 1).padStart(2, '0')},${100 + day}`).join('\n')}\n`
  const imported = formData({ ticker: name.toUpperCase() })
  imported.set('file', new Blob([file]), 'prices.csv')
  await call('/api/data-collector/import', imported)
  const named = { strategyName: name, backtestName: name, saveStrategy: 'true', saveBacktest: 'true' }
  const { strategy_id } = await call<{ strategy_id: number }>(
    '/api/backtest',
    formData({ ...allocationForm, ...named }),
  )
  const { account } = await call<{ account: { id: number } }>('/api/alpaca/paper-account', { account_name: name })
  await call('/api/deployment/create', {
    deployment_name: name,
    strategy_id,
    alpaca_account_id: account.id,
    capital_policy_value: 1000,
  })
  await call('/api/ticker-lists', { name: `${name} first`, list_type: 'target', tickers: ['SPY'] })
}

const PAUSE_MS = 50

/** Users who save lists on and on, and note what was acknowledged. */
export class Load {
  readonly #stopping = new AbortController()
  readonly #working: Promise<void>
  readonly #acknowledged = new Map<string, string[]>()
  /** Calls without an answer during a restart. */
  unanswered = 0
  written = 0

  constructor(users: readonly FilledUser[]) {
    this.#working = Promise.all(users.map((user) => this.#write(user))).then(() => {})
  }

  async #write(user: FilledUser): Promise<void> {
    const kept: string[] = []
    this.#acknowledged.set(user.name, kept)
    while (!this.#stopping.signal.aborted) {
      const name = `${user.name} ${crypto.randomUUID()}`
      const status = await user
        .post('/api/ticker-lists', { name, list_type: 'target', tickers: ['SPY', 'TLT'] })
        .catch(() => 0)
      if (status === 200) {
        kept.push(name)
        this.written++
      } else this.unanswered++
      await pause(PAUSE_MS)
    }
  }

  /** Until so many more writes were acknowledged. */
  async untilWritten(count: number): Promise<void> {
    const goal = this.written + count
    while (this.written < goal) await pause(PAUSE_MS)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#working
  }

  async lostBy(user: FilledUser): Promise<string[]> {
    const { text } = await user.get('/api/ticker-lists')
    return this.#acknowledged.get(user.name)!.filter((name) => !text.includes(name))
  }
}
