import {
  type AccountPosition,
  type DeployableStrategy,
  type Deployment,
  TRADING_DAYS,
  type TradingAccount,
} from '@tradewright/contract/live-trading-fields'
import {
  CreateDeploymentBody,
  CreateWithPositionsBody,
  UpdateDeploymentBody,
} from '@tradewright/contract/live-trading-form'
import { describe, expect, it } from 'vitest'
import { choosingStrategy, chosenIn, type DeployDraft, draftOf, newDraft } from './draft.ts'
import { checkedDraft } from './kept-draft.ts'
import { toCreateBody, toPositionsBody, toUpdateBody } from './form-request.ts'
import {
  addedEmail,
  blockers,
  capitalProblem,
  clampedHoldout,
  hiddenProblems,
  hoursProblem,
  invalidMappings,
  missingChoice,
  notReadyReasons,
  rebalancingLine,
  rebalancingWarning,
  scheduleWarning,
  timingNote,
  timingWarning,
} from './form-rules.ts'
import { isLarge, orderTypeProblems, volumeText } from './orders/order-rules.ts'
import { isCash, leverageOf, tickersIn } from './signal-ticker.ts'
import { shortLines, stopLines } from './summary-lines.ts'

const NO_LIMITS = {
  max_order_usd: null,
  max_daily_usd: null,
  max_daily_orders: null,
  max_daily_turnover_pct: null,
  max_account_loss_pct: null,
  max_order_pct: null,
  max_order_multiple: null,
  price_band_pct: null,
}

const account = (changes: Partial<TradingAccount> = {}): TradingAccount => ({
  id: 7,
  account_name: 'Main account',
  broker: 'alpaca',
  paper_trading: true,
  is_default: true,
  percent_allocated: 60,
  percent_kept: 0,
  committed_capital: 60_000,
  available_cash: 1000,
  available_capital: 2000,
  cash: 1000,
  equity: 100_000,
  buying_power: 200_000,
  capital_base: 100_000,
  error: null,
  shorting_allowed: true,
  short_borrow_pct: null,
  operator_limits: NO_LIMITS,
  ...changes,
})

const strategy: DeployableStrategy = {
  id: 3,
  name: 'Core',
  strategy_type: 'ML',
  config: {
    buying_power_forgiveness_pct: 2.5,
    start_date: '2020-01-01',
    end_date: '2026-01-01',
    data_granularity: 'daily',
  },
  is_deployable: true,
  not_deployable_reason: null,
  signal_tickers: ['SPY?L=2', 'CASHX'],
  walk_forward: true,
  fill_timing: 'next_open',
  tested_rebalance_frequency: 'quarterly',
  short_tickers: [],
  short_borrow_pct: null,
  position_stop: null,
  latest_performance: { total_return: 0.123, synthetic: false, spliced_tickers: [] },
}

const position = (changes: Partial<AccountPosition> = {}): AccountPosition => ({
  symbol: 'AAPL',
  quantity: 10,
  current_price: 200,
  market_value: 2000,
  unrealized_pl: 0,
  unrealized_plpc: 0,
  is_fully_allocated: false,
  allocated_to_deployments: [],
  allocated_quantity: 0,
  available_quantity: 10,
  ...changes,
})

const choices = { accounts: [account({ id: 6, is_default: false }), account()], strategies: [strategy] }
const formWith = (changes: Partial<DeployDraft> = {}) =>
  chosenIn({ ...newDraft('3'), deploymentName: 'First', ...changes }, choices).form

it('a new deployment of daily bars is refused for 24/7, in a sentence, and named after its strategy', () => {
  const around = formWith({ bypassMarketHours: true })
  expect(hoursProblem(around, true)).toContain('A strategy on daily bars is checked on business days')
  expect(hoursProblem(around, false)).toBeNull()
  expect(hoursProblem(formWith({}), true)).toBeNull()
  const { form } = chosenIn(newDraft('3'), choices)
  expect(form.deploymentName).toBe('Core')
})

it('fields behind More are opened by their problems, those in sight are not', () => {
  expect(hiddenProblems(['Please select a strategy', 'Please select a trading account'], undefined)).toEqual([])
  expect(hiddenProblems(['Please enter a deployment name'], strategy)).toEqual(['Please enter a deployment name'])
})

