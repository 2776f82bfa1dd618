import { dateOf, formatDate } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { randomReturns } from '../construction/test-support/random-returns.ts'
import { nyse } from '../market/trading-calendar.ts'
import { readFactorFile } from './factor-file.ts'
import { type FactorReport, factorReport, type FactorRequest } from './factor-report.ts'

const COUNT = 800
const days = new Int32Array(COUNT + 1)
days[0] = dateOf('2015-01-02')
for (let i = 1; i <= COUNT; i++) days[i] = nyse.nextSession(days[i - 1]!)
const [market, size, noise] = randomReturns(3, COUNT, 5) as [Float64Array, Float64Array, Float64Array]
/** A planted alpha of 0.01% a day, and loadings of 0.8 and 0.3, over a return free of risk of 0.01% a day. */
const own = market.map((move, t) => 0.0002 + 0.8 * move + 0.3 * size[t]! + 0.05 * noise[t]!)

const request = (more: Partial<FactorRequest> = {}): FactorRequest => ({
  days,
  growth: grow(own),
  riskFree: new Float64Array(COUNT).fill(0.0001),
  riskFreeName: 'bills',
  periodsPerYear: 252,
  series: [],
  file: undefined,
  windowMonths: 12,
  ...more,
})

/** What one dollar became, the dollar itself first. */
function grow(returns: Float64Array): Float64Array {
  const values = new Float64Array(returns.length + 1).fill(1)
  returns.forEach((one, i) => (values[i + 1] = values[i]! * (1 + one)))
  return values
}

const french = (rows: string, header = ',Mkt-RF,SMB,RF') =>
  `This file was created by someone.\nMissing data are -99.99.\n\n${header}\n${rows}\n\n Annual Factors: January-December\n,Mkt-RF,SMB,RF\n1927, 29.47, -2.04, 3.12\n\nCopyright 2024`

const dailyRows = [...market.keys()]
  .map((t) => {
    const date = formatDate(days[t + 1]!).replaceAll('-', '')
    return `${date},${(100 * (market[t]! - 0.0001)).toFixed(8)},${(100 * size[t]!).toFixed(8)},0.01`
  })
  .join('\n')

const months = Array.from({ length: 12 }, (_, i) => `2020${String(i + 1).padStart(2, '0')},1,2,3`).join('\n')

const found = (report: ReturnType<typeof factorReport>): FactorReport => {
  if ('notAvailable' in report) throw new Error(report.notAvailable)
  return report
}

describe('a regression of a result', () => {
  it('finds planted loadings by a file of daily factors, with its risk-free column', () => {
    const table = readFactorFile(french(dailyRows))
    const report = found(factorReport(request({ file: { table, chosen: ['Mkt-RF', 'SMB'] } })))
    expect(report).toMatchObject({ frequency: 'daily', n: COUNT, riskFree: 'RF of the file' })
    expect(report.loadings.map(({ name }) => name)).toEqual(['Mkt-RF', 'SMB'])
    expect(report.loadings[0]!.coefficient).toBeCloseTo(0.8, 1)
    expect(report.loadings[1]!.coefficient).toBeCloseTo(0.3, 1)
    expect(report.rSquared).toBeGreaterThan(0.95)
    expect(Math.abs(report.alpha.coefficient - 252 * 0.0002 + 252 * 0.00002)).toBeLessThan(4 * report.alpha.error)
    if ('notAvailable' in report.rolling) throw new Error(report.rolling.notAvailable)
    expect(report.rolling.loadings).toHaveLength(2)
    expect(report.rolling.days.at(-1)).toBe(report.to)
  })

  it('by prices of other tickers and by the level of a rate, whose changes count', () => {
    const rates = size.map((_, t) => size.slice(0, t + 1).reduce((sum, one) => sum + 10 * one, 3))
    const series = [
      { name: 'SPY', kind: 'return' as const, days, values: grow(market) },
      { name: 'DGS10', kind: 'change' as const, days, values: Float64Array.of(3, ...rates) },
    ]
    const report = found(factorReport(request({ series })))
    expect(report.loadings.map(({ unit }) => unit)).toEqual(['return', 'per point'])
    expect(report.loadings[0]!.coefficient).toBeCloseTo(0.8, 1)
    expect(report.loadings[1]!.coefficient).toBeCloseTo(0.03, 2)
    expect(report.riskFree).toBe('bills')
  })

  it('leaves no alpha to a mix of a ticker and cash that earns the rate', () => {
    const mix = market.map((move, t) => 0.0001 + 0.5 * (move - 0.0001) + 1e-6 * noise[t]!)
    const series = [{ name: 'SPY', kind: 'return' as const, days, values: grow(market) }]
    const report = found(factorReport(request({ growth: grow(mix), series })))
    expect(report.loadings[0]!.coefficient).toBeCloseTo(0.5, 4)
    expect(report.alpha.coefficient).toBeCloseTo(0, 4)
  })

  it('by months where the file has months', () => {
    const months = [...new Set([...days].map((day) => formatDate(day).slice(0, 7).replace('-', '')))]
    const rows = months.map((month, i) => `${month},${((i * 7) % 5) - 2},${((i * 3) % 7) - 3},0.1`).join('\n')
    const report = found(factorReport(request({ file: { table: readFactorFile(french(rows)), chosen: ['Mkt-RF'] } })))
    expect(report.frequency).toBe('monthly')
    expect(report.n).toBe(months.length - 1)
  })

  it('by months where a series has months, whose changes would else be none on most days', () => {
    const firsts = [...days].filter(
      (day, i) => i > 0 && formatDate(day).slice(0, 7) !== formatDate(days[i - 1]!).slice(0, 7),
    )
    const prices = {
      name: 'CPIAUCSL',
      kind: 'change' as const,
      days: Int32Array.from(firsts),
      values: Float64Array.from(firsts, (_, i) => 250 + ((i * i) % 7)),
    }
    const report = found(factorReport(request({ series: [prices] })))
    expect([report.frequency, report.n]).toEqual(['monthly', firsts.length - 1])
    const table = readFactorFile(french(dailyRows))
    expect(factorReport(request({ series: [prices], file: { table, chosen: ['SMB'] } }))).toEqual({
      notAvailable: 'CPIAUCSL has one value a month and the file has daily returns',
    })
    const rare = {
      ...prices,
      name: 'GDP',
      days: Int32Array.from([0, 91, 182, 273], (day) => days[0]! + day),
      values: new Float64Array(4),
    }
    expect(factorReport(request({ series: [rare] }))).toEqual({
      notAvailable: 'GDP has fewer than twelve values a year',
    })
  })

  it('takes the risk-free column in small letters for what it is', () => {
    const table = readFactorFile(french(dailyRows, 'date,mkt_rf,smb,rf'))
    const report = found(factorReport(request({ file: { table, chosen: ['mkt_rf', 'smb', 'rf'] } })))
    expect([report.riskFree, report.loadings.length]).toEqual(['RF of the file', 2])
  })

  it('says why there is none', () => {
    expect(factorReport(request())).toEqual({ notAvailable: 'no factor was chosen' })
    const still = { name: 'CASHX', kind: 'return' as const, days, values: new Float64Array(COUNT + 1).fill(1) }
    expect(factorReport(request({ series: [still] }))).toEqual({ notAvailable: 'CASHX does not vary' })
    const early = { ...still, name: 'OLD', days: Int32Array.of(days[COUNT]! + 5), values: Float64Array.of(1) }
    expect(factorReport(request({ series: [early] }))).toMatchObject({
      notAvailable: 'there are 0 observations in common, and 12 are needed',
    })
  })
})

