import { expect, it } from 'vitest'
import { failedValidation } from './use-ticker-validation.ts'

it('a ticker whose validation failed counts as invalid, with no leverage [LIVE-194]', () => {
  expect(failedValidation('SPY', 3)).toEqual({
    valid: false,
    error: 'Validation failed',
    warning: null,
    is_price_old: false,
    max_leverage: 1,
    requested_leverage: 3,
    trading_ticker: 'SPY',
  })
})
