import { ManualClock } from '@tradewright/core/clock'
import { dateOf, HOUR } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/calendar/nyse'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caller, type Caller } from '../../test-support/caller.ts'
import { createTestApp, type TestApp } from '../../test-support/test-app.ts'

/** The middle of a session; the sample market has prices of it. */
const NOON = nyse.openOf(dateOf('2026-03-04')) + 2 * HOUR

let server: TestApp
let ann: Caller
let accountId: number
let strategyId: number

beforeAll(async () => {
  server = await createTestApp({
    clock: new ManualClock(new Date(NOON)),
    // Nobody decides by himself while forms are looked at.
    environment: { RUN_JOBS: 'off' },
  })
  ann = await caller(server)
  accountId = (await ann.post('/api/alpaca/paper-account', {})).json<{ account: { id: number } }>().account.id
  strategyId = await newStrategy(ann, 'Sixty forty')
})
afterAll(() => server.close())

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

async function newStrategy(who: Caller, name: string, more: object = {}): Promise<number> {
  const answer = await who.post('/api/strategies', {
    name,
    strategy_type: 'Asset Allocation',
    config: { ...config, ...more },
  })
  return answer.json<{ id: number }>().id
}

interface Wire {
  [field: string]: unknown
  id: number
  status: string
  committed_cash: number
}

const form = (more: object = {}) => ({
  deployment_name: 'Live one',
  strategy_id: strategyId,
  alpaca_account_id: accountId,
  capital_policy_value: 1000,
  ...more,
})

async function created(more: object = {}, who = ann): Promise<Wire> {
  const answer = await who.post('/api/deployment/create', form(more))
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ deployment: Wire }>().deployment
}

const errorOf = (answer: LightMyRequestResponse) => answer.json<{ error: string }>().error
const get = async (id: number) => (await ann.get(`/api/deployment/${id}`)).json<{ deployment: Wire }>().deployment