describe('a draft that was kept', () => {
  const left = { ...newDraft('3'), deploymentName: 'Core', emails: ['ann@example.com'], tickerMapping: { SPY: 'VOO' } }

  it('is taken up as it was left', () => {
    expect(checkedDraft(JSON.parse(JSON.stringify(left)))).toEqual(left)
  })

  it.each([
    ['nothing', undefined],
    ['another version’s, without a field', { ...left, slices: undefined }],
    ['a list where the form has names', { ...left, positions: [1] }],
    ['a number where the form has a text or nothing', { ...left, deploymentName: 7 }],
    ['an e-mail that is no text', { ...left, emails: [{}] }],
  ])('is not taken up where it is %s', (_, draft) => {
    expect(checkedDraft(draft)).toBeNull()
  })
})

describe('a new deployment', () => {
  it('starts from the defaults of the specification [LIVE-198..209]', () => {
    const { form } = chosenIn(newDraft(), { accounts: choices.accounts, strategies: [] })
    expect(form).toMatchObject({
      accountId: '7',
      capitalPolicy: 'fixed_contribution',
      capitalValue: '0',
      rebalanceThreshold: '5',
      rebalanceFrequency: 'monthly',
      autoStart: false,
      tradingFrequencyType: 'continuous',
      checkFrequencyMinutes: '60',
      minutesBeforeClose: '30',
      tradingDays: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
      bypassMarketHours: false,
      buyingPowerForgivenessPct: '0',
      emailEnabled: false,
      events: { trades: true, errors: true, signals: false, daily_summary: false },
      trainingMode: 'full_range',
      contributionMode: 'cash',
    })
  })

  it('rebalances as the strategy was tested, until that is changed, and then says so', () => {
    expect(formWith().rebalanceFrequency).toBe('quarterly')
    expect(rebalancingLine(formWith(), strategy)).toBe('Quarterly, as tested')
    expect(rebalancingWarning(formWith(), strategy)).toBeNull()
    const monthly = formWith({ rebalanceFrequency: 'monthly' })
    expect(rebalancingWarning(monthly, strategy)).toBe(
      'Tested with quarterly rebalancing; this deployment uses monthly rebalancing.',
    )
    expect(rebalancingLine(monthly, strategy)).toBe('Monthly. Tested: quarterly')
    expect(rebalancingLine(monthly, { ...strategy, strategy_type: 'Rules' })).toBe('By its rules')
    expect(rebalancingWarning(monthly, { ...strategy, strategy_type: 'Rules' })).toBeNull()
    const untested = { ...strategy, tested_rebalance_frequency: null }
    const { form } = chosenIn(newDraft('3'), { ...choices, strategies: [untested] })
    expect(form.rebalanceFrequency).toBe('monthly')
    expect(rebalancingLine(form, untested)).toBe('Monthly')
    expect(choosingStrategy('4')).toMatchObject({ rebalanceFrequency: null })
  })

  it('is not ready for a reason that is named', () => {
    const fine = { blockers: [], tickers: { isValid: true, hasProblem: false }, capitalProblem: null }
    expect(notReadyReasons(fine)).toEqual([])
    const tooMuch = capitalProblem(formWith({ capitalValue: '999999999' }), account(), [])
    expect(notReadyReasons({ ...fine, capitalProblem: tooMuch })).toEqual([
      'Cannot deploy: requested contribution $999,999,999.00 exceeds available uncommitted cash $1,000.00.',
    ])
    expect(notReadyReasons({ ...fine, tickers: { isValid: false, hasProblem: true } })).toEqual([
      'Some tickers cannot be traded now: see Trading Ticker Mapping.',
    ])
    expect(notReadyReasons({ ...fine, tickers: { isValid: false, hasProblem: false } })).toEqual([
      'Checking whether the account can trade the tickers.',
    ])
  })

  it('takes forgiveness, dates and tickers from the strategy, until they are changed [LIVE-035, LIVE-205]', () => {
    const form = formWith()
    expect(form).toMatchObject({ buyingPowerForgivenessPct: '2.5', trainingStartDate: '2020-01-01' })
    expect(form.tickerMapping).toEqual({ 'SPY?L=2': 'SPY', CASHX: 'CASHX' })
    expect(formWith({ tickerMapping: { 'SPY?L=2': 'SSO' } }).tickerMapping['SPY?L=2']).toBe('SSO')
    expect(choosingStrategy('4')).toMatchObject({ tickerMapping: {}, buyingPowerForgivenessPct: null })
  })

  it('is retrained as its backtest is, and never where there is nothing to go by', () => {
    expect(toUpdateBody(formWith()).retraining_schedule).toBe('walk_forward')
    expect(toUpdateBody(formWith({ retrainingSchedule: 'never' })).retraining_schedule).toBe('never')
    const once = { ...choices, strategies: [{ ...strategy, walk_forward: false }] }
    expect(chosenIn(newDraft('3'), once).form.retrainingSchedule).toBe('never')
  })

  it('reads the leverage of a signal ticker, 1 without one, and leaves cash alone [LIVE-135, LIVE-136]', () => {
    expect([leverageOf('SPY?L=2'), leverageOf('SPY'), leverageOf('???')]).toEqual([2, 1, 1])
    expect([isCash('cashx'), isCash('SPY')]).toEqual([true, false])
  })
})

