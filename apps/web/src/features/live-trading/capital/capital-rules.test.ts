import type { Deployment, TradingAccount } from '@tradewright/contract/live-trading-fields'
import { describe, expect, it } from 'vitest'
import { adjustmentProblem, disallocationOf, disallocationProblem } from './capital-rules.ts'

const deployment = { committed_cash: 250.5, capital_currency: 'USD' } as Deployment
const account = { available_cash: 1000 } as TradingAccount

describe('adjusting capital', () => {
  it.each(['', '0', '-5', 'abc'])('needs an amount above 0, not %j [LIVE-140]', (typed) => {
    expect(adjustmentProblem('CONTRIBUTION', typed, deployment, account)).toBe(
      'Please enter a positive contribution amount.',
    )
  })

  it('takes out no more than the deployment has in cash [LIVE-141]', () => {
    expect(adjustmentProblem('WITHDRAWAL', '250.5', deployment, account)).toBeNull()
    expect(adjustmentProblem('WITHDRAWAL', '250.51', deployment, account)).toBe(
      'Withdrawal exceeds available cash ($250.50).',
    )
  })

  it('pays in no more than the account has, where that is known [LIVE-142]', () => {
    expect(adjustmentProblem('CONTRIBUTION', '1000', deployment, account)).toBeNull()
    expect(adjustmentProblem('CONTRIBUTION', '1000.01', deployment, account)).toBe(
      'Contribution exceeds account available capital ($1,000.00).',
    )
    expect(adjustmentProblem('CONTRIBUTION', '1000.01', deployment, null)).toBeNull()
  })
})

describe('disallocating', () => {
  it.each(['', '0', '0.5', '100.1', 'x'])('takes 1 to 100 percent, not %j [LIVE-143]', (typed) => {
    expect(disallocationProblem(typed, 1000)).toBe('Please enter a valid percentage between 1 and 100.')
  })

  it('needs something to take [LIVE-144]', () => {
    expect(disallocationProblem('50', 0.01)).toBe('Disallocation amount too small. Current capital may be near zero.')
    expect(disallocationProblem('100', 0.01)).toBeNull()
  })

  it('previews total, amount and remainder [LIVE-063, LIVE-145]', () => {
    expect(disallocationOf('25', 1000)).toEqual({ total: 1000, amount: 250, remainder: 750 })
  })
})
