import { describe, expect, it } from 'vitest'
import {
  formatMoney,
  formatNumber,
  formatPercent,
  formatPercentagePoints,
  formatPValue,
  formatQuantity,
  formatRatio,
  formatShortMoney,
  formatSignedMoney,
  formatSignedPercent,
  formatSignedRatio,
  formatWholeMoney,
} from './format.ts'

describe('formats of numbers', () => {
  it('write money with two decimals, commas and a true minus', () => {
    expect(formatMoney(1862.44)).toBe('$1,862.44')
    expect(formatMoney(-418.27)).toBe('−$418.27')
    expect(formatSignedMoney(1862.44)).toBe('+$1,862.44')
    expect(formatWholeMoney(13_954.43)).toBe('$13,954')
  })

  it('give what reads as zero no sign', () => {
    expect(formatSignedMoney(0)).toBe('$0.00')
    expect(formatSignedMoney(-0)).toBe('$0.00')
    expect(formatSignedMoney(-0.001)).toBe('$0.00')
    expect(formatSignedMoney(0.001)).toBe('$0.00')
    expect(formatMoney(-0)).toBe('$0.00')
    expect(formatSignedPercent(-0.0001)).toBe('0.0%')
    expect(formatSignedPercent(-0.00004, 2)).toBe('0.00%')
  })

  it('take fractions for percentages, with 1 decimal unless told otherwise [STRAT-060]', () => {
    expect(formatPercent(0.532)).toBe('53.2%')
    expect(formatSignedPercent(0.118)).toBe('+11.8%')
    expect(formatSignedPercent(-0.03951, 2)).toBe('−3.95%')
    expect(formatPercentagePoints(0.024)).toBe('+2.4 pp')
  })

  it('write ratios with two decimals and quantities with at most four', () => {
    expect(formatRatio(0.905)).toBe('0.91')
    expect(formatSignedRatio(2.01)).toBe('+2.01')
    expect(formatQuantity(12.5)).toBe('12.5')
    expect(formatQuantity(0.123456)).toBe('0.1235')
    expect(formatQuantity(1000)).toBe('1,000')
  })

  it('shorten money only strictly above a thousand and a million', () => {
    expect(formatShortMoney(1_000)).toBe('$1,000.00')
    expect(formatShortMoney(108_412)).toBe('$108.4K')
    expect(formatShortMoney(-108_412)).toBe('−$108.4K')
    expect(formatShortMoney(1_250_000)).toBe('$1.3M')
  })

  it('say less than 0.001 for tiny p-values', () => {
    expect(formatPValue(0.0004)).toBe('< 0.001')
    expect(formatPValue(0.0421)).toBe('0.042')
  })

  it.each([null, undefined, Number.NaN, Infinity, -Infinity])('write %s as missing, never as a number', (value) => {
    for (const format of [formatMoney, formatPercent, formatRatio, formatShortMoney, formatPValue, formatQuantity]) {
      expect(format(value)).toBe('N/A')
    }
    expect(formatNumber(value, { decimals: 1, sign: 'always' })).toBe('N/A')
  })
})