describe('the button', () => {
  it('waits for strategy, account and a name that is not blank [LIVE-116, LIVE-119]', () => {
    expect(missingChoice(formWith({ strategyId: '' }))).toBe('Please select a strategy')
    expect(missingChoice(formWith({ accountId: '' }))).toBe('Please select a trading account')
    expect(missingChoice(formWith({ deploymentName: '  ' }))).toBe('Please enter a deployment name')
    expect(blockers(formWith(), strategy)).toEqual([])
  })

  it('waits for a strategy that can be deployed, all tickers and a day [LIVE-115, LIVE-117, LIVE-118]', () => {
    const reason = 'It has no features.'
    expect(blockers(formWith(), { ...strategy, is_deployable: false, not_deployable_reason: reason })).toEqual([reason])
    expect(blockers(formWith({ tickerMapping: { 'SPY?L=2': ' ', CASHX: '' } }), strategy)).toEqual([
      'Please map SPY?L=2 to a trading ticker',
    ])
    expect(blockers(formWith({ tradingDays: [] }), strategy)).toHaveLength(1)
  })
})

describe('the capital', () => {
  it('is a percent above 0 within what the account has left [LIVE-125, LIVE-126]', () => {
    const percent = (capitalValue: string) =>
      capitalProblem(formWith({ capitalPolicy: 'percent_of_account', capitalValue }), account(), [])
    expect(percent('0')).toBe('Percent allocation must be greater than zero.')
    expect(percent('40.0001')).toBeNull()
    expect(percent('40.5')).toBe(
      'Cannot deploy: account allocation would reach 100.5%. Current active deployments are using 60%.',
    )
  })

  it('is an amount above 0 within the cash that is left [LIVE-128, LIVE-129]', () => {
    const amount = (capitalValue: string) => capitalProblem(formWith({ capitalValue }), account(), [])
    expect(amount('')).toBe('Contribution amount must be greater than zero.')
    expect(amount('1000.0000005')).toBeNull()
    expect(amount('1000.01')).toBe(
      'Cannot deploy: requested contribution $1,000.01 exceeds available uncommitted cash $1,000.00.',
    )
    expect(capitalProblem(formWith({ capitalValue: '5' }), account({ available_cash: null }), [])).toBeNull()
  })

  it('is positions, cash, or both [LIVE-122]', () => {
    const given = (changes: Partial<DeployDraft>) =>
      capitalProblem(formWith({ contributionMode: 'positions', ...changes }), account(), [position()])
    expect(given({})).toBe('Please select at least one position or add cash to contribute.')
    expect(given({ extraCash: '100' })).toBeNull()
    expect(given({ positions: { AAPL: '10' } })).toBeNull()
    expect(given({ positions: { AAPL: '10.5' } })).toBe('The quantity of AAPL must be above 0 and at most 10.')
  })
})

