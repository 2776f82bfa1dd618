import { expect, it } from 'vitest'
import { clientOrderId, deploymentKeyOf, readClientOrderId } from './client-order-id.ts'

it('is the same for the same decision and another for any other', () => {
  const at = Date.UTC(2026, 2, 4, 20, 30)
  const id = clientOrderId('k3y', at, 'BTC-USD', 'sell')
  expect(clientOrderId('k3y', at, 'BTC-USD', 'sell')).toBe(id)
  const others = [
    clientOrderId('k3z', at, 'BTC-USD', 'sell'),
    clientOrderId('k3y', at + 1, 'BTC-USD', 'sell'),
    clientOrderId('k3y', at, 'ETH-USD', 'sell'),
    clientOrderId('k3y', at, 'BTC-USD', 'buy'),
  ]
  expect(new Set([id, ...others]).size).toBe(5)
  // Alpaca takes up to 128 characters.
  expect(clientOrderId('0123456789ab', at, 'A'.repeat(60), 'sell').length).toBeLessThanOrEqual(128)
})

it.each(['sell', 'buy'] as const)('tells what a part of a %s order is', (leg) => {
  for (const part of [1, 2, 20, 'm'] as const) {
    const id = clientOrderId('k3y', 36, 'BRK-B', leg, part)
    expect(readClientOrderId(id)).toEqual({ deploymentKey: 'k3y', decidedFor: 36, ticker: 'BRK-B', leg, part })
  }
})

it('tells its deployment, and what is not ours', () => {
  expect(deploymentKeyOf(clientOrderId('k3y', 1, 'BRK-B', 'buy'))).toBe('k3y')
  expect(deploymentKeyOf('5f3e6a1c-manual')).toBeUndefined()
  expect(deploymentKeyOf('')).toBeUndefined()
})
