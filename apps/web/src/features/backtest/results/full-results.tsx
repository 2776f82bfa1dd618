import { Button } from '@mantine/core'
import { IconDatabase, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import type { StudioResult } from '../answer/studio-result.ts'
import { formatCount, formatMoney, formatNumber } from '../../../lib/format.ts'
import { Card } from '../../../ui/layout/card.tsx'
import { Pagination, numeric, Table, ShowAll } from '../../../ui/table/table.tsx'
import { formatBarDate } from './bar-date.ts'
import { downloadCsv } from './csv.ts'
import { DataSourcesModal } from './honesty/data-sources-modal.tsx'
import { pageOf } from './newest-first.ts'
import { signalWord } from './signal.ts'

const PAGE_SIZE = 25
const FEW = 5

/** The newest rows, and all of them, a page at a time, behind a button; the CSV file holds them all. */
export function FullResults({ result }: { result: StudioResult }) {
  const [page, setPage] = useState(1)
  const [isAll, setAll] = useState(false)
  const { test_dates: dates, account_value_history: values, test_predictions: signals } = result
  const features = Object.entries(result.test_feature_values ?? {})
  return (
    <Card
      title="Full Results"
      hint={`${formatCount(dates.length)} rows, newest first`}
      actions={<DataActions result={result} />}
      folds
    >
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
          {pageOf(dates, page, isAll ? PAGE_SIZE : FEW).map(({ item: date, position }) => (
            <tr key={position}>
              <td className="tabular" title={date}>
                {formatBarDate(date)}
              </td>
              <td className={numeric}>{formatMoney(values[position])}</td>
              <td>{signalWord(signals?.[position] ?? null)}</td>
              {features.map(([name, column]) => (
                <td key={name} className={numeric}>
                  {formatNumber(column[position], { decimals: 4 })}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
      {isAll ? (
        <Pagination
          page={page}
          pageSize={PAGE_SIZE}
          total={dates.length}
          onChange={setPage}
          label="Pages of Full Results"
        />
      ) : (
        dates.length > FEW && <ShowAll total={dates.length} of="rows" onShow={() => setAll(true)} />
      )}
    </Card>
  )
}

/** Where the rows come from, and all of them as a file. */
function DataActions({ result }: { result: StudioResult }) {
  const [isOpen, setOpen] = useState(false)
  const [isWriting, setWriting] = useState(false)
  const write = async () => {
    setWriting(true)
    await downloadCsv(result)
    setWriting(false)
  }
  return (
    <>
      <Button variant="default" leftSection={<IconDatabase size={16} aria-hidden />} onClick={() => setOpen(true)}>
        Data Sources
      </Button>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        disabled={isWriting}
        onClick={() => void write()}
      >
        CSV
      </Button>
      <DataSourcesModal result={result} opened={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}