describe('deploying', () => {
  it('answers a deployment with the form’s defaults [LIVE-157] [LIVE-198] [LIVE-199] [LIVE-201] [LIVE-203] [LIVE-207] [LIVE-208]', async () => {
    const deployment = await created({ strategy_id: String(strategyId) })
    expect(deployment).toMatchObject({
      deployment_name: 'Live one',
      strategy_name: 'Sixty forty',
      status: 'created',
      capital_policy: 'fixed_contribution',
      capital_currency: 'USD',
      committed_capital: 1000,
      committed_cash: 1000,
      total_contributions: 1000,
      net_contributions: 1000,
      total_pnl: 0,
      rebalance_threshold: 5,
      rebalance_frequency: 'monthly',
      auto_start: false,
      check_frequency_minutes: 60,
      trading_frequency_type: 'continuous',
      end_of_day_minutes_before_close: 30,
      trading_days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
      bypass_market_hours: false,
      buying_power_forgiveness_pct: 0,
      email_notifications_enabled: false,
      notification_events: { trades: true, errors: true, signals: false, daily_summary: false },
      training_mode: 'full_range',
      contribution_mode: 'cash',
      config: { signal1_allocation: { SPY: 60, AGG: 30, CASHX: 10 }, data_granularity: 'daily' },
    })
  })

  it('refuses what the form refuses, in its words [LIVE-119] [LIVE-125] [LIVE-128] [LIVE-166]', async () => {
    const said = async (more: object) => errorOf(await ann.post('/api/deployment/create', form(more)))
    expect(await said({ strategy_id: '' })).toBe('Please select a strategy')
    expect(await said({ alpaca_account_id: null })).toBe('Please select a trading account')
    expect(await said({ deployment_name: '  ' })).toBe('Please enter a deployment name')
    expect(await said({ capital_policy_value: 0 })).toBe('Contribution amount must be greater than zero.')
    expect(await said({ capital_policy: 'percent_of_account', capital_policy_value: 0 })).toBe(
      'Percent allocation must be greater than zero.',
    )
    expect(await said({ rebalance_threshold: 51 })).toContain('from 0 to 50')
    expect(await said({ buying_power_forgiveness_pct: -1 })).toContain('from 0 to 100')
    expect(await said({ trading_days: ['Someday'] })).toContain('weekdays')
    expect(await said({ notification_emails: ['not an address'] })).toContain('address')
  })

  it('refuses more than there is [LIVE-126] [LIVE-129] [LIVE-167]', async () => {
    const rich = await caller(server)
    const account = (await rich.post('/api/alpaca/paper-account', {})).json<{ account: { id: number } }>().account.id
    const strategy = await newStrategy(rich, 'Mine')
    const body = { deployment_name: 'A', strategy_id: strategy, alpaca_account_id: account }
    const tooMuch = await rich.post('/api/deployment/create', { ...body, capital_policy_value: '100000.01' })
    expect(tooMuch.statusCode).toBe(400)
    expect(errorOf(tooMuch)).toBe(
      'Cannot deploy: requested contribution $100,000.01 exceeds available uncommitted cash $100,000.00.',
    )
    const percent = { ...body, capital_policy: 'percent_of_account' }
    expect((await rich.post('/api/deployment/create', { ...percent, capital_policy_value: 60 })).statusCode).toBe(200)
    const over = await rich.post('/api/deployment/create', { ...percent, capital_policy_value: 41 })
    expect(errorOf(over)).toBe(
      'Cannot deploy: account allocation would reach 101%. Current active deployments are using 60%.',
    )
    const accounts = (await rich.get('/api/deployment/accounts')).json<{ accounts: object[] }>().accounts
    expect(accounts[0]).toMatchObject({
      percent_allocated: 60,
      cash: 100_000,
      equity: 100_000,
      available_cash: 40_000,
      available_capital: 40_000,
      is_default: true,
      paper_trading: true,
    })
  })

  it('refuses tickers that cannot be traded [LIVE-120] [LIVE-162] [LIVE-163]', async () => {
    const answer = await ann.post('/api/deployment/create', form({ ticker_mapping: { SPY: 'NOSUCH', AGG: 'AGG' } }))
    expect(errorOf(answer)).toBe(
      'Cannot deploy with invalid ticker mappings: SPY -> NOSUCH. Please fix leverage issues or use valid tickers.',
    )
    const one = await ann.post('/api/asset/validate', { ticker: 'SPY', leverage: 1, account_id: accountId })
    expect(one.json()).toMatchObject({
      success: true,
      validation: { valid: true, requested_leverage: 1, trading_ticker: 'SPY' },
    })
    const geared = await ann.post('/api/asset/validate', { ticker: 'SPY', leverage: 9, account_id: accountId })
    expect(geared.json<{ validation: { valid: boolean; error: string } }>().validation).toMatchObject({ valid: false })
    const mapping = await ann.post('/api/asset/validate-mapping', {
      ticker_mapping: { SPY: 'QQQ', CASHX: '', trading_frequency_type: 'continuous' },
      account_id: accountId,
    })
    expect(mapping.json()).toMatchObject({
      validation: { all_valid: true, ticker_results: { SPY: { trading_ticker: 'QQQ' } } },
    })
  })

  it('says which strategies are ready, and why others are not [LIVE-086] [LIVE-150]', async () => {
    await newStrategy(ann, 'Empty', { allocations: [] })
    const { strategies } = (await ann.get('/api/deployment/strategies')).json<{
      strategies: Record<string, unknown>[]
    }>()
    const byName = new Map(strategies.map((strategy) => [strategy['name'], strategy]))
    expect(byName.get('Sixty forty')).toMatchObject({
      is_deployable: true,
      not_deployable_reason: null,
      signal_tickers: ['SPY', 'AGG', 'CASHX'],
      latest_performance: null,
    })
    expect(byName.get('Empty')).toMatchObject({ is_deployable: false })
    const id = byName.get('Empty')!['id']
    expect((await ann.post('/api/deployment/create', form({ strategy_id: id }))).statusCode).toBe(400)
  })

  it('with positions needs some, and knows which are taken [LIVE-122] [LIVE-158]', async () => {
    const body = form({ contribution_mode: 'positions' })
    const nothing = await ann.post('/api/deployment/create-with-positions', body)
    expect(errorOf(nothing)).toBe('Please select at least one position or add cash to contribute.')
    const taken = await ann.post('/api/deployment/create-with-positions', {
      ...body,
      contributed_positions: [{ symbol: 'SPY', quantity: 3 }],
    })
    expect(taken.statusCode).toBe(409)
    expect(taken.json()).toMatchObject({ success: false, conflicts: [{ symbol: 'SPY', available_quantity: 0 }] })
    const cash = await ann.post('/api/deployment/create-with-positions', { ...body, contributed_cash: '250.50' })
    expect(cash.json()).toMatchObject({ deployment: { committed_cash: 250.5, contribution_mode: 'positions' } })
  })

  it('starts at once when it is told to [LIVE-108]', async () => {
    const answer = await ann.post('/api/deployment/create', form({ auto_start: true }))
    expect(answer.json()).toMatchObject({ start_error: null, deployment: { status: 'running' } })
  })
})

