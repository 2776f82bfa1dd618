import { Decimal } from '@tradewright/core/decimal'
import { expect, it } from 'vitest'
import { needsQuote, priceConflict } from './price-check.ts'

const decimal = (text: string) => Decimal.parse(text)
const NOW = 1_000_000_000
const quoted = (price: string, at = NOW) => ({ bid: decimal(price), ask: decimal(price), at })
const prices = (position: string, close = '100') => ({
  ticker: 'SPY',
  position: decimal(position),
  close: decimal(close),
})

it.each([
  ['within a tenth of the close', '109', undefined, false],
  ['far off, without a quote, as in a wild day', '130', undefined, false],
  ['very far off, without a quote', '150', undefined, true],
  ['far off, and the quote agrees', '60', quoted('61'), false],
  ['far off, and the quote is at the close', '50', quoted('100'), true],
  ['far off, and the quote is somewhere else', '50', quoted('70'), true],
  ['far off, and the quote is old', '130', quoted('100', NOW - 600_000), false],
] as const)('a price %s', (_, position, quote, isConflict) => {
  expect(priceConflict(prices(position), quote, NOW) !== undefined).toBe(isConflict)
})

it('asks for a quote only where the price is far from the close', () => {
  expect([needsQuote(prices('105')), needsQuote(prices('89')), needsQuote(prices('5', '0'))]).toEqual([
    false,
    true,
    true,
  ])
})
