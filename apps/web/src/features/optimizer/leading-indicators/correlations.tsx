import { VisuallyHidden } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type CorrelationRow, CROSS_METRICS } from '@tradewright/contract/leading-indicators'
import { formatPercent, formatPValue, formatRatio, formatSignedRatio } from '../../../lib/format.ts'
import { IconButton } from '../../../ui/form/buttons.tsx'
import { type Sorting, SortHeader, numeric, secondary, Table } from '../../../ui/table/table.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import classes from './leading-indicators.module.css'
import { Card } from '../../../ui/layout/card.tsx'
import heatMapCardClasses from './heat-map-card.module.css'

interface CorrelationsTableProps {
  rows: readonly CorrelationRow[]
  sorting: Sorting<Column>
  onSort: (sorting: Sorting<Column>) => void
  onAdd: (row: CorrelationRow) => void
}

const NUMBERS: readonly (readonly [column: Column, label: string, className?: string])[] = [
  ['lag_days', 'Lag', secondary],
  ['correlation_value', 'Correlation'],
  ['directional_accuracy', 'Directional accuracy', secondary],
  ['sharpe_ratio', 'Sharpe', secondary],
  ['p_value', 'p-value', secondary],
  ['adjusted_p_value', 'Adjusted p'],
]

/** Tinted by the strength of the correlation; the value itself always stands there. */
export function CorrelationsTable({ rows, sorting, onSort, onAdd }: CorrelationsTableProps) {
  return (
    <div className={classes.correlations}>
      <Table label="Correlations">
        <thead>
          <tr>
            <SortHeader column="cross_ticker" label="Ticker" sorting={sorting} onSort={onSort} />
            <SortHeader column="cross_metric" label="Metric" sorting={sorting} onSort={onSort} className={secondary} />
            {NUMBERS.map(([column, label, className = '']) => (
              <SortHeader
                key={column}
                column={column}
                label={label}
                sorting={sorting}
                onSort={onSort}
                isNumeric
                className={className}
              />
            ))}
            <th className={classes.add}>
              <VisuallyHidden>Add to the Optimizer</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody className={classes.rows}>
          {sortedRows(rows, sorting).map((row) => (
            <Row key={`${row.cross_ticker} ${row.cross_metric} ${row.lag_days}`} row={row} onAdd={() => onAdd(row)} />
          ))}
        </tbody>
      </Table>
    </div>
  )
}

function Row({ row, onAdd }: { row: CorrelationRow; onAdd: () => void }) {
  const metric = metricWord(row.cross_metric)
  return (
    <tr data-band={bandOf(row.correlation_value)}>
      <td title={row.cross_name}>
        {row.cross_ticker} {row.uses_revised_values && <Tag>revised values</Tag>}
        <small className={classes.rest}>
          {metric}, lag {row.lag_days} d
        </small>
      </td>
      <td className={`${classes.metric} ${secondary}`}>{metric}</td>
      <td className={`${numeric} ${secondary}`}>{row.lag_days} d</td>
      <td className={`${numeric} ${classes.correlation}`} title={`${row.observations} days`}>
        {formatSignedRatio(row.correlation_value)}
      </td>
      <td className={`${numeric} ${secondary}`}>{formatPercent(row.directional_accuracy)}</td>
      <td className={`${numeric} ${secondary}`}>{formatRatio(row.sharpe_ratio)}</td>
      <td className={`${numeric} ${secondary}`}>{formatPValue(row.p_value)}</td>
      <td className={numeric}>{formatPValue(row.adjusted_p_value)}</td>
      <td className={`${numeric} ${classes.add}`}>
        {row.feature && (
          <IconButton
            icon={IconPlus}
            label={`Add ${row.cross_ticker} ${metric}, lag ${row.lag_days}, to the Optimizer`}
            onClick={onAdd}
          />
        )}
      </td>
    </tr>
  )
}

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
              <th key={metric} className={heatMapCardClasses.metric}>
                {metricWord(metric)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {map.rows.map(({ ticker, cells }) => (
            <tr key={ticker}>
              <td className={heatMapCardClasses.ticker}>{ticker}</td>
              {cells.map((cell, position) => (
                <td
                  key={map.metrics[position]}
                  className={`${heatMapCardClasses.cell} tabular`}
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

type Column = Exclude<keyof CorrelationRow, 'cross_name' | 'synthetic' | 'feature' | 'uses_revised_values'>

export const STRONGEST_FIRST: Sorting<Column> = { column: 'correlation_value', isDescending: true }

/** How strong a correlation is, whatever its sign; null below the weakest band. */
type Band = 'strong' | 'medium' | 'weak'

export function bandOf(correlation: number): Band | null {
  const size = Math.abs(correlation)
  if (size >= 0.7) return 'strong'
  if (size >= 0.5) return 'medium'
  return size >= 0.3 ? 'weak' : null
}

/** Correlations by their size; a row without a value is last either way. */
export function sortedRows(
  rows: readonly CorrelationRow[],
  { column, isDescending }: Sorting<Column>,
): CorrelationRow[] {
  const sign = isDescending ? -1 : 1
  return rows.toSorted((a, b) => {
    const [left, right] = [keyOf(a, column), keyOf(b, column)]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    if (typeof left === 'string' || typeof right === 'string') return sign * String(left).localeCompare(String(right))
    return sign * (left - right)
  })
}

function keyOf(row: CorrelationRow, column: Column): number | string | null {
  return column === 'correlation_value' ? Math.abs(row.correlation_value) : row[column]
}

const METRIC_WORDS: Record<CorrelationRow['cross_metric'], string> = {
  pct_change: 'Percent change',
  rsi_14: 'RSI 14',
  sma_5: 'SMA 5',
  sma_10: 'SMA 10',
  sma_20: 'SMA 20',
  volume_ratio: 'Volume ratio',
  volatility_20d: 'Volatility 20d',
}
const metricWord = (metric: CorrelationRow['cross_metric']): string => METRIC_WORDS[metric]
