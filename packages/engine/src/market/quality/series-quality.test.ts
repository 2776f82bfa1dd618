import { dateOf, dayStamp, epochDayOf, formatDate } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { claim, hasShared, numbers, readSharedCsv } from '../../../../../scripts/shared-data.ts'
import { barStamps, crypto, nyse } from '../trading-calendar.ts'
import type { SeriesTable } from '../series.ts'
import { countDuplicates, inspectSeries } from './series-quality.ts'

function tableOf(type: SeriesTable['type'], stamps: Iterable<number>, more: Partial<SeriesTable> = {}): SeriesTable {
  const timestamps = Float64Array.from(stamps)
  const values = timestamps.map(() => 100)
  const columns = type === 'economic' ? { value: values } : { close: values }
  return { ticker: 'X', type, granularity: '1d', currency: 'USD', timestamps, columns, sources: [], ...more }
}

const sessionStamps = (from: string, to: string) => Array.from(nyse.sessionsBetween(dateOf(from), dateOf(to)), dayStamp)

const date = (stamp: number) => formatDate(epochDayOf(stamp))
const longAgo = dayStamp(dateOf('2024-02-01'))

describe('gaps', () => {
  it('are sessions without a row, in runs; holidays are none', () => {
    const stamps = sessionStamps('2024-01-02', '2024-02-01')
    const missing = new Set(['2024-01-11', '2024-01-12', '2024-01-16', '2024-01-24'])
    const { gaps, missingRows } = inspectSeries(
      tableOf(
        'security',
        stamps.filter((s) => !missing.has(date(s))),
      ),
      longAgo,
    )
    expect(gaps.map(({ from, last, rows }) => [date(from), date(last), rows])).toEqual([
      ['2024-01-11', '2024-01-16', 3],
      ['2024-01-24', '2024-01-24', 1],
    ])
    expect(missingRows).toBe(4)
  })

  it('count missing minutes within a session', () => {
    const stamps = barStamps(nyse, dateOf('2024-01-03'), '1m').filter((_, minute) => minute < 100 || minute >= 110)
    const { missingRows, gaps } = inspectSeries(tableOf('security', stamps, { granularity: '1m' }), longAgo)
    expect([missingRows, gaps.length]).toEqual([10, 1])
  })

  it('are counted over a century of minutes, and the longest are listed', () => {
    const [from, to] = [dayStamp(dateOf('1970-01-01')), dayStamp(dateOf('2070-01-01'))]
    const far = inspectSeries(tableOf('crypto', [from, to], { granularity: '1m' }), longAgo)
    expect(far).toMatchObject({ missingRows: (to - from) / 60_000 - 1, gaps: [{ rows: (to - from) / 60_000 - 1 }] })

    const everySecond = Array.from({ length: 5_000 }, (_, i) => from + i * 120_000)
    const many = inspectSeries(tableOf('crypto', [...everySecond, to], { granularity: '1m' }), longAgo)
    expect(many.gaps).toHaveLength(1_000)
    expect(many.gaps.at(-1)?.rows).toBeGreaterThan(1_000_000)
  })

  it('reach back before the rules of the exchange', () => {
    const stamps = [dayStamp(dateOf('1885-02-16')), dayStamp(dateOf('1885-02-17'))]
    expect(inspectSeries(tableOf('security', stamps), longAgo).rows).toBe(2)
  })

  it('do not sleep at weekends for coins, and count rows on closed days for stocks', () => {
    const everyDay = Array.from(crypto.sessionsBetween(dateOf('2024-01-01'), dateOf('2024-01-15')), dayStamp)
    expect(inspectSeries(tableOf('crypto', everyDay), longAgo)).toMatchObject({ missingRows: 0, unexpectedRows: 0 })
    expect(inspectSeries(tableOf('security', everyDay), longAgo)).toMatchObject({ missingRows: 0, unexpectedRows: 5 })
    expect(inspectSeries(tableOf('crypto', sessionStamps('2024-01-02', '2024-01-20')), longAgo).missingRows).toBe(5)
  })

  const cpi = 'data/macro/CPIAUCNS.csv'
  it.skipIf(!hasShared(cpi))(claim('find the October of 2025 that was never published', cpi), () => {
    const csv = readSharedCsv(cpi)
    const stamps = csv['date']!.map((text) => dayStamp(dateOf(text)))
    const { gaps } = inspectSeries(tableOf('economic', stamps), stamps.at(-1)!)
    expect(gaps.map(({ from, rows }) => [date(from), rows])).toEqual([['2025-10-01', 1]])
  })

  const spy = 'data/equities/daily/SPY.csv'
  it.skipIf(!hasShared(spy))(claim('do not exist in 25 years of SPY', spy), () => {
    const csv = readSharedCsv(spy)
    const stamps = csv['date']!.map((text) => dayStamp(dateOf(text)))
    const columns = Object.fromEntries(['open', 'high', 'low', 'close'].map((name) => [name, numbers(csv[name])]))
    expect(inspectSeries(tableOf('security', stamps, { columns }), stamps.at(-1)!)).toMatchObject({
      rows: 6474,
      missingRows: 0,
      unexpectedRows: 0,
      contradictions: 0,
      jumps: [],
    })
  })

  const vix = 'data/long_history/vix_daily.csv'
  it.skipIf(!hasShared(vix))(claim('and contradictions are found where they are known to be', vix), () => {
    const csv = readSharedCsv(vix)
    const stamps = csv['date']!.map((text) => dayStamp(dateOf(text)))
    const columns = Object.fromEntries(['open', 'high', 'low', 'close'].map((name) => [name, numbers(csv[name])]))
    const { contradictions, unexpectedRows } = inspectSeries(tableOf('index', stamps, { columns }), stamps.at(-1)!)
    expect(contradictions).toBe(4)
    expect(unexpectedRows).toBeGreaterThan(20)
  })
})