describe('what is sent', () => {
  it('fits the contract, and blank names of tickers stay the user’s own [LIVE-133]', () => {
    expect(clampedHoldout('0')).toBe(1)
    expect(clampedHoldout('150')).toBe(99)
    expect(clampedHoldout('x')).toBe(1)
    const body = toCreateBody(formWith({ capitalValue: '100.10', holdoutTrainSize: '120' }))
    expect(CreateDeploymentBody.parse(body)).toMatchObject({
      strategy_id: 3,
      alpaca_account_id: 7,
      capital_policy_value: '100.10',
      holdout_train_size: 99,
      ticker_mapping: { 'SPY?L=2': 'SPY' },
      max_drawdown_pct: null,
    })
  })

  it('names the positions and what they are worth', () => {
    const form = formWith({ contributionMode: 'positions', positions: { AAPL: '2.5' }, extraCash: '100' })
    expect(CreateWithPositionsBody.parse(toPositionsBody(form, [position()]))).toMatchObject({
      capital_policy_value: '600.00',
      contributed_positions: [{ symbol: 'AAPL', quantity: '2.5' }],
      contributed_cash: '100',
    })
  })

  it('says nothing about capital in an edit, and no setting is taken for a ticker [LIVE-043]', () => {
    const mapping = { SPY: 'VOO', trading_frequency_type: 'end_of_day', bypass_market_hours: false }
    expect(tickersIn(mapping)).toEqual({ SPY: 'VOO' })
    const draft = draftOf({ ...EDITED, ticker_mapping: mapping })
    const { form } = chosenIn(draft, { accounts: [], strategies: [] })
    const body = UpdateDeploymentBody.parse(toUpdateBody(form))
    expect(Object.keys(body).filter((field) => /capital|contribut/.test(field))).toEqual([])
    expect(body).toMatchObject({ ticker_mapping: { SPY: 'VOO' }, deployment_name: 'Old', max_daily_loss_pct: 3 })
  })
})

describe('order types of the form', () => {
  const problemsOf = (changes: Partial<DeployDraft>) => orderTypeProblems(formWith(changes), account())

  it('are those that broker, tickers and schedule allow, with a sentence for the others', () => {
    expect([...problemsOf({}).keys()]).toEqual(['on_close', 'on_open'])
    expect(problemsOf({ tradingFrequencyType: 'end_of_day' }).size).toBe(0)
    const coins = problemsOf({ tickerMapping: { 'SPY?L=2': 'BTC-USD' } })
    expect(coins.get('on_close')).toBe('On close: BTC-USD trades around the clock and has no auction.')
    expect(blockers(formWith({ orderType: 'on_open', deploymentName: 'One' }), strategy, account())).toEqual([
      'On open: the schedule must be end of day, since the next check would cancel the order.',
    ])
  })

  it('warn about an order above one percent of the volume', () => {
    const known = { symbol: 'SPY', order_value: 5000, average_daily_usd: 200_000, share_pct: 2.5 }
    const share = { ...known, reason: null, synthetic: false }
    expect(isLarge(share)).toBe(true)
    expect(volumeText(share)).toBe('SPY: $5,000 is 2.50% of the $200,000 traded on an average day')
    const unknown = { ...share, average_daily_usd: null, share_pct: null, reason: 'No volume for SPY is known.' }
    expect(volumeText(unknown)).toBe('SPY: n/a. No volume for SPY is known.')
  })
})

it('lists mappings that are invalid [LIVE-120, LIVE-121]', () => {
  const results = { 'SPY?L=3': { valid: false, trading_ticker: 'SPY' }, QQQ: { valid: true, trading_ticker: 'QQQ' } }
  expect(invalidMappings('deploy', results)).toBe(
    'Cannot deploy with invalid ticker mappings: SPY?L=3 -> SPY. Please fix leverage issues or use valid tickers.',
  )
  expect(invalidMappings('update', results)).toMatch(/^Cannot update with invalid ticker mappings: SPY\?L=3 -> SPY\./)
})

it('warns about weekends of a daily strategy [LIVE-138, LIVE-139]', () => {
  expect(scheduleWarning(formWith({ bypassMarketHours: true }), true)).toBe(
    'Daily strategies run on business days only. For 24/7 assets (weekends), use hourly/15m.',
  )
  expect(scheduleWarning(formWith({ tradingDays: [...TRADING_DAYS] }), true)).toBe(
    'Weekend days will be ignored for daily strategies aligned to business days.',
  )
  expect(scheduleWarning(formWith({ bypassMarketHours: true }), false)).toBeNull()
  expect(scheduleWarning(formWith(), true)).toBeNull()
})

