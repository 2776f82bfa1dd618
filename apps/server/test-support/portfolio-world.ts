import { ManualClock } from '@tradewright/core/clock'
import { dateOf, formatDate } from '@tradewright/core/time'
import type { Portfolio } from '@tradewright/contract/portfolio'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { type Caller, caller } from './caller.ts'
import { type AlpacaStandIn, startAlpacaStandIn } from './stand-ins/alpaca/alpaca.ts'
import type { StandIn } from './stand-ins/stand-in.ts'
import { startYahooStandIn } from './stand-ins/yahoo.ts'
import { createTestApp, type TestApp } from './test-app.ts'

/** A Wednesday in the middle of a New York session. */
const NOW = '2026-03-04T16:00:00Z'

/** A server with a user whose account is at Alpaca. Each test has a stand-in and an account of its own. */
class PortfolioWorld {
  readonly clock = new ManualClock(new Date(NOW))
  server!: TestApp
  /** One for all tests of a file, whose benchmarks are fetched once. */
  user!: Caller
  alpaca!: AlpacaStandIn
  accountId = 0
  #yahoo!: StandIn
  /** One address for all tests, behind which each has its stand-in. */
  #url = ''
  /** Keys of its own for each test: the calls of a minute are counted by them. */
  #keys = { keyId: '', secretKey: '' }
  #tests = 0

  async open(): Promise<void> {
    this.#yahoo = await startYahooStandIn(() => this.clock.now().getTime())
    const first = await startAlpacaStandIn(() => this.clock.now().getTime())
    this.#url = first.url
    await first.close()
    const environment = { ALPACA_PAPER_URL: this.#url, YAHOO_URL: this.#yahoo.url }
    this.server = await createTestApp({ clock: this.clock, environment })
    this.user = await caller(this.server)
  }

  async close(): Promise<void> {
    await this.server.close()
    await this.#yahoo.close()
  }

  async openBroker(): Promise<void> {
    this.#tests += 1
    this.#keys = { keyId: `PKTEST${this.#tests}`, secretKey: `secret ${this.#tests}` }
    const port = Number(new URL(this.#url).port)
    this.alpaca = await startAlpacaStandIn(() => this.clock.now().getTime(), { ...this.#keys, port })
  }

  async closeBroker(): Promise<void> {
    await this.alpaca.close()
    expect(this.alpaca.violations).toEqual([])
  }

  async connect(): Promise<void> {
    const form = { account_name: 'Main', api_key: this.#keys.keyId, api_secret: this.#keys.secretKey }
    const answer = await this.user.post('/api/alpaca/accounts', form)
    this.accountId = answer.json<{ account: { id: number } }>().account.id
  }

  ask(query = ''): Promise<LightMyRequestResponse> {
    return this.user.get(`/api/alpaca/portfolio?account_id=${this.accountId}&${query}`)
  }

  async portfolio(query = ''): Promise<Portfolio> {
    return (await this.ask(query)).json<{ portfolio: Portfolio }>().portfolio
  }

  /** Sessions up to yesterday, each worth what `equityOn` says. */
  historyFrom(first: string, equityOn: (i: number, date: string) => number | null): void {
    const sessions = [...nyse.sessionsBetween(dateOf(first), dateOf('2026-03-04'))]
    const { account } = this.alpaca
    account.history = sessions.map((day, i) => ({ date: formatDate(day), equity: equityOn(i, formatDate(day)) }))
    account.createdAt = `${first}T14:30:00Z`
  }
}

/** For the tests of one file. */
export function withPortfolio(): PortfolioWorld {
  const world = new PortfolioWorld()
  beforeAll(() => world.open())
  afterAll(() => world.close())
  beforeEach(() => world.openBroker())
  afterEach(() => world.closeBroker())
  return world
}
