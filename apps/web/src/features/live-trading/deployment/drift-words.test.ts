import { expect, it } from 'vitest'
import { behindText, type Fill, fillsOf, pointsText, slippageText } from './drift-words.ts'

const fill = (id: string): Fill => ({
  client_order_id: id,
  symbol: 'SPY',
  side: 'buy',
  timestamp: '2026-11-13T20:30:02.000Z',
  quantity: 2,
  price: 400.4,
  decision_price: 400,
  quote: null,
  quote_at_sending: 400.2,
  fee: 0,
  cost_bps: 10,
})
const line = { cause: 'fees' as const, drift_pct: -0.12, client_order_ids: ['a'], days: [] }

it('a line says what is behind it and opens its orders', () => {
  expect(pointsText(line.drift_pct)).toBe('−0.12 pp')
  expect([pointsText(-1e-12), pointsText(0.3)]).toEqual(['0.00 pp', '+0.30 pp'])
  expect(behindText(line)).toBe('1 order')
  expect(behindText({ ...line, cause: 'runs_missed', client_order_ids: [], days: ['2026-11-12', '2026-11-13'] })).toBe(
    '2 runs',
  )
  expect(behindText({ ...line, client_order_ids: [] })).toBe('')
  expect(fillsOf(line, [fill('b'), fill('a')])).toEqual([fill('a')])
})

it('the cost of fills stands beside what the backtest assumes', () => {
  const replay = { points: [], drift_pct: 0, computed_at: '', error: null, causes: [], fills: [] }
  const slippage = { cost_bps: 3.14, fee_bps: 0.5, assumed_bps: 2 }
  expect(slippageText({ ...replay, slippage })).toBe(
    'Fills cost 3.1 bp against the last price known before they were sent, fees 0.5 bp; the backtest assumes 2.0 bp in all.',
  )
  expect(slippageText({ ...replay, slippage: { cost_bps: null, fee_bps: null, assumed_bps: 2 } })).toBe('')
})
