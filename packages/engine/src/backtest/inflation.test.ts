import { dateOf, dayStamp } from '@tradewright/core/time'
import { describe, expect, it } from 'vitest'
import { claim, hasShared, readSharedJson } from '../../../../scripts/shared-data.ts'
import { cagr } from '../performance/returns.ts'
import type { SeriesTable } from '../market/series.ts'
import { deflator } from './inflation.ts'
import { realData } from './test-support/market-files.ts'

const levels = (values: Record<string, number>): SeriesTable => ({
  ticker: 'CPIAUCNS',
  type: 'economic',
  granularity: '1d',
  currency: 'USD',
  timestamps: Float64Array.from(Object.keys(values), (date) => dayStamp(dateOf(date))),
  columns: { value: Float64Array.from(Object.values(values)) },
  sources: [],
})

describe('deflator', () => {
  it('turns 20,000 of 2025 into 16,241.39 of 2020', () => {
    const cpi = levels({ '2020-01-01': 257.971, '2025-01-01': 317.671 })
    const days = Int32Array.of(dateOf('2020-01-31'), dateOf('2025-01-31'))
    const real = 20_000 * deflator(() => cpi, days)[1]!
    expect(real).toBeCloseTo(16_241.39, 2)
    // Over exactly five years, as the worked example has it.
    expect(cagr(real / 10_000, 5 * 365.25)).toBeCloseTo(0.101856, 6)
  })

  it('moves from month end to month end day by day, and stands still after the newest month', () => {
    const cpi = levels({ '2024-01-01': 100, '2024-02-01': 129 })
    const days = Int32Array.from(['2024-01-31', '2024-02-10', '2024-02-29', '2024-05-01'], dateOf)
    expect([...deflator(() => cpi, days)].map((share) => 100 / share)).toEqual([100, 110, 129, 129])
  })

  const reference = 'data/reference/inflation_cpi.json'
  it.skipIf(!hasShared(reference))(claim('agrees with the monthly examples of others', reference), () => {
    const { cases } = readSharedJson<{
      cases: { amount: number; from: string; to: string; basis: string; expected: number }[]
    }>(reference)
    const { series } = realData([], ['CPIAUCNS'])
    const monthEnd = (month: string) => dateOf(`${month}-28`) + 3
    for (const { amount, from, to, basis, expected } of cases) {
      if (basis !== 'month') continue
      const days = Int32Array.of(monthEnd(from), monthEnd(to))
      const then = deflator((symbol) => series.get(symbol), days)[1]!
      expect(Math.abs(amount / then / expected - 1)).toBeLessThan(1e-9)
    }
  })
})
