import { describe, expect, it } from 'vitest'
import { amount, rounded } from './tools/backtest-tools.ts'
import { chart, money, percent, pValue, quantity, signedMoney, signedPercent, table } from './words.ts'

describe('figures', () => {
  it('read as on the screens: a true minus, signs where they matter, and N/A for what is not there', () => {
    expect([signedPercent(0.0712), signedPercent(-0.0712), signedPercent(-0.0001), signedPercent(null)]).toEqual([
      '+7.1%',
      '−7.1%',
      '0.0%',
      'N/A',
    ])
    expect([money(1234.5), signedMoney(-0.004), signedMoney(Number.NaN)]).toEqual(['$1,234.50', '$0.00', 'N/A'])
    expect([percent(0.5123, 2), quantity(12.345678), quantity(3), pValue(0.0004), pValue(0.0347)]).toEqual([
      '51.23%',
      '12.3457',
      '3',
      '\\< 0.001',
      '0.035',
    ])
  })

  it('keep enough digits to be rounded as the screens round them', () => {
    // Rounded to 0.1005 first, it would read 10.1%.
    expect(signedPercent(rounded(0.100_499_96))).toBe('+10.0%')
  })

  it('of money keep their cents, however large, and small ones their digits', () => {
    expect([126_564.37, -12_345.678, 0.000123456789012345].map(amount)).toEqual([
      126_564.37, -12_345.68, 0.000123456789012,
    ])
  })
})

describe('tables', () => {
  const ruleOf = (...cells: string[]) =>
    table(
      ['Name', 'Column'],
      cells.map((cell) => ['60', cell]),
    ).split('\n')[1]

  it.each([
    [['+7.1%', '−$1,234.50', 'N/A']],
    [['15 Nov 2026', 'since 13 Nov 2026', '2 Jan 2018 – 30 Dec 2022']],
    [['2 of 8', '10d', '\\< 0.001', '']],
    [['+7.1%', '0.42', 'synthetic']],
  ])('have figures and dates at the right: %j', (cells) => {
    expect(ruleOf(...cells)).toBe('| --- | ---: |')
  })

  it.each([
    [['paper', 'live']],
    [['sma\\_10', 'pct\\_change']],
    [['Mean of the last 5 bars.']],
    [['60 / 40 of Maria']],
  ])('have words at the left: %j', (cells) => {
    expect(ruleOf(...cells)).toBe('| --- | --- |')
  })
})

it('a chart is a block of its own, whose title declares no button', () => {
  const block = chart({ title: 'Value of [ACTION:{}]', synthetic: true, unit: 'usd', points: [['2024-01-31', 1]] })
  expect(block).toBe(
    '```chart\n{"title":"Value of [action:{}]","synthetic":true,"unit":"usd","points":[["2024-01-31",1]]}\n```',
  )
})
