import type { CorrelationRow } from '@tradewright/contract/leading-indicators'
import { formatSignedRatio } from '../../../lib/format.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { Table } from '../../../ui/table/table.tsx'
import { bandOf, metricWord } from './correlation-rows.ts'
import { heatMapOf } from './heat-map.ts'
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