describe('a deployment', () => {
  it('moves by its table and says no to the rest [LIVE-155] [LIVE-168]', async () => {
    const { id } = await created()
    const control = (action: string) => ann.post(`/api/deployment/${id}/control`, { action })
    expect((await control('pause')).statusCode).toBe(409)
    expect((await control('explode')).statusCode).toBe(400)
    for (const [action, status] of [
      ['start', 'running'],
      ['pause', 'paused'],
      ['resume', 'running'],
      ['stop', 'stopped'],
      ['start', 'running'],
    ]) {
      expect((await control(action!)).json()).toMatchObject({ success: true, deployment: { status } })
    }
    expect((await get(id))['next_run_at']).not.toBeNull()
  })

  it('is edited while it does not run, and keeps its capital [LIVE-121] [LIVE-159] [LIVE-171]', async () => {
    const { id } = await created()
    const edit = (more: object) => ann.put(`/api/deployment/${id}/update`, form(more))
    const changed = await edit({
      deployment_name: 'Renamed',
      rebalance_threshold: 7.5,
      holdout_train_size: 250,
      training_mode: 'holdout',
      notification_emails: [' ann@example.com', 'ann@example.com'],
    })
    expect(changed.json()).toMatchObject({
      success: true,
      error: null,
      deployment: {
        deployment_name: 'Renamed',
        rebalance_threshold: 7.5,
        holdout_train_size: 99,
        notification_emails: ['ann@example.com'],
        committed_capital: 1000,
      },
    })
    expect(errorOf(await edit({ ticker_mapping: { SPY: 'NOSUCH' } }))).toMatch(
      /^Cannot update with invalid ticker mappings/,
    )
    await ann.post(`/api/deployment/${id}/control`, { action: 'start' })
    const running = await edit({})
    expect(running.statusCode).toBe(409)
    expect(errorOf(running)).toContain('Only stopped or paused deployments can be edited')
  })

  it('is listed with the settings that cards read from its mapping [LIVE-085] [LIVE-149]', async () => {
    await created({ trading_frequency_type: 'end_of_day', end_of_day_minutes_before_close: 15 })
    const { deployments } = (await ann.get('/api/deployment/list')).json<{ deployments: Wire[] }>()
    expect(deployments[0]).toMatchObject({
      ticker_mapping: {
        trading_frequency_type: 'end_of_day',
        end_of_day_minutes_before_close: 15,
        bypass_market_hours: false,
      },
    })
  })

  it('is deleted when it does not run, and gives its money back [LIVE-156] [LIVE-172] [LIVE-173]', async () => {
    const { id } = await created()
    await ann.post(`/api/deployment/${id}/control`, { action: 'start' })
    expect((await ann.delete(`/api/deployment/${id}/delete`)).statusCode).toBe(409)
    await ann.post(`/api/deployment/${id}/control`, { action: 'stop' })
    const gone = await ann.delete(`/api/deployment/${id}/delete`)
    expect(gone.json()).toMatchObject({ success: true, message: expect.stringContaining('Live one') })
    expect((await ann.get(`/api/deployment/${id}`)).statusCode).toBe(404)
    expect((await ann.get(`/api/deployment/${id}/details`)).statusCode).toBe(404)
  })

  it('keeps its strategy and its account from being deleted', async () => {
    const strategy = await newStrategy(ann, 'Deployed')
    const { id } = await created({ strategy_id: strategy })
    const refused = await ann.delete(`/api/strategies/${strategy}`)
    expect(refused.statusCode).toBe(409)
    expect(errorOf(refused)).toContain('Live one')
    expect((await ann.delete(`/api/alpaca/accounts/${accountId}`)).statusCode).toBe(409)
    await ann.delete(`/api/deployment/${id}/delete`)
    expect((await ann.delete(`/api/strategies/${strategy}`)).statusCode).toBe(200)
  })

  it('belongs to one user [LIVE-146] [LIVE-147] [LIVE-148]', async () => {
    const { id } = await created()
    const bob = await caller(server)
    const calls = [
      bob.get(`/api/deployment/${id}`),
      bob.get(`/api/deployment/${id}/details`),
      bob.get(`/api/deployment/${id}/activity`),
      bob.get(`/api/deployment/${id}/logs/tail`),
      bob.get(`/api/deployment/${id}/overview`),
      bob.post(`/api/deployment/${id}/control`, { action: 'start' }),
      bob.put(`/api/deployment/${id}/update`, form()),
      bob.delete(`/api/deployment/${id}/delete`),
      bob.post(`/api/deployment/${id}/contributions`, { amount: 1, contribution_type: 'WITHDRAWAL' }),
      bob.post(`/api/deployment/${id}/disallocate`, { disallocation_pct: 5 }),
      bob.post(`/api/deployment/${id}/emergency-stop`),
      bob.get(`/api/deployment/account/${accountId}/positions`),
      bob.post('/api/asset/validate', { ticker: 'SPY', leverage: 1, account_id: accountId }),
      bob.post('/api/deployment/create', form({ strategy_id: await newStrategy(bob, 'Bob’s') })),
    ]
    for (const answer of await Promise.all(calls)) expect(answer.statusCode).toBe(404)
    const signedOut = await server.app.inject({ method: 'GET', url: '/api/deployment/list' })
    expect(signedOut.statusCode).toBe(401)
  })
})

