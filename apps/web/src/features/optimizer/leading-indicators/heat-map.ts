import { CROSS_METRICS, type CorrelationRow } from '@tradewright/contract/leading-indicators'

interface HeatMap {
  metrics: CorrelationRow['cross_metric'][]
  rows: { ticker: string; cells: (CorrelationRow | null)[] }[]
  /** Tickers that have no room. */
  leftOut: number
}

const MAX_TICKERS = 15

/** Per ticker and metric the strongest lag; tickers with the strongest correlation first, only metrics that occur. */
export function heatMapOf(rows: readonly CorrelationRow[]): HeatMap {
  const strongest = rows.toSorted((a, b) => Math.abs(b.correlation_value) - Math.abs(a.correlation_value))
  const all = [...new Set(strongest.map(({ cross_ticker }) => cross_ticker))]
  const tickers = all.slice(0, MAX_TICKERS)
  const metrics = CROSS_METRICS.filter((metric) => rows.some(({ cross_metric }) => cross_metric === metric))
  return {
    metrics,
    leftOut: all.length - tickers.length,
    rows: tickers.map((ticker) => ({
      ticker,
      cells: metrics.map(
        (metric) => strongest.find((row) => row.cross_ticker === ticker && row.cross_metric === metric) ?? null,
      ),
    })),
  }
}
