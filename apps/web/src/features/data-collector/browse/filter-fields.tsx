import { Button } from '@mantine/core'
import { IconChartHistogram, IconDeviceFloppy, IconSearch } from '@tabler/icons-react'
import { LAYERS } from '@tradewright/contract/data-collector-fields'
import type { DataStore } from '@tradewright/contract/data-stores'
import type { Dispatch } from 'react'
import { formatDateRange } from '../../../lib/format-time.ts'
import { SelectField, TextField } from '../../../ui/form/fields.tsx'
import { LEAVE_FREELY } from '../../../ui/form/unsaved-work.ts'
import { MultiSelectField } from '../../../ui/form/fields/choice-fields.tsx'
import layout from '../layout.module.css'
import { transformNeeds } from '../notice.tsx'
import { useAvailableData, type BrowseAction, type Filters, hasSelection, type Layer } from './browse-state.ts'
import classes from './browse-tab.module.css'

const LAYER_LABELS: Record<Layer, string> = {
  gold: 'Gold (final)',
  silver: 'Silver (provider)',
  bronze: 'Bronze (raw)',
}

interface FilterFieldsProps {
  filters: Filters
  stores: readonly DataStore[]
  isBusy: boolean
  act: Dispatch<BrowseAction>
  onSave: () => void
  onTransform: () => void
}

export function FilterFields({ filters, stores, isBusy, act, onSave, onTransform }: FilterFieldsProps) {
  const needs = transformNeeds(filters)
  const storeId = filters.storeId || String(stores.find(({ is_default }) => is_default)?.id ?? '')
  const available = useAvailableData(filters.storeId, filters.layer).data
  const filter = (change: Partial<Filters>) => act({ do: 'filter', change })
  const range = available?.date_range
  return (
    <form
      aria-label="Browse filters"
      {...LEAVE_FREELY}
      onSubmit={(event) => {
        event.preventDefault()
        act({ do: 'browse' })
      }}
    >
      <div className={classes.filters}>
        <SelectField
          label="Data store"
          value={storeId}
          options={stores.map(({ id, name }) => ({ value: String(id), label: name }))}
          onChange={(id) => act({ do: 'choose store', storeId: id })}
        />
        <SelectField
          label="Layer"
          value={filters.layer}
          options={LAYERS.map((layer) => ({ value: layer, label: LAYER_LABELS[layer] }))}
          onChange={(word) => act({ do: 'choose layer', layer: LAYERS.find((layer) => layer === word) ?? 'gold' })}
        />
        <TextField
          label="Start date"
          type="date"
          value={filters.startDate}
          onChange={(startDate) => filter({ startDate })}
        />
        <TextField label="End date" type="date" value={filters.endDate} onChange={(endDate) => filter({ endDate })} />
        <TextField label="As of" term="as of" type="date" value={filters.asOf} onChange={(asOf) => filter({ asOf })} />
        <MultiSelectField
          label="Tickers"
          placeholder="All tickers"
          value={filters.tickers}
          options={offered(available?.tickers, filters.tickers)}
          onChange={(tickers) => filter({ tickers })}
        />
        <MultiSelectField
          label="Categories"
          placeholder="All categories"
          value={filters.categories}
          options={offered(available?.categories, filters.categories)}
          onChange={(categories) => filter({ categories })}
        />
        <MultiSelectField
          label="Providers"
          placeholder="All providers"
          value={filters.providers}
          options={offered(available?.providers, filters.providers)}
          onChange={(providers) => filter({ providers })}
        />
      </div>
      <div className={classes.buttons}>
        <Button type="submit" leftSection={<IconSearch size={15} aria-hidden />} disabled={isBusy}>
          {isBusy ? 'Browsing...' : 'Browse Data'}
        </Button>
        <Button variant="default" leftSection={<IconChartHistogram size={15} aria-hidden />} onClick={onTransform}>
          Transform View
        </Button>
        <Button
          variant="default"
          leftSection={<IconDeviceFloppy size={15} aria-hidden />}
          disabled={!hasSelection(filters)}
          onClick={onSave}
        >
          Save Filters
        </Button>
        {needs && <span className={layout.hint}>{needs}</span>}
        <span className={`${layout.hint} ${classes.stored} tabular`}>
          {range && (range.min ? `Stored: ${formatDateRange(range.min, range.max)}` : 'This layer is empty')}
        </span>
      </div>
    </form>
  )
}

/** Values of a saved query are shown even where the store does not have them. */
const offered = (available: readonly string[] | undefined, chosen: readonly string[]): string[] => [
  ...new Set([...(available ?? []), ...chosen]),
]
