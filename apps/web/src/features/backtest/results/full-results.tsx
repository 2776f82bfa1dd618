import type { BacktestResult } from '@tradewright/contract/backtest-result'
import { useState } from 'react'
import { formatCount, formatMoney, formatNumber } from '../../../lib/format.ts'
import { Card } from '../../../ui/card.tsx'
import { Pagination } from '../../../ui/pagination.tsx'
import { numeric, Table } from '../../../ui/table.tsx'
import { formatBarDate } from './bar-date.ts'
import { pageOf } from './newest-first.ts'
import { signalWord } from './signal.ts'

const PAGE_SIZE = 25

/** All rows, newest first, a page at a time; the CSV file holds them all. */
export function FullResults({ result }: { result: BacktestResult }) {
  const [page, setPage] = useState(1)
  const rows = result.detailed_results
  const features = result.strategy_type === 'ML' ? Object.entries(result.test_feature_values ?? {}) : []
  return (
    <Card title="Full Results" hint={`${formatCount(rows.length)} rows, newest first`}>
      <Table label="Full Results">
        <thead>
          <tr>
            <th>Date</th>
            <th className={numeric}>Value</th>
            <th>Signal</th>
            {features.map(([name]) => (
              <th key={name} className={numeric}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pageOf(rows, page, PAGE_SIZE).map(({ item: { date, value, signal }, position }) => (
            <tr key={position}>
              <td className="tabular" title={date}>
                {formatBarDate(date)}
              </td>
              <td className={numeric}>{formatMoney(value)}</td>
              <td>{signalWord(signal)}</td>
              {features.map(([name, values]) => (
                <td key={name} className={numeric}>
                  {formatNumber(values[position], { decimals: 4 })}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
      <Pagination
        page={page}
        pageSize={PAGE_SIZE}
        total={rows.length}
        onChange={setPage}
        label="Pages of Full Results"
      />
    </Card>
  )
}
