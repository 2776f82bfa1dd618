import { VisuallyHidden } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { CorrelationRow } from '@tradewright/contract/leading-indicators'
import { formatPercent, formatPValue, formatRatio, formatSignedRatio } from '../../../lib/format.ts'
import { IconButton } from '../../../ui/form/icon-button.tsx'
import { type Sorting, SortHeader } from '../../../ui/table/sort-header.tsx'
import { numeric, secondary, Table } from '../../../ui/table/table.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { bandOf, type Column, metricWord, sortedRows } from './correlation-rows.ts'
import classes from './leading-indicators.module.css'

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
