import { DAY, dateOf, dayStamp, HOUR, MINUTE } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { nyse } from '../trading-calendar.ts'
import { dailyBlock } from '../test-support/series-store-suite.ts'
import { normalise, type NormalisationRules, stampAsNewYorkDay, stampAsUtcDay, stampAtOffset } from './rows.ts'

const DAY_ONE = dateOf('2024-01-02')

const rules: NormalisationRules = {
  ticker: 'BTC-USD',
  type: 'crypto',
  categories: { c: 'close', v: 'volume' },
  stamp: stampAsUtcDay,
  range: { from: dayStamp(DAY_ONE), to: dayStamp(DAY_ONE + 10) },
}

const bronze = (days: readonly number[], closes: readonly number[]) =>
  dailyBlock('BTCUSD', closes, {
    provider: 'coinbase',
    timestamps: Float64Array.from(days, (day) => dayStamp(DAY_ONE + day)),
    columns: { c: Float64Array.from(closes), vw: Float64Array.from(closes) },
  })

describe('bronze to silver', () => {
  it('speaks our words: ticker, type, category, unit', () => {
    const { silver } = normalise(bronze([0, 1], [10, 20]), { ...rules, scale: { close: 0.01 } })
    expect(silver).toMatchObject({ ticker: 'BTC-USD', type: 'crypto', provider: 'coinbase' })
    expect(silver.columns).toEqual({ close: Float64Array.of(0.1, 0.2) })
  })

  it('turns around what comes newest first', () => {
    const { silver } = normalise(bronze([2, 1, 0], [30, 20, 10]), { ...rules, newestFirst: true })
    expect(silver.columns['close']).toEqual(Float64Array.of(10, 20, 30))
  })

  it('drops rows that are empty, outside the range or still forming', () => {
    const { silver, dropped, refused } = normalise(bronze([-1, 0, 1, 2, 3], [1, 2, Number.NaN, 4, 5]), {
      ...rules,
      unfinishedFrom: dayStamp(DAY_ONE + 3),
    })
    expect(silver.columns['close']).toEqual(Float64Array.of(2, 4))
    expect([dropped, refused]).toEqual([3, []])
  })

  it('refuses a bar without a close', () => {
    const sent = {
      ...bronze([0, 1], [1, Number.NaN]),
      columns: { c: Float64Array.of(1, Number.NaN), v: Float64Array.of(9, 9) },
    }
    expect(normalise(sent, rules).refused).toMatchObject([{ row: 1, reason: 'not-a-number', category: 'close' }])
  })

  it('names a refused row by its place in what was sent', () => {
    const { refused } = normalise(bronze([-1, 0, 1], [1, 2, -3]), rules)
    expect(refused).toMatchObject([{ row: 2, ticker: 'BTC-USD', provider: 'coinbase', reason: 'zero-or-negative' }])
    const reversed = normalise(bronze([2, 1, 0], [3, -2, 1]), { ...rules, newestFirst: true })
    expect(reversed.refused).toMatchObject([{ row: 1 }])
  })
})

describe('stamps of daily rows', () => {
  it('are the New York date for midnight, opening and close of every session', () => {
    for (const day of nyse.sessionsBetween(dateOf('2006-01-01'), dateOf('2008-01-01'))) {
      const midnight = nyse.openOf(day) - 9.5 * HOUR
      for (const instant of [midnight, nyse.openOf(day), midnight + DAY - MINUTE]) {
        expect(stampAsNewYorkDay(instant)).toBe(dayStamp(day))
      }
    }
  })

  it('follow the offset a provider gives', () => {
    const openInTokyo = Date.parse('2024-01-05T00:00:00Z')
    expect(stampAtOffset(9 * 3600)(openInTokyo)).toBe(dayStamp(dateOf('2024-01-05')))
    expect(stampAtOffset(-5 * 3600)(openInTokyo)).toBe(dayStamp(dateOf('2024-01-04')))
  })
})
