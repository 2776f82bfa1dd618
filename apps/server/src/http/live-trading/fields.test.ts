import { Decimal } from '@tradewright/core/decimal'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caller, type Caller } from '../../../test-support/caller.ts'
import { type LiveServer, liveServer } from '../../../test-support/live/live-server.ts'

type Fields = Record<string, unknown>

let live: LiveServer
let ann: Caller
let accountId: number
let deployment: Fields & { id: number }

const ask = async <Answer = Fields>(path: string) => (await ann.get(path)).json<Answer & { success: boolean }>()
const kinds = (object: Fields, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, object[name] === null ? 'null' : typeof object[name]]))
const all = (kind: string, names: readonly string[]) => Object.fromEntries(names.map((name) => [name, kind]))

beforeAll(async () => {
  live = await liveServer('2026-03-04')
  ann = await caller(live.server)
  accountId = (await ann.post('/api/alpaca/paper-account', {})).json<{ account: { id: number } }>().account.id
  const broker = await live.worker.brokerage.brokerFor(ann.id, accountId)
  for (const [ticker, quantity] of [
    ['SPY', '10'],
    ['AGG', '20'],
  ] as const) {
    const placed = await broker.place({
      clientOrderId: `by-hand-${ticker}`,
      ticker,
      side: 'buy',
      size: { quantity: Decimal.parse(quantity) },
      execution: { type: 'market' },
      timeInForce: 'day',
    })
    expect(placed.state).toBe('filled')
  }
  const strategy = await ann.post('/api/strategies', {
    name: 'Sixty forty',
    strategy_type: 'Asset Allocation',
    config: {
      allocations: [
        { ticker: 'SPY', allocation: 60 },
        { ticker: 'AGG', allocation: 40 },
      ],
      startDate: '2020-01-02',
      endDate: '2025-12-31',
      dataProvider: 'sample',
      dataGranularity: 'daily',
    },
  })
  const created = await ann.post('/api/deployment/create-with-positions', {
    deployment_name: 'With shares',
    strategy_id: strategy.json<{ id: number }>().id,
    alpaca_account_id: accountId,
    contributed_positions: [{ symbol: 'SPY', quantity: 4 }],
    contributed_cash: 1000,
    ticker_mapping: { SPY: 'SPY', AGG: 'AGG' },
  })
  expect(created.statusCode, created.body).toBe(200)
  deployment = created.json<{ deployment: Fields & { id: number } }>().deployment
})
afterAll(() => live.close())

describe('a deployment carries', () => {
  it('who it is and what it has, alone and in the list [LIVE-075] [LIVE-076] [LIVE-077] [LIVE-154]', async () => {
    const answer = await ask<{ deployment: Fields }>(`/api/deployment/${deployment.id}`)
    expect(answer.success).toBe(true)
    expect(answer.deployment).toMatchObject({
      id: deployment.id,
      deployment_name: 'With shares',
      strategy_name: 'Sixty forty',
      alpaca_account_id: accountId,
      status: 'created',
      capital_policy: 'fixed_contribution',
      capital_currency: 'USD',
      committed_cash: 1000,
      total_withdrawals: 0,
    })
    expect(kinds(answer.deployment, ['strategy_id', 'account_name'])).toEqual({
      strategy_id: 'number',
      account_name: 'string',
    })
    const worth = answer.deployment['committed_capital'] as number
    expect(worth).toBeGreaterThan(1000)
    expect(answer.deployment).toMatchObject({
      capital_policy_value: worth,
      total_contributions: worth,
      net_contributions: worth,
    })
    const { deployments } = await ask<{ deployments: Fields[] }>('/api/deployment/list')
    expect(deployments[0]).toMatchObject({ id: deployment.id, committed_capital: worth })
  })

  it('its settings [LIVE-079] [LIVE-080] [LIVE-081] [LIVE-082] [LIVE-083] [LIVE-084]', () => {
    const numbers = [
      'rebalance_threshold',
      'check_frequency_minutes',
      'end_of_day_minutes_before_close',
      'buying_power_forgiveness_pct',
      'holdout_train_size',
      'contributed_cash',
      'total_pnl',
    ]
    expect(kinds(deployment, numbers)).toEqual(all('number', numbers))
    const flags = ['auto_start', 'bypass_market_hours', 'email_notifications_enabled']
    expect(kinds(deployment, flags)).toEqual(all('boolean', flags))
    expect(deployment).toMatchObject({
      rebalance_frequency: 'monthly',
      trading_frequency_type: 'continuous',
      trading_days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
      ticker_mapping: { SPY: 'SPY', AGG: 'AGG' },
      notification_emails: [],
      notification_events: { trades: true, errors: true, signals: false, daily_summary: false },
      training_mode: 'full_range',
      training_start_date: null,
      training_end_date: null,
      contribution_mode: 'positions',
      contributed_positions: [{ symbol: 'SPY', quantity: 4 }],
      contributed_cash: 1000,
      total_pnl: 0,
      config: {
        signal1_allocation: { SPY: 60, AGG: 40 },
        signal0_allocation: {},
        start_date: '2020-01-02',
        end_date: '2025-12-31',
        data_granularity: 'daily',
        buying_power_forgiveness_pct: 0,
      },
    })
  })
})