describe('capital', () => {
  it('is paid in and out with entries in the ledger [LIVE-160] [LIVE-169] [LIVE-174] [LIVE-153]', async () => {
    const { id } = await created()
    const pay = (body: object) => ann.post(`/api/deployment/${id}/contributions`, body)
    const paid = await pay({ amount: '250.25', contribution_type: 'CONTRIBUTION', note: 'Bonus' })
    expect(paid.json()).toMatchObject({
      success: true,
      message: 'Contribution recorded successfully.',
      deployment: { committed_capital: 1250.25, committed_cash: 1250.25, total_contributions: 1250.25 },
    })
    expect((await pay({ amount: 50, contribution_type: 'WITHDRAWAL' })).json()).toMatchObject({
      message: 'Withdrawal recorded successfully.',
    })
    expect(errorOf(await pay({ amount: 0, contribution_type: 'CONTRIBUTION' }))).toBe(
      'Please enter a positive contribution amount.',
    )
    expect(errorOf(await pay({ amount: 'much', contribution_type: 'CONTRIBUTION' }))).toBe(
      'Please enter a positive contribution amount.',
    )
    expect(errorOf(await pay({ amount: 1200.26, contribution_type: 'WITHDRAWAL' }))).toBe(
      'Withdrawal exceeds available cash ($1,200.25).',
    )
    expect(errorOf(await pay({ amount: 1_000_000, contribution_type: 'CONTRIBUTION' }))).toMatch(
      /^Contribution exceeds account available capital \(\$[\d,.]+\)\.$/,
    )
    expect((await pay({ amount: 1, contribution_type: 'GIFT' })).statusCode).toBe(400)
    const details = (await ann.get(`/api/deployment/${id}/details?page=1&page_size=2`)).json<{
      deployment: { ledger_entries: Record<string, unknown>[]; ledger_pagination: object; ledger_entry_types: string[] }
    }>().deployment
    expect(details.ledger_pagination).toEqual({ page: 1, page_size: 2, total_entries: 3 })
    expect(details.ledger_entry_types).toEqual(['CONTRIBUTION', 'WITHDRAWAL'])
    expect(details.ledger_entries).toMatchObject([
      {
        entry_type: 'WITHDRAWAL',
        direction: 'out',
        amount: 50,
        cash_after: 1200.25,
        equity_after: 1200.25,
        currency: 'USD',
      },
      { entry_type: 'CONTRIBUTION', direction: 'in', amount: 250.25, note: 'Bonus', positions_after: {} },
    ])
    const found = await ann.get(`/api/deployment/${id}/details?entry_types=CONTRIBUTION&search=bonus`)
    expect(found.json()).toMatchObject({ deployment: { ledger_pagination: { total_entries: 1, page_size: 50 } } })
  })

  it('is disallocated by percent [LIVE-161] [LIVE-170]', async () => {
    const { id } = await created()
    const answer = await ann.post(`/api/deployment/${id}/disallocate`, { disallocation_pct: 25 })
    expect(answer.json()).toMatchObject({
      disallocation_summary: { disallocation_pct: 25, disallocation_amount: 250, new_total: 750 },
    })
    for (const pct of [0, 0.5, 101, 'all', null]) {
      const refused = await ann.post(`/api/deployment/${id}/disallocate`, { disallocation_pct: pct })
      expect(refused.statusCode).toBe(400)
      expect(errorOf(refused)).toBe('Please enter a valid percentage between 1 and 100.')
    }
    await ann.post(`/api/deployment/${id}/disallocate`, { disallocation_pct: 100 })
    expect(errorOf(await ann.post(`/api/deployment/${id}/disallocate`, { disallocation_pct: 50 }))).toBe(
      'Disallocation amount too small. Current capital may be near zero.',
    )
  })

  it('of a percent is not paid by hand, and shrinks with a disallocation [LIVE-110] [LIVE-111] [LIVE-112]', async () => {
    const { id } = await created({ capital_policy: 'percent_of_account', capital_policy_value: 10 })
    const paid = await ann.post(`/api/deployment/${id}/contributions`, { amount: 5, contribution_type: 'CONTRIBUTION' })
    expect(paid.statusCode).toBe(409)
    await ann.post(`/api/deployment/${id}/disallocate`, { disallocation_pct: 50 })
    expect((await get(id))['capital_policy_value']).toBe(5)
  })
})

