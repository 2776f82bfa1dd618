import { describe, expect, it } from 'vitest'
import { equityRows, linesOf } from './equity-points.ts'

const point = (timestamp: string, value: number, growth: number) => ({
  timestamp,
  value,
  growth,
  net_contributions: 1000,
})
const overview = {
  equity: [
    point('2026-11-12T21:00:00.000Z', 1000, 1),
    point('2026-11-13T21:00:00.000Z', 1020, 1.02),
    point('2026-11-13T21:00:00.400Z', 1030, 1.03),
  ],
  replay: {
    points: [{ timestamp: '2026-11-13T20:59:00.000Z', growth: 1.01 }],
    drift_pct: 2,
    computed_at: '2026-11-13T21:05:00.000Z',
    error: null,
    causes: [],
    fills: [],
    slippage: { cost_bps: null, fee_bps: null, assumed_bps: 1 },
  },
}

describe('the equity of a deployment', () => {
  it('stands against the replay as growth of $10,000, from the day the replay is known', () => {
    const rows = equityRows(overview, 'Growth')
    expect(rows.map(({ live, other }) => [live, other])).toEqual([
      [10_000, null],
      [10_300, 10_100],
    ])
    expect(linesOf(rows, true)).toMatchObject({ startValue: 10_000, watermark: 'Synthetic sample data' })
  })

  it('or in dollars against what was paid in', () => {
    expect(equityRows({ ...overview, replay: null }, 'Value').map(({ live, other }) => [live, other])).toEqual([
      [1000, 1000],
      [1030, 1000],
    ])
    expect(linesOf(equityRows({ ...overview, replay: null }, 'Growth'), false).reference).toBeNull()
  })
})