describe('an account carries', () => {
  it('what is committed and what is left: uncommitted cash and unallocated positions [LIVE-087] [LIVE-088] [LIVE-151] [LIVE-221]', async () => {
    const { success, accounts } = await ask<{ accounts: Record<string, number>[] }>('/api/deployment/accounts')
    const { positions } = await ask<{ positions: Record<string, number>[] }>(
      `/api/deployment/account/${accountId}/positions`,
    )
    expect(success).toBe(true)
    expect(accounts).toHaveLength(1)
    const [account] = accounts
    expect(account).toMatchObject({ id: accountId, paper_trading: true, is_default: true, error: null })
    expect(kinds(account!, ['account_name'])).toEqual({ account_name: 'string' })
    const cash = account!['cash']!
    const free = positions.reduce((sum, one) => sum + one['available_quantity']! * one['current_price']!, 0)
    expect(account!['committed_capital']).toBe(deployment['committed_capital'])
    expect(account!['available_cash']).toBeCloseTo(cash - 1000, 6)
    expect(account!['available_capital']).toBeCloseTo(cash - 1000 + free, 6)
    const worth = positions.reduce((sum, { market_value: value }) => sum + value!, 0)
    expect(account!['equity']).toBeCloseTo(cash + worth, 6)
    expect(account!['capital_base']).toBe(account!['equity'])
    expect(account!['buying_power']).toBe(cash)
    const share = ((deployment['committed_capital'] as number) / account!['equity']!) * 100
    expect(account!['percent_allocated']).toBeCloseTo(share, 2)
  })

  it('positions with what deployments own of them [LIVE-090] [LIVE-091] [LIVE-152]', async () => {
    const { success, positions } = await ask<{ positions: Fields[] }>(`/api/deployment/account/${accountId}/positions`)
    expect(success).toBe(true)
    const [agg, spy] = positions.toSorted((a, b) => (String(a['symbol']) < String(b['symbol']) ? -1 : 1))
    expect(spy).toMatchObject({
      symbol: 'SPY',
      quantity: 10,
      is_fully_allocated: false,
      allocated_to_deployments: [{ deployment_id: deployment.id, deployment_name: 'With shares', quantity: 4 }],
      allocated_quantity: 4,
      available_quantity: 6,
    })
    expect(agg).toMatchObject({ symbol: 'AGG', allocated_to_deployments: [], available_quantity: 20 })
    const numbers = ['current_price', 'market_value', 'unrealized_pl', 'unrealized_plpc']
    expect(kinds(spy!, numbers)).toEqual(all('number', numbers))
  })
})

describe('a ledger carries', () => {
  it('entries with what was left after them, and the page [LIVE-092] [LIVE-093]', async () => {
    const { deployment: found } = await ask<{ deployment: { ledger_entries: Fields[]; ledger_pagination: Fields } }>(
      `/api/deployment/${deployment.id}/details?page=1&page_size=1`,
    )
    expect(found.ledger_pagination).toEqual({ page: 1, page_size: 1, total_entries: 2 })
    expect(found.ledger_entries).toHaveLength(1)
    const [cash] = found.ledger_entries
    expect(cash).toMatchObject({
      entry_type: 'CONTRIBUTION',
      direction: 'in',
      note: 'Initial contribution',
      currency: 'USD',
      amount: 1000,
      cash_after: 1000,
      equity_after: deployment['committed_capital'],
      positions_after: { SPY: 4 },
    })
    expect(kinds(cash!, ['id', 'recorded_at', 'account_value_after'])).toEqual({
      id: 'number',
      recorded_at: 'string',
      account_value_after: 'number',
    })
  })
})

describe('a validation carries', () => {
  it('the verdict on a ticker, and on a whole mapping [LIVE-095] [LIVE-096]', async () => {
    const one = await ann.post('/api/asset/validate', { ticker: 'SPY', leverage: 1, account_id: accountId })
    const valid = {
      valid: true,
      error: null,
      warning: null,
      is_price_old: false,
      max_leverage: 1,
      requested_leverage: 1,
      trading_ticker: 'SPY',
    }
    expect(one.json()).toEqual({ success: true, validation: valid })
    const mapping = { SPY: 'SPY', AGG: 'NOSUCH', CASHX: '' }
    const whole = await ann.post('/api/asset/validate-mapping', { ticker_mapping: mapping, account_id: accountId })
    const { validation } = whole.json<{ validation: { all_valid: boolean; ticker_results: Record<string, Fields> } }>()
    expect(validation.all_valid).toBe(false)
    expect(validation.ticker_results['SPY']).toEqual(valid)
    expect(validation.ticker_results['AGG']).toMatchObject({ valid: false, trading_ticker: 'NOSUCH' })
    expect(validation.ticker_results).not.toHaveProperty('CASHX')
  })
})