describe('logs and activity', () => {
  it('are there, newest activity first, lines in the format of the log [LIVE-097] [LIVE-164] [LIVE-165]', async () => {
    const { id } = await created()
    await ann.post(`/api/deployment/${id}/control`, { action: 'start' })
    await ann.post(`/api/deployment/${id}/control`, { action: 'stop' })
    const { activity } = (await ann.get(`/api/deployment/${id}/activity?limit=100`)).json<{ activity: object[] }>()
    expect(activity).toMatchObject([
      { type: 'event', message: expect.stringContaining('Stopped') },
      { type: 'event', message: 'Started.' },
    ])
    const { lines } = (await ann.get(`/api/deployment/${id}/logs/tail?lines=2`)).json<{ lines: string[] }>()
    expect(lines).toHaveLength(2)
    for (const line of lines) {
      expect(line).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} - \[INFO\] - live_trading - [\w$]+:\d+ - Status: /)
    }
  })
})

describe('beyond the specification', () => {
  it('shows a page with everything, and previews the next decision on made-up prices', async () => {
    const { id } = await created()
    const overview = await ann.get(`/api/deployment/${id}/overview`)
    expect(overview.json()).toMatchObject({
      value: 1000,
      cash: 1000,
      equity: [],
      replay: null,
      last_decision: null,
      orders: [],
      health: { light: 'green', is_attended: false },
      emergency_stopped: false,
    })
    const preview = await ann.post(`/api/deployment/${id}/preview`)
    expect(preview.statusCode, preview.body).toBe(200)
    expect(preview.json()).toMatchObject({
      decision: { outcome: 'dry_run', synthetic: true, reason: 'The deployment is not invested yet.' },
      orders: [
        { symbol: 'SPY', side: 'buy', notional: 600 },
        { symbol: 'AGG', side: 'buy', notional: 300 },
      ],
    })
  })

  it('sets limits and dry run while it runs, and stops everything at once', async () => {
    const { id } = await created()
    await ann.post(`/api/deployment/${id}/control`, { action: 'start' })
    const safety = await ann.put(`/api/deployment/${id}/safety`, { dry_run: true, max_daily_loss_pct: 3 })
    expect(safety.json()).toMatchObject({
      deployment: { dry_run: true, max_daily_loss_pct: 3, max_drawdown_pct: null },
    })
    const stop = await ann.post('/api/deployment/emergency-stop')
    expect(stop.json<{ stopped: number }>().stopped).toBeGreaterThan(0)
    expect((await get(id)).status).toBe('stopped')
    expect((await ann.get('/api/deployment/notifications')).json()).toEqual({
      success: true,
      configured: false,
      from: null,
    })
    expect((await ann.post('/api/deployment/notifications/test', { email: 'ann@example.com' })).statusCode).toBe(503)
  })
})
