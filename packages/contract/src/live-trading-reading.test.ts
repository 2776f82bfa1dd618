import { describe, expect, it } from 'vitest'
import { readDeployment, readDeploymentDetails, readTradingAccounts } from './live-trading-reading.ts'

const account = {
  id: 1,
  account_name: 'Main',
  broker: 'alpaca',
  paper_trading: true,
  is_default: true,
  percent_allocated: '36.9',
  committed_capital: '25000.00',
  available_cash: '1240.5',
  available_capital: 2000,
  cash: null,
  equity: '100000',
  shorting_allowed: false,
  short_borrow_pct: 1,
  buying_power: '-5',
  capital_base: '100000',
  error: null,
  operator_limits: {
    max_order_usd: null,
    max_daily_usd: null,
    max_daily_orders: null,
    max_daily_turnover_pct: null,
    max_account_loss_pct: null,
    max_order_pct: null,
    max_order_multiple: null,
    price_band_pct: null,
  },
}

describe('figures of an account', () => {
  it('may come as text and become numbers [LIVE-089]', () => {
    const { accounts } = readTradingAccounts.answer.parse({ success: true, accounts: [account] })
    expect(accounts[0]).toMatchObject({ percent_allocated: 36.9, available_cash: 1240.5, cash: null, buying_power: -5 })
  })

  it.each(['', 'NaN', 'Infinity', '12 apples'])('are refused where the text is no number: %j', (cash) => {
    expect(readTradingAccounts.answer.safeParse({ success: true, accounts: [{ ...account, cash }] }).success).toBe(
      false,
    )
  })
})

describe('the snapshot of a deployment', () => {
  const snapshot = { cash: 10, account_value: 20, timestamp: '2026-11-13T20:30:00.000Z' }
  const fields = {
    deployment: readDeployment.answer.shape.deployment.shape.last_account_snapshot,
    'capital details': readDeploymentDetails.answer.shape.deployment.shape.last_account_snapshot,
  }

  describe.each(Object.entries(fields))('in the %s', (_, field) => {
    it('may come as JSON in a string [LIVE-061] [LIVE-078]', () => {
      expect(field.parse(JSON.stringify(snapshot))).toEqual(snapshot)
      expect(field.parse(snapshot)).toEqual(snapshot)
      expect(field.parse(JSON.stringify({ ...snapshot, cash: '10', account_value: '20.00' }))).toEqual(snapshot)
      expect(field.parse('null')).toBeNull()
      expect(field.parse(null)).toBeNull()
    })

    it.each(['', 'soon', '{"cash":10'])('is refused as %j, which is no snapshot', (text) => {
      expect(field.safeParse(text).success).toBe(false)
    })
  })
})

it('figures of the account beside the capital may come as text [LIVE-061] [LIVE-089]', () => {
  const field = readDeploymentDetails.answer.shape.deployment.shape.account
  expect(field.parse(account)).toMatchObject({ percent_allocated: 36.9, committed_capital: 25_000, cash: null })
  expect(field.parse(null)).toBeNull()
})
