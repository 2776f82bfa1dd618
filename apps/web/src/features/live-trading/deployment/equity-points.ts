import type { TimeChartLines } from '../../../ui/chart/draw-chart.ts'
import type { Overview } from '../queries.ts'

export type EquityView = 'Growth' | 'Value'

/** Both curves start from this many dollars, whatever was paid in or out later. */
export const GROWTH_OF = 10_000

export interface EquityRow {
  /** Seconds. */
  time: number
  live: number
  /** The replayed backtest, or what was paid in; null where it has no value yet. */
  other: number | null
}

/** One row for each instant of the live curve; of two in the same second the later one counts. */
export function equityRows({ equity, replay }: Pick<Overview, 'equity' | 'replay'>, view: EquityView): EquityRow[] {
  const rows = new Map<number, EquityRow>()
  const replayed = (replay?.points ?? []).map(({ timestamp, growth }) => ({ time: secondsOf(timestamp), growth }))
  for (const point of equity) {
    const time = secondsOf(point.timestamp)
    const known = replayed.findLast((one) => one.time <= time)
    rows.set(
      time,
      view === 'Value'
        ? { time, live: point.value, other: point.net_contributions }
        : { time, live: point.growth * GROWTH_OF, other: known ? known.growth * GROWTH_OF : null },
    )
  }
  return [...rows.values()].sort((a, b) => a.time - b.time)
}

export function linesOf(rows: readonly EquityRow[], isSynthetic: boolean): TimeChartLines {
  const hasOther = rows.some(({ other }) => other !== null)
  return {
    strategy: rows.map(({ time, live }) => ({ time, value: live })),
    reference: hasOther ? rows.map(({ time, other }) => ({ time, value: other })) : null,
    drawdown: null,
    startValue: rows[0]?.live ?? 0,
    watermark: isSynthetic ? 'Synthetic sample data' : null,
    isLogScale: false,
  }
}

const secondsOf = (timestamp: string) => Math.floor(Date.parse(timestamp) / 1000)
