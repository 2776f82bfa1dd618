import '@mantine/core/styles/Menu.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconDownload, IconSearch } from '@tabler/icons-react'
import { BROWSE_PAGE_SIZE } from '@tradewright/contract/collected-data'
import { type Dispatch, useEffect, useRef, useState } from 'react'
import { formatCount } from '../../../lib/format.ts'
import { TextField } from '../../../ui/form/fields.tsx'
import { SourceBadge } from '../../../ui/feedback/source-badge.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import layout from '../layout.module.css'
import type { BrowseAnswer } from './browse-queries.ts'
import { type BrowseAction, type BrowseState, downloadAddress, type Filters } from './browse-state.ts'
import classes from './browse-tab.module.css'

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
    <Menu position="bottom-end" transitionProps={{ duration: 0 }} width={240} returnFocus keepMounted>
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
