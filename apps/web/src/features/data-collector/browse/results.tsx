import '@mantine/core/styles/Menu.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconDownload, IconSearch, IconArrowLeft } from '@tabler/icons-react'
import { BROWSE_PAGE_SIZE } from '@tradewright/contract/collected-data'
import { type Dispatch, useEffect, useRef, useState } from 'react'
import { formatCount, formatNumber } from '../../../lib/format.ts'
import { TextField } from '../../../ui/form/fields.tsx'
import { SourceBadge } from '../../../ui/feedback/source-badge.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import layout from '../layout.module.css'
import {
  type BrowseAnswer,
  type BrowseAction,
  type BrowseState,
  downloadAddress,
  type Filters,
  type TransformAnswer,
  formatValue,
} from './browse-state.ts'
import classes from './browse-tab.module.css'
import { formatDate, formatExact } from '../../../lib/format-time.ts'
import { Pagination, numeric, Table } from '../../../ui/table/table.tsx'
import transformResultClasses from './transform.module.css'

const SEARCH_DEBOUNCE_MS = 300

interface ResultsBarProps {
  state: BrowseState
  found: BrowseAnswer
  isOutdated: boolean
  act: Dispatch<BrowseAction>
}

export function ResultsBar({ state, found, isOutdated, act }: ResultsBarProps) {
  const { records, total } = found
  const first = (state.page - 1) * BROWSE_PAGE_SIZE + 1
  const last = first + records.length - 1
  return (
    <div className={layout.toolbar}>
      <output className={`${classes.summary} tabular`}>
        <b>
          {formatCount(total)} {total === 1 ? 'record' : 'records'}
        </b>
        {records.length > 0 && (
          <span>
            Showing {formatCount(first)}–{formatCount(last)}
          </span>
        )}
        {state.asked && <Tag>{state.asked.layer}</Tag>}
        {records.some(({ synthetic }) => synthetic) && <SourceBadge synthetic />}
        {isOutdated && <span className={classes.outdated}>The filters have changed: press Browse Data</span>}
      </output>
      <SearchBox search={state.search} onSearch={(text) => act({ do: 'search', text })} />
      {state.asked && total > 0 && <DownloadMenu filters={state.asked} />}
    </div>
  )
}

function DownloadMenu({ filters }: { filters: Filters }) {
  return (
    <Menu position="bottom-end" transitionProps={{ duration: 0 }} width={240} keepMounted>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={15} aria-hidden />}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          Download
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>All records of the filters</Menu.Label>
        <Menu.Item component="a" href={downloadAddress(filters, 'parquet')} download>
          Parquet
        </Menu.Item>
        <Menu.Item component="a" href={downloadAddress(filters, 'csv')} download>
          CSV
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** Debounced: asks again when the typing pauses. */
function SearchBox({ search, onSearch }: { search: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(search)
  const ask = useRef(onSearch)
  useEffect(() => {
    ask.current = onSearch
  })
  useEffect(() => {
    if (text === search) return undefined
    const timer = setTimeout(() => ask.current(text), SEARCH_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text, search])
  return (
    <search className={classes.search}>
      <TextField
        label="Search in results"
        hideLabel
        type="search"
        placeholder="Search in results..."
        leftSection={<IconSearch size={16} stroke={1.7} aria-hidden />}
        value={text}
        onChange={setText}
      />
    </search>
  )
}

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
      <div className={transformResultClasses.resultHead}>
        <Button variant="default" leftSection={<IconArrowLeft size={15} aria-hidden />} onClick={onBack}>
          Back to Transforms
        </Button>
        <span>
          <b>{name}</b> · {formatCount(result.row_count)} rows
        </span>
      </div>
      <div className={transformResultClasses.result}>
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