describe('a factor file', () => {
  it('of Kenneth French is read in percent, without what follows the first block', () => {
    const rows = Array.from({ length: 14 }, (_, i) => `1926${String(i + 1).padStart(2, '0')}`).slice(0, 12)
    const table = readFactorFile(french(rows.map((date) => `${date}, 2.96, -99.99, 0.22`).join('\r\n')))
    expect(table).toMatchObject({ frequency: 'monthly' })
    expect(table.days).toHaveLength(12)
    expect(table.columns.map(({ name, values }) => [name, values[0]])).toEqual([
      ['Mkt-RF', expect.closeTo(0.0296, 12)],
      ['SMB', null],
      ['RF', expect.closeTo(0.0022, 12)],
    ])
  })

  it.each([
    ['', 'no rows that begin with a date'],
    ['date,A\nx,1', 'no rows that begin with a date'],
    [french('20200102,1,2,3'), 'at least 12 are needed'],
    [french('20200103,1,2,3\n20200102,1,2,3'), 'is not later than the line before it'],
    [french('20200228,1,2,3\n20200230,1,2,3'), 'begins with 20200230, which is not a date of the calendar'],
    ['2024-02-30', 'no rows that begin with a date'],
    ['date,A\n2024-02-30,1', 'begins with 2024-02-30, which is not a date of the calendar'],
    [french('20200102,1,2'), 'has 2 values, and the header names 3'],
    [french('20200102,1,x,3'), '“x” where a number should be'],
    // Rows after one that cannot be read would be lost without a word.
    [french(`${months}\nx02101,1,2,3\n202102,1,2,3`), 'Line 17 begins with “x02101”'],
    [french(`${months}\n"202101","1","2","3"\n202102,1,2,3`), 'Line 17 begins with “"202101"”'],
    [french(`${months}\n20210104,1,2,3`), 'Line 17 begins with “20210104”'],
    [french('20200102,1,0x1F,3'), '“0x1F” where a number should be'],
    [french('20200102,1,2,5000'), 'not a return in percent'],
    // In fractions: a loading would come out as 62 in place of 0.62.
    [french(months.replaceAll(',1,2,3', ',0.0264,-0.0114,0.0025')), 'largest monthly return of the file is 0.0264%'],
    [french('20200102,1,2,3', ',A,A,B'), 'the same name'],
    ['20200102,1,2\n', 'no rows that begin with a date'],
    [',\n20200102,1\n', 'must name each factor'],
  ])('is refused with a sentence: %j', (text, sentence) => {
    expect(() => readFactorFile(text)).toThrow(sentence)
  })
})
