import type { DataRecord } from '@tradewright/contract/collected-data'
import type { Dispatch } from 'react'
import { formatExact, formatMarketMoment } from '../../../lib/format-time.ts'
import { SortHeader } from '../../../ui/table/sort-header.tsx'
import { numeric, Table } from '../../../ui/table/table.tsx'
import layout from '../layout.module.css'
import type { BrowseAction, BrowseState, SortField } from './browse-state.ts'
import { formatValue, recordTime } from './record-text.ts'
import classes from './records-table.module.css'

const COLUMNS: readonly { field: SortField; label: string; isNumeric?: boolean }[] = [
  { field: 'ticker', label: 'Ticker' },
  { field: 'timestamp', label: 'Timestamp', isNumeric: true },
  { field: 'category', label: 'Category' },
  { field: 'type', label: 'Type' },
  { field: 'value', label: 'Value', isNumeric: true },
  { field: 'currency', label: 'Currency' },
  { field: 'provider', label: 'Provider' },
  { field: 'collected_at', label: 'Collected at', isNumeric: true },
]

interface RecordsTableProps {
  records: readonly DataRecord[]
  state: BrowseState
  /** Another page is on its way. */
  isDimmed: boolean
  act: Dispatch<BrowseAction>
}

export function RecordsTable({ records, state, isDimmed, act }: RecordsTableProps) {
  return (
    <div className={classes.table} data-dimmed={isDimmed}>
      <Table label="Records">
        <thead>
          <tr>
            {COLUMNS.map(({ field, label, isNumeric }) => (
              <SortHeader
                key={field}
                column={field}
                label={label}
                isNumeric={isNumeric ?? false}
                sorting={{ column: state.sortBy, isDescending: state.sortOrder === 'desc' }}
                onSort={({ column }) => act({ do: 'sort', by: column })}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <RecordRow key={keyOf(record)} record={record} />
          ))}
        </tbody>
      </Table>
    </div>
  )
}

const keyOf = ({ ticker, timestamp, category, provider, granularity }: DataRecord): string =>
  [ticker, timestamp, category, provider, granularity].join(' ')

function RecordRow({ record }: { record: DataRecord }) {
  return (
    <tr>
      <td className={classes.ticker}>{record.ticker}</td>
      <td className={`${numeric} ${classes.time}`} title={formatExact(record.timestamp)}>
        {recordTime(record)}
      </td>
      <td className={classes.category}>
        {record.category} <span className={layout.hint}>{record.granularity}</span>
      </td>
      <td className={classes.type}>{record.type}</td>
      <td className={`${numeric} ${classes.value}`} title={String(record.value)}>
        {formatValue(record.value, record.category)}
      </td>
      <td className={classes.currency}>{record.currency}</td>
      <td className={classes.provider}>
        {record.provider}
        {record.synthetic && <span className={classes.synthetic}> synthetic</span>}
      </td>
      <td className={`${numeric} ${classes.collected}`} title={formatExact(record.collected_at)}>
        {formatMarketMoment(record.collected_at)}
      </td>
    </tr>
  )
}