it('says when a decision is traded, and where the backtest traded at another time', () => {
  const endOfDay = formWith({ tradingFrequencyType: 'end_of_day' })
  expect(timingNote(endOfDay, strategy, true)).toBe(
    'Decides by the bar of the session before and trades near the close: the order fill “Next close” of a backtest, ' +
      'by which the deployment is replayed.',
  )
  expect(timingWarning(endOfDay, strategy, true)).toBe(
    'The strategy was tested with the order fill “Next open”, and this schedule trades at another time. ' +
      'Backtest it with “Next close” to see what is traded.',
  )
  expect(timingWarning(formWith(), strategy, true)).toBeNull()
  expect(timingWarning(endOfDay, { ...strategy, fill_timing: 'next_close' }, true)).toBeNull()
  expect(timingNote(endOfDay, { ...strategy, fill_timing: null }, true)).toBeNull()
})

it('takes an e-mail address once, trimmed [LIVE-134]', () => {
  expect(addedEmail([], '  ann@example.com ')).toEqual(['ann@example.com'])
  expect(addedEmail(['ann@example.com'], 'Ann@example.com')).toBeNull()
  expect(addedEmail([], '   ')).toBeNull()
})

const EDITED = {
  alpaca_account_id: 7,
  strategy_id: 3,
  deployment_name: 'Old',
  capital_policy: 'fixed_contribution',
  capital_policy_value: 500,
  contribution_mode: 'cash',
  buying_power_forgiveness_pct: 0,
  rebalance_threshold: 5,
  rebalance_frequency: 'monthly',
  training_mode: 'full_range',
  holdout_train_size: 70,
  training_start_date: null,
  training_end_date: null,
  retraining_schedule: 'never',
  trading_frequency_type: 'continuous',
  check_frequency_minutes: 60,
  end_of_day_minutes_before_close: 30,
  trading_days: ['Monday'],
  bypass_market_hours: false,
  email_notifications_enabled: false,
  notification_emails: [],
  notification_events: { trades: true, errors: true, signals: false, daily_summary: false },
  auto_start: false,
  dry_run: false,
  max_daily_loss_pct: 3,
  max_drawdown_pct: null,
  order_limits: NO_LIMITS,
  order_execution: {
    type: 'slices',
    collar_pct: 0.5,
    timeout_minutes: 5,
    after_timeout: 'cancel',
    slices: 3,
    slice_minutes: 10,
  },
} as unknown as Deployment

describe('a strategy that sells short', () => {
  const short = { ...strategy, short_tickers: ['TLT'], short_borrow_pct: 2 }
  const accountWith = (more: Partial<TradingAccount>) => ({ ...choices.accounts[0]!, ...more })

  it('is blocked where the account allows no short positions', () => {
    const { form } = chosenIn(newDraft(), choices)
    const sentences = (account: TradingAccount) => blockers(form, short, account).filter((one) => one.includes('short'))
    expect(sentences(accountWith({ shorting_allowed: false }))).toEqual([
      'The strategy sells TLT short, and this account allows no short positions. ' +
        'Choose a margin account in which shorting is enabled, or the built-in paper account.',
    ])
    expect(sentences(accountWith({ shorting_allowed: true }))).toEqual([])
    // The server asks the broker again.
    expect(sentences(accountWith({ shorting_allowed: null }))).toEqual([])
  })

  it('says what borrowed shares cost, tested and traded', () => {
    const text = (more: Partial<TradingAccount>) => shortLines(short, accountWith(more)).map((line) => line.text)
    const tested = 'TLT: borrowed shares cost 2% a year in its backtest.'
    expect(text({ short_borrow_pct: 1 })).toEqual([`${tested} This account charges 1%.`])
    expect(text({ short_borrow_pct: 2 })).toEqual([`${tested} This account charges the same.`])
    expect(text({ short_borrow_pct: null })).toEqual([`${tested} The broker charges its own rate.`])
    expect(shortLines(strategy, choices.accounts[0])).toEqual([])
  })

  it('names the stop that comes with the strategy, and when it is watched', () => {
    expect(stopLines(strategy)).toEqual([])
    expect(stopLines({ ...strategy, position_stop: { type: 'trailing', pct: 8 } })).toEqual([
      {
        label: 'Stop',
        text: 'Each position is closed 8% from its best price, while this program runs and the deployment is not paused.',
      },
    ])
  })
})