describe('jumps', () => {
  const stamps = sessionStamps('2024-01-02', '2024-02-01')
  const halved = Float64Array.from(stamps, (_, i) => (i < 10 ? 100 + (i % 2) : 50 + (i % 2)))

  it('name the split that was missed, unless it is known', () => {
    const { jumps } = inspectSeries(tableOf('security', stamps, { columns: { close: halved } }), longAgo)
    expect(jumps).toMatchObject([{ timestamp: stamps[10], splitRatio: 2 }])
    const split = Float64Array.from(stamps, (_, i) => (i === 10 ? 2 : Number.NaN))
    expect(inspectSeries(tableOf('security', stamps, { columns: { close: halved, split } }), longAgo).jumps).toEqual([])
  })

  it('are not looked for in observations, which may change sign', () => {
    const columns = { value: halved }
    expect(inspectSeries(tableOf('economic', stamps, { columns }), longAgo).jumps).toEqual([])
  })
})

describe('staleness', () => {
  it('counts finished sessions only', () => {
    const table = tableOf('security', sessionStamps('2024-01-02', '2024-01-13'))
    const tuesday = dateOf('2024-01-16')
    expect(inspectSeries(table, nyse.closeOf(tuesday) - 1)).toMatchObject({ sessionsBehind: 0, isStale: false })
    expect(inspectSeries(table, nyse.closeOf(tuesday))).toMatchObject({ sessionsBehind: 1, isStale: false })
    expect(inspectSeries(table, dayStamp(dateOf('2024-01-23')))).toMatchObject({ sessionsBehind: 5, isStale: true })
  })

  it('waits for the publication of an observation', () => {
    const months = ['2023-10-01', '2023-11-01', '2023-12-01'].map((text) => dayStamp(dateOf(text)))
    const behind = (now: string) => inspectSeries(tableOf('economic', months), dayStamp(dateOf(now))).sessionsBehind
    expect(behind('2024-02-14')).toBe(0)
    expect(behind('2024-02-15')).toBe(1)
  })
})

it('counts stamps that come twice', () => {
  expect(countDuplicates(Float64Array.of(1, 2, 2, 3, 3, 3))).toBe(3)
})
