import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal } from './decimal.ts'

const anyDecimal = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }).map((billionths) => new Decimal(billionths))

const sum = (values: readonly Decimal[]) => values.reduce((all, one) => all.plus(one), Decimal.zero)

describe('Decimal', () => {
  it('survives the way to text and back', () => {
    fc.assert(
      fc.property(anyDecimal, (value) => {
        expect(Decimal.parse(value.toString())).toEqual(value)
      }),
    )
  })

  it.each([
    ['12.50', '12.5'],
    ['-0.000000001', '-0.000000001'],
    ['+7', '7'],
    ['007.', '7'],
    ['0.0000000015', '0.000000002'],
    ['0.0000000025', '0.000000002'],
    ['-0', '0'],
  ])('reads %s as %s', (text, written) => {
    expect(Decimal.parse(text).toString()).toBe(written)
  })

  it.each(['', '1e3', '1,000', 'NaN', '.5', '1.2.3', ' 1'])('refuses "%s"', (text) => {
    expect(() => Decimal.parse(text)).toThrow(RangeError)
  })

  it('adds what floats cannot', () => {
    expect(Decimal.parse('0.1').plus(Decimal.parse('0.2')).toString()).toBe('0.3')
  })

  it('sums to the same in any order', () => {
    fc.assert(
      fc.property(fc.array(anyDecimal), (values) => {
        expect(sum(values)).toEqual(sum(values.toReversed()))
      }),
    )
  })

  it('rounds a product or a quotient once, halves to even', () => {
    expect(Decimal.parse('0.000000001').times(Decimal.parse('0.5')).isZero).toBe(true)
    expect(Decimal.parse('0.000000003').times(Decimal.parse('0.5')).toString()).toBe('0.000000002')
    expect(Decimal.parse('-1').dividedBy(Decimal.parse('3')).toString()).toBe('-0.333333333')
    expect(Decimal.parse('2').dividedBy(Decimal.parse('-3')).toString()).toBe('-0.666666667')
    expect(Decimal.parse('2.345').rounded(2).toString()).toBe('2.34')
    expect(() => Decimal.parse('1').dividedBy(Decimal.zero)).toThrow(RangeError)
  })

  it('takes a float by its shortest writing', () => {
    expect(Decimal.fromNumber(0.1).toString()).toBe('0.1')
    expect(Decimal.fromNumber(1e-7).toString()).toBe('0.0000001')
    expect(Decimal.fromNumber(-1234.56).toNumber()).toBe(-1234.56)
    expect(() => Decimal.fromNumber(Number.NaN)).toThrow(RangeError)
  })

  it('travels as text', () => {
    expect(JSON.stringify({ cash: Decimal.parse('10.50') })).toBe('{"cash":"10.5"}')
  })
})
