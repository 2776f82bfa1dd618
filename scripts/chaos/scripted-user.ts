import { allocationForm, formData } from '../../apps/server/test-support/backtest-form.ts'
import { optimizationForm } from '../../apps/server/test-support/optimization.ts'
import type { Random } from '@tradewright/core/random'
import { setTimeout as pause } from 'node:timers/promises'
import type { Findings } from './findings.ts'

/** Writes that the server said yes to. Whatever happens later, they must be found again. */
interface Journal {
  lists: string[]
  strategies: string[]
  tickers: string[]
  chats: string[]
  deployments: number[]
  /** Dollars paid into the deployment, and dollars whose answer was lost: paid in or not. */
  paidIn: number
  maybePaidIn: number
}

interface Answer {
  status: number
  body: Record<string, unknown>
}

type Action = (user: ScriptedUser) => Promise<void>

/** Actions and how often each comes up. */
const ACTIONS: [Action, number][] = [
  [(user) => user.browse(), 8],
  [(user) => user.saveList(), 4],
  [(user) => user.saveStrategy(), 3],
  [(user) => user.importPrices(), 1],
  [(user) => user.backtest(), 2],
  [(user) => user.optimize(), 1],
  [(user) => user.chat(), 2],
  [(user) => user.payIn(), 2],
]

const PATIENCE_MS = 30_000
/** Refused because the user or the server does too much at once, or because an earlier try had come through. */
const EXPECTED_REFUSALS = new Set([409, 429, 503])

export class ScriptedUser {
  readonly name: string
  readonly journal: Journal = {
    lists: [],
    strategies: [],
    tickers: [],
    chats: [],
    deployments: [],
    paidIn: 0,
    maybePaidIn: 0,
  }
  readonly #address: string
  readonly #random: Random
  readonly #findings: Findings
  readonly #trades: boolean
  #token = ''
  #count = 0

  constructor(address: string, index: number, random: Random, findings: Findings) {
    this.name = `chaos-${index}`
    this.#address = address
    this.#random = random
    this.#findings = findings
    this.#trades = index % 5 === 0
  }

