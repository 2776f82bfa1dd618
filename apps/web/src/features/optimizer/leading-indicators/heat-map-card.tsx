import { type CorrelationRow, CROSS_METRICS } from '@tradewright/contract/leading-indicators'
import { formatSignedRatio } from '../../../lib/format.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { Table } from '../../../ui/table/table.tsx'
import { bandOf, metricWord } from './correlation-rows.ts'
import classes from './heat-map-card.module.css'

/** A summary of the table's rows: the strongest lag of each ticker and metric. */
export function HeatMapCard({ rows }: { rows: readonly CorrelationRow[] }) {
  const map = heatMapOf(rows)
  return (
    <Card
      title="Heat map"
      hint={
        'Strongest lag for each ticker and metric, shaded by strength' +
        (map.leftOut > 0 ? `; the ${map.leftOut} weaker tickers are in the table only` : '')
      }
    >
      <Table label="Heat map">
        <thead>
          <tr>
            <th>Ticker</th>
            {map.metrics.map((metric) => (
              <th key={metric} className={classes.metric}>
                {metricWord(metric)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {map.rows.map(({ ticker, cells }) => (
            <tr key={ticker}>
              <td className={classes.ticker}>{ticker}</td>
              {cells.map((cell, position) => (
                <td
                  key={map.metrics[position]}
                  className={`${classes.cell} tabular`}
                  data-band={cell && bandOf(cell.correlation_value)}
                >
                  {cell && (
                    <>
                      {formatSignedRatio(cell.correlation_value)} <small>{cell.lag_days} d</small>
                    </>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  )
}

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
