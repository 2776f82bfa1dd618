import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal } from './decimal.ts'
import { isInCents, apportion, toCents, usd, usdPerShare } from './money.ts'

it.each([
  ['1234567.5', '$1,234,567.50'],
  ['-0.049', '-$0.05'],
  ['-0.001', '$0.00'],
  ['100', '$100.00'],
])('writes %s as %s', (amount, written) => {
  expect(usd(Decimal.parse(amount))).toBe(written)
})

it.each([
  ['400', '$400.00'],
  ['12000.5', '$12,000.50'],
  ['33.333333333', '$33.3333'],
  ['0.07231549', '$0.072315'],
])('writes %s for one share as %s', (price, written) => {
  expect(usdPerShare(Decimal.parse(price))).toBe(written)
})

it('distinguishes whole cents from amounts that cannot be paid', () => {
  const isPayable = (amount: string) => isInCents(Decimal.parse(amount))
  expect(['0', '0.01', '-12.5', '250.250'].map(isPayable)).toEqual([true, true, true, true])
  expect(['0.001', '1.005', '-0.000000001'].map(isPayable)).toEqual([false, false, false])
})

describe('apportion', () => {
  it('loses no cent and invents none', () => {
    const amounts = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }).map((cents) => new Decimal(cents * 10_000_000n))
    const weights = fc
      .array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 12 })
      .filter((all) => all.some((one) => one > 0n))
    fc.assert(
      fc.property(amounts, weights, (amount, units) => {
        const parts = apportion(
          amount,
          units.map((billionths) => new Decimal(billionths)),
        )
        expect(parts.reduce((sum, part) => sum.plus(part), Decimal.zero)).toEqual(amount)
        for (const part of parts) expect(toCents(part)).toEqual(part)
      }),
    )
  })

  it('gives everything to a single part, however small its weight', () => {
    const amount = Decimal.parse('-2223246000660.02')
    expect(apportion(amount, [new Decimal(1n)])).toEqual([amount])
  })

  it('shares a dollar among three', () => {
    const one = Decimal.parse('1')
    expect(apportion(one, [one, one, one]).map(String)).toEqual(['0.34', '0.33', '0.33'])
  })

  it('shares by weights however small', () => {
    const tiny = new Decimal(1n)
    expect(apportion(Decimal.parse('0.04'), [tiny, tiny, tiny, tiny]).map(String)).toEqual([
      '0.01',
      '0.01',
      '0.01',
      '0.01',
    ])
  })

  it('refuses weights it cannot share by', () => {
    expect(() => apportion(Decimal.parse('1'), [Decimal.zero])).toThrow(RangeError)
  })
})