  /** Prepares the user's account before the faults begin. */
  async arrive(): Promise<void> {
    const credentials = { username: this.name, password: 'correct horse battery staple' }
    const { body, status } = await this.#send('POST', '/api/register', credentials)
    if (status !== 200) throw new Error(`${this.name} cannot register: ${status} ${JSON.stringify(body)}`)
    this.#token = String(body['token'])
    if (this.#trades) await this.#deploy()
  }

  async act(signal: AbortSignal): Promise<void> {
    const total = ACTIONS.reduce((sum, [, weight]) => sum + weight, 0)
    while (!signal.aborted) {
      let draw = this.#random.float() * total
      const [action] = ACTIONS.find(([, weight]) => (draw -= weight) < 0)!
      await action(this)
      await pause(this.#random.float() * 2_000, undefined, { signal }).catch(() => {})
    }
  }

  async browse(): Promise<void> {
    for (const path of ['/api/strategies', '/api/deployment/list', '/api/backtests/all', '/api/ticker-lists']) {
      await this.#call('GET', path)
    }
  }

  async saveList(): Promise<void> {
    const name = this.#next('list')
    const answer = await this.#call('POST', '/api/ticker-lists', { name, tickers: ['SPY'], list_type: 'target' })
    if (answer?.status === 200) this.journal.lists.push(name)
  }

  async saveStrategy(): Promise<void> {
    const name = this.#next('strategy')
    const config = { allocations: [{ ticker: 'SPY', allocation: 100 }], dataProvider: 'sample' }
    const answer = await this.#call('POST', '/api/strategies', { name, strategy_type: 'Asset Allocation', config })
    if (answer?.status === 200) this.journal.strategies.push(name)
  }

  async importPrices(): Promise<void> {
    const ticker = this.#next('CSV').toUpperCase()
    const form = new FormData()
    form.append('ticker', ticker)
    form.append('file', new Blob(['date,close\n2024-01-02,10\n2024-01-03,11\n']), 'prices.csv')
    const answer = await this.#call('POST', '/api/data-collector/import', form)
    if (answer?.status === 200) this.journal.tickers.push(ticker)
  }

  async backtest(): Promise<void> {
    await this.#call('POST', '/api/backtest', formData({ ...allocationForm, startDate: '2022-01-03' }))
  }

  /** The run goes on when its caller leaves; that it ends is found out at the end. Another one waits for it. */
  async optimize(): Promise<void> {
    const listed = await this.#call('GET', '/api/optimization-runs')
    if (listed?.status !== 200) return
    const runs = listed.body['optimization_runs'] as { finished_at: string | null }[]
    if (runs.some((run) => run.finished_at === null)) return
    const form = { ...optimizationForm, client_run_id: this.#next('run') }
    await this.#call('POST', '/api/feature-optimization', form, AbortSignal.timeout(1_000 + this.#random.below(10_000)))
  }

  async chat(): Promise<void> {
    const id = this.#next('chat')
    const question = { message: 'How do I read a Sharpe ratio?', conversation_id: id }
    const answer = await this.#call('POST', '/api/ai-assistant-query', question)
    if (answer?.status === 200) this.journal.chats.push(id)
  }

  async payIn(): Promise<void> {
    const [id] = this.journal.deployments
    if (id === undefined) return
    const amount = 1 + Math.floor(this.#random.float() * 50)
    const body = { amount, contribution_type: 'CONTRIBUTION' }
    this.journal.maybePaidIn += amount
    const answer = await this.#call('POST', `/api/deployment/${id}/contributions`, body)
    if (!answer || answer.status === 503) return
    this.journal.maybePaidIn -= amount
    if (answer.status === 200) this.journal.paidIn += amount
  }

  /** Whether all of it is there. Undefined while the server cannot be asked. */
  async verify(): Promise<boolean | undefined> {
    const { lists, strategies, chats, tickers, deployments } = this.journal
    const checks: [string, string, readonly (string | number)[]][] = [
      ['list', '/api/ticker-lists', lists],
      ['strategy', '/api/strategies', strategies],
      ['chat', '/api/ai-assistant-conversations', chats.slice(-5)],
      ['CSV import', '/api/data-collector/data/available', tickers],
    ]
    for (const [what, path, expected] of checks) {
      if (expected.length === 0) continue
      const known = expected.slice()
      const answer = await this.#call('GET', path)
      if (answer?.status !== 200) return undefined
      const text = JSON.stringify(answer.body)
      for (const one of known) {
        this.#findings.count('acknowledged writes looked up')
        if (!text.includes(JSON.stringify(one)))
          this.#findings.violation('acknowledged write lost', `${what} ${one} of ${this.name}`)
      }
    }
    return deployments.length === 0 || this.#verifyDeployment(deployments[0]!)
  }

  async #verifyDeployment(id: number): Promise<boolean | undefined> {
    // Read before the call: what is acknowledged meanwhile may be in the answer or not.
    const { paidIn } = this.journal
    const answer = await this.#call('GET', '/api/deployment/list')
    if (answer?.status !== 200) return undefined
    const most = this.journal.paidIn + this.journal.maybePaidIn
    const all = answer.body['deployments'] as { id: number; total_contributions: number }[]
    const found = all.find((deployment) => deployment.id === id)
    const said = found?.total_contributions ?? 0
    this.#findings.count('deployments looked up')
    if (!found) this.#findings.violation('acknowledged write lost', `deployment ${id} of ${this.name}`)
    else if (said < FIRST_CAPITAL + paidIn - 0.01 || said > FIRST_CAPITAL + most + 0.01) {
      const range = `${FIRST_CAPITAL + paidIn} to ${FIRST_CAPITAL + most}`
      this.#findings.violation('contributions wrong', `${this.name} has ${said}, expected ${range}`)
    }
    return true
  }

  /** Coins trade around the clock, so a run at any hour sees orders. */
  async #deploy(): Promise<void> {
    const config = {
      allocations: [
        { ticker: 'BTC-USD', allocation: 60 },
        { ticker: 'ETH-USD', allocation: 40 },
      ],
      startDate: '2026-01-05',
      endDate: '2026-10-30',
      dataProvider: 'sample',
      dataGranularity: 'hourly',
    }
    const strategy = { name: this.#next('coins'), strategy_type: 'Asset Allocation', config }
    const saved = await this.#send('POST', '/api/strategies', strategy)
    const paper = await this.#send('POST', '/api/alpaca/paper-account', {})
    const created = await this.#send('POST', '/api/deployment/create', {
      deployment_name: `${this.name} coins`,
      strategy_id: saved.body['id'],
      alpaca_account_id: (paper.body['account'] as { id: number } | undefined)?.id,
      capital_policy_value: FIRST_CAPITAL,
      auto_start: true,
      trading_frequency_type: 'continuous',
      check_frequency_minutes: 1,
      bypass_market_hours: true,
      rebalance_threshold: 0,
      trading_days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
    })
    const deployment = created.body['deployment'] as { id: number } | undefined
    if (!deployment) throw new Error(`${this.name} cannot deploy: ${JSON.stringify(created.body)}`)
    this.journal.deployments.push(deployment.id)
  }

  #next(what: string): string {
    return `${what}-${this.name}-${++this.#count}`
  }

  /** Undefined when no answer came. An answer that no fault excuses is a violation. */
  async #call(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Answer | undefined> {
    // Now and then the line breaks in the middle.
    const breaks = this.#random.float() < 0.02 ? AbortSignal.timeout(this.#random.below(200)) : signal
    try {
      const answer = await this.#send(method, path, body, breaks)
      this.#findings.count(`answers ${answer.status}`)
      if (answer.status !== 200 && !EXPECTED_REFUSALS.has(answer.status)) {
        this.#findings.violation(
          `answer ${answer.status}`,
          `${method} ${path}: ${JSON.stringify(answer.body).slice(0, 300)}`,
        )
      }
      return answer
    } catch {
      this.#findings.count('calls without an answer')
      return undefined
    }
  }

  async #send(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Answer> {
    const isForm = body instanceof FormData
    const answer = await fetch(this.#address + path, {
      method,
      headers: {
        ...(this.#token && { authorization: `Bearer ${this.#token}` }),
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      signal: AbortSignal.any([AbortSignal.timeout(PATIENCE_MS), ...(signal ? [signal] : [])]),
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Answer['body'] }
  }
}

const FIRST_CAPITAL = 1000
