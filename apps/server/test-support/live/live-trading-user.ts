import { ManualClock } from '@tradewright/core/clock'
import { dateOf, HOUR } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { toDomain } from '../../src/http/backtests/form.ts'
import { caller, type Caller } from '../caller.ts'
import { createTestApp, type TestApp } from '../test-app.ts'

/** The middle of a session; the sample market has prices of it. */
const NOON = nyse.openOf(dateOf('2026-03-04')) + 2 * HOUR

export interface WireDeployment {
  [field: string]: unknown
  id: number
  status: string
  committed_cash: number
}

/** A signed-in user with the built-in account and a saved strategy, in front of the whole server. */
export interface LiveTradingUser {
  readonly server: TestApp
  readonly ann: Caller
  readonly accountId: number
  readonly strategyId: number
  /** The deploy form, with what is not said filled in. */
  form(more?: object): object
  created(more?: object): Promise<WireDeployment>
  get(id: number): Promise<WireDeployment>
}

export async function openLiveTrading(): Promise<LiveTradingUser> {
  const server = await createTestApp({
    clock: new ManualClock(new Date(NOON)),
    // No deployment decides on its own while forms are tested.
    environment: { RUN_JOBS: 'off' },
  })
  const ann = await caller(server)
  const accountId = await paperAccountOf(ann)
  const strategyId = await newStrategy(ann, 'Sixty forty')
  const form = (more: object = {}) => ({
    deployment_name: 'Live one',
    strategy_id: strategyId,
    alpaca_account_id: accountId,
    capital_policy_value: 1000,
    ...more,
  })
  return {
    server,
    ann,
    accountId,
    strategyId,
    form,
    async created(more = {}) {
      const answer = await ann.post('/api/deployment/create', form(more))
      expect(answer.statusCode, answer.body).toBe(200)
      return answer.json<{ deployment: WireDeployment }>().deployment
    },
    get: async (id) => (await ann.get(`/api/deployment/${id}`)).json<{ deployment: WireDeployment }>().deployment,
  }
}

export async function paperAccountOf(who: Caller): Promise<number> {
  return (await who.post('/api/alpaca/paper-account', {})).json<{ account: { id: number } }>().account.id
}

const config = {
  allocations: [
    { ticker: 'SPY', allocation: 60 },
    { ticker: 'AGG', allocation: 30 },
    { ticker: 'CASHX', allocation: 10 },
  ],
  startDate: '2020-01-02',
  endDate: '2025-12-31',
  dataProvider: 'sample',
  dataGranularity: 'daily',
}

export async function newStrategy(who: Caller, name: string, more: object = {}): Promise<number> {
  const answer = await who.post('/api/strategies', {
    name,
    strategy_type: 'Asset Allocation',
    config: { ...config, ...more },
  })
  return answer.json<{ id: number }>().id
}

export const errorOf = (answer: LightMyRequestResponse) => answer.json<{ error: string }>().error

/** A form's fields as a saved strategy has them. */
export const savedConfig = (form: Record<string, unknown>) => toDomain(form).run.config
