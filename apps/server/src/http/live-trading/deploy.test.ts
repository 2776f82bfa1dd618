import { afterAll, beforeAll, expect, it } from 'vitest'
import { caller } from '../../../test-support/caller.ts'
import {
  errorOf,
  type LiveTradingUser,
  newStrategy,
  openLiveTrading,
  paperAccountOf,
} from '../../../test-support/live/live-trading-user.ts'

let live: LiveTradingUser
beforeAll(async () => {
  live = await openLiveTrading()
})
afterAll(() => live.server.close())

it('deploying answers a deployment with the form’s defaults [LIVE-157] [LIVE-198] [LIVE-199] [LIVE-201] [LIVE-203] [LIVE-207] [LIVE-208]', async () => {
  const deployment = await live.created({ strategy_id: String(live.strategyId) })
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

it('deploying refuses what the form refuses, in its words [LIVE-119] [LIVE-125] [LIVE-128] [LIVE-166]', async () => {
  const said = async (more: object) => errorOf(await live.ann.post('/api/deployment/create', live.form(more)))
  expect(await said({ strategy_id: '' })).toBe('Please select a strategy')
  expect(await said({ alpaca_account_id: null })).toBe('Please select a trading account')
  expect(await said({ deployment_name: '  ' })).toBe('Please enter a deployment name')
  expect(await said({ capital_policy_value: 0 })).toBe('Contribution amount must be greater than zero.')
  expect(await said({ capital_policy_value: '10.005' })).toBe(
    'The contribution amount must be in dollars and whole cents, with at most two decimals.',
  )
  const withPositions = live.form({ contributed_positions: [], contributed_cash: 0.001 })
  expect(errorOf(await live.ann.post('/api/deployment/create-with-positions', withPositions))).toBe(
    'The extra cash must be in dollars and whole cents, with at most two decimals.',
  )
  expect(await said({ capital_policy: 'percent_of_account', capital_policy_value: 0 })).toBe(
    'Percent allocation must be greater than zero.',
  )
  expect(await said({ rebalance_threshold: 51 })).toContain('from 0 to 50')
  expect(await said({ buying_power_forgiveness_pct: -1 })).toContain('from 0 to 100')
  expect(await said({ trading_days: ['Someday'] })).toContain('weekdays')
  expect(await said({ notification_emails: ['not an address'] })).toContain('address')
})

it('deploying refuses more than there is [LIVE-126] [LIVE-129] [LIVE-167]', async () => {
  const rich = await caller(live.server)
  const account = await paperAccountOf(rich)
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

it('starting again refuses more than the account has left, in words of its own [LIVE-101]', async () => {
  const rich = await caller(live.server)
  const body = { strategy_id: await newStrategy(rich, 'Mine'), alpaca_account_id: await paperAccountOf(rich) }
  const deployed = async (policy: string, value: number) => {
    const form = { ...body, deployment_name: policy, capital_policy: policy, capital_policy_value: value }
    return (await rich.post('/api/deployment/create', form)).json<{ deployment: { id: number } }>().deployment.id
  }
  const control = (id: number, action: string) => rich.post(`/api/deployment/${id}/control`, { action })
  const percent = await deployed('percent_of_account', 30)
  const fixed = await deployed('fixed_contribution', 15_500)
  for (const id of [percent, fixed]) {
    await control(id, 'start')
    await control(id, 'stop')
  }
  const whole = await deployed('percent_of_account', 100)
  expect(errorOf(await control(percent, 'start'))).toBe(
    'Cannot start: account allocation would reach 130%. Current active deployments are using 100%.',
  )
  expect(errorOf(await control(fixed, 'start'))).toBe(
    'Cannot start: account allocation would reach 115.5%. Current active deployments are using 100%.',
  )
  await control(whole, 'start')
  await control(whole, 'stop')
  expect((await control(percent, 'start')).statusCode).toBe(200)
  expect((await control(fixed, 'start')).statusCode).toBe(200)
})

it('deploying refuses tickers that cannot be traded [LIVE-120] [LIVE-162] [LIVE-163]', async () => {
  const answer = await live.ann.post(
    '/api/deployment/create',
    live.form({ ticker_mapping: { SPY: 'NOSUCH', AGG: 'AGG' } }),
  )
  expect(errorOf(answer)).toBe(
    'Cannot deploy with invalid ticker mappings: SPY -> NOSUCH. Please fix leverage issues or use valid tickers.',
  )
  const one = await live.ann.post('/api/asset/validate', {
    ticker: 'SPY',
    leverage: 1,
    account_id: live.accountId,
  })
  expect(one.json()).toMatchObject({
    success: true,
    validation: { valid: true, requested_leverage: 1, trading_ticker: 'SPY' },
  })
  const geared = await live.ann.post('/api/asset/validate', {
    ticker: 'SPY',
    leverage: 9,
    account_id: live.accountId,
  })
  expect(geared.json<{ validation: { valid: boolean; error: string } }>().validation).toMatchObject({ valid: false })
  const mapping = await live.ann.post('/api/asset/validate-mapping', {
    ticker_mapping: { SPY: 'QQQ', CASHX: '', trading_frequency_type: 'continuous' },
    account_id: live.accountId,
  })
  expect(mapping.json()).toMatchObject({
    validation: { all_valid: true, ticker_results: { SPY: { trading_ticker: 'QQQ' } } },
  })
})

it('deploying says which strategies are ready, and why others are not [LIVE-086] [LIVE-150]', async () => {
  await newStrategy(live.ann, 'Empty', { allocations: [] })
  await newStrategy(live.ann, 'Four times a year', { rebalanceFrequency: 'quarterly' })
  await newStrategy(live.ann, 'Stopped', { stopType: 'trailing', stopPct: 8 })
  const { strategies } = (await live.ann.get('/api/deployment/strategies')).json<{
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
  expect(byName.get('Stopped')).toMatchObject({ position_stop: { type: 'trailing', pct: 8 } })
  expect(byName.get('Four times a year')).toMatchObject({ position_stop: null })
  expect(byName.get('Four times a year')).toMatchObject({ tested_rebalance_frequency: 'quarterly' })
  const id = byName.get('Empty')!['id']
  expect((await live.ann.post('/api/deployment/create', live.form({ strategy_id: id }))).statusCode).toBe(400)
})

it('deploying with positions needs some, and knows which are taken [LIVE-122] [LIVE-158]', async () => {
  const body = live.form({ contribution_mode: 'positions' })
  const nothing = await live.ann.post('/api/deployment/create-with-positions', body)
  expect(errorOf(nothing)).toBe('Please select at least one position or add cash to contribute.')
  const taken = await live.ann.post('/api/deployment/create-with-positions', {
    ...body,
    contributed_positions: [{ symbol: 'SPY', quantity: 3 }],
  })
  expect(taken.statusCode).toBe(409)
  expect(taken.json()).toMatchObject({ success: false, conflicts: [{ symbol: 'SPY', available_quantity: 0 }] })
  const cash = await live.ann.post('/api/deployment/create-with-positions', {
    ...body,
    contributed_cash: '250.50',
  })
  expect(cash.json()).toMatchObject({ deployment: { committed_cash: 250.5, contribution_mode: 'positions' } })
})

it('deploying starts at once when it is told to [LIVE-108]', async () => {
  const answer = await live.ann.post('/api/deployment/create', live.form({ auto_start: true }))
  expect(answer.json()).toMatchObject({ start_error: null, deployment: { status: 'running' } })
})
