import { Button } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useState } from 'react'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import { formatDate, formatExact } from '../../../lib/format-time.ts'
import { Pagination } from '../../../ui/table/pagination.tsx'
import { numeric, Table } from '../../../ui/table/table.tsx'
import type { TransformAnswer } from './browse-queries.ts'
import { formatValue } from './record-text.ts'
import classes from './transform.module.css'

const PAGE_SIZE = 50
const WORDS = new Set(['ticker', 'timestamp'])

interface TransformResultProps {
  name: string
  /** The stored columns; the others are computed. */
  categories: readonly string[]
  result: TransformAnswer
  onBack: () => void
}

/** Thousands of rows, of which a page is drawn. */
export function TransformResult({ name, categories, result, onBack }: TransformResultProps) {
  const [page, setPage] = useState(1)
  const rows = result.data.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  return (
    <>
      <div className={classes.resultHead}>
        <Button variant="default" leftSection={<IconArrowLeft size={15} aria-hidden />} onClick={onBack}>
          Back to Transforms
        </Button>
        <span>
          <b>{name}</b> · {formatCount(result.row_count)} rows
        </span>
      </div>
      <div className={classes.result}>
        <Table label="Transform result">
          <thead>
            <tr>
              {result.columns.map((column) => (
                <th key={column.name} className={WORDS.has(column.name) ? undefined : numeric}>
                  {column.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={`${row['ticker']} ${row['timestamp']}`}>
                {result.columns.map((column) => (
                  <Cell
                    key={column.name}
                    name={column.name}
                    isComputed={!categories.includes(column.name)}
                    value={row[column.name] ?? null}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
        <Pagination
          page={page}
          pageSize={PAGE_SIZE}
          total={result.row_count}
          numbersAtMost={5}
          onChange={setPage}
          label="Pages of the transform result"
        />
      </div>
    </>
  )
}

interface CellProps {
  name: string
  isComputed: boolean
  value: string | number | null
}

/** Returns and ratios are small: two decimals would show most of them as zero. */
function Cell({ name, isComputed, value }: CellProps) {
  if (name === 'timestamp') return <td title={formatExact(String(value))}>{timeText(String(value))}</td>
  if (typeof value === 'string') return <td>{value}</td>
  if (value === null) return <td className={numeric}>—</td>
  return (
    <td className={numeric} title={String(value)}>
      {isComputed ? formatNumber(value, { decimals: 4 }) : formatValue(value, name)}
    </td>
  )
}

const timeText = (stamp: string): string => {
  const time = stamp.slice(11, 16)
  return time === '00:00' ? formatDate(stamp) : `${formatDate(stamp)}, ${time} UTC`
}
