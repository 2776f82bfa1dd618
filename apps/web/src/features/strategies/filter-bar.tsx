import { Button } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { formatCount } from '../../lib/format.ts'
import { SelectField, TextField } from '../../ui/form/fields.tsx'
import classes from './strategies-screen.module.css'
import { ALL_TYPES, type Filters, isSort, NO_FILTERS, SORTS } from './listing.ts'

interface FilterBarProps {
  filters: Filters
  types: readonly string[]
  count: number
  onChange: (filters: Filters) => void
}

export function FilterBar({ filters, types, count, onChange }: FilterBarProps) {
  return (
    <search className={classes.filters}>
      <div className={classes.search}>
        <TextField
          label="Search strategies"
          hideLabel
          type="search"
          placeholder="Search strategies..."
          leftSection={<IconSearch size={16} stroke={1.7} aria-hidden />}
          value={filters.search}
          onChange={(search) => onChange({ ...filters, search })}
        />
      </div>
      <SelectField
        label="Type"
        hideLabel
        value={filters.type}
        options={[{ value: ALL_TYPES, label: 'All Types' }, ...types]}
        onChange={(type) => onChange({ ...filters, type })}
      />
      <SelectField
        label="Sort"
        hideLabel
        value={filters.sort}
        options={Object.entries(SORTS).map(([value, label]) => ({ value, label }))}
        onChange={(sort) => onChange({ ...filters, sort: isSort(sort) ? sort : NO_FILTERS.sort })}
      />
      <Button variant="subtle" color="gray" className={classes.reset ?? ''} onClick={() => onChange(NO_FILTERS)}>
        Reset
      </Button>
      <span className={`${classes.count} tabular`}>
        {formatCount(count)} {count === 1 ? 'strategy' : 'strategies'}
      </span>
    </search>
  )
}
