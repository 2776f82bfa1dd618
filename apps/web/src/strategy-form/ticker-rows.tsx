import { Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { formatNumber } from '../lib/format.ts'
import { NumberField, TextField } from '../ui/fields.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { allocationTotal, nextKey, type TickerRow } from './allocation-rows.ts'
import classes from './setup.module.css'
import { STORED_TICKERS } from './stored-tickers.tsx'

interface TickerRowsProps {
  /** `Allocation`, `Buy (signal 1)`. */
  title: string
  rows: TickerRow[]
  onChange: (rows: TickerRow[]) => void
  /** The meaning of an empty list; else it is cash. */
  ifEmpty?: string
}

/** Tickers with their percents, and what they add up to. A sum other than 100 is allowed, so it only informs. */
export function TickerRows({ title, rows, onChange, ifEmpty }: TickerRowsProps) {
  const edit = (key: number, change: Partial<TickerRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...change } : row)))
  return (
    <fieldset className={classes.group}>
      <legend>{title}</legend>
      {rows.map((row, position) => (
        <div key={row.key} className={classes.tickerRow}>
          <TextField
            label={`${title} ticker ${position + 1}`}
            hideLabel
            placeholder="Ticker"
            suggestedBy={STORED_TICKERS}
            value={row.ticker}
            onChange={(ticker) => edit(row.key, { ticker })}
          />
          <NumberField
            label={`${title} percent ${position + 1}`}
            hideLabel
            unit="%"
            value={row.allocation}
            onChange={(allocation) => edit(row.key, { allocation })}
          />
          <IconButton
            icon={IconX}
            label={`Remove ${title} row ${position + 1}`}
            onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
          />
        </div>
      ))}
      <div className={classes.rowFoot}>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...rows, { key: nextKey(rows), ticker: '', allocation: '' }])}
        >
          Add ticker
        </Button>
        {rows.length === 0 && ifEmpty ? <span className={classes.total}>{ifEmpty}</span> : <Total rows={rows} />}
      </div>
    </fieldset>
  )
}

function Total({ rows }: { rows: TickerRow[] }) {
  const total = allocationTotal(rows)
  if (total === null) return null
  const shown = formatNumber(total, { decimals: 2, minDecimals: 0, suffix: '%' })
  return (
    <span className={classes.total} data-off={total !== 100}>
      Total <b className="tabular">{shown}</b>
      {total < 100 && ', the rest is cash'}
      {total > 100 && ', the excess is borrowed'}
    </span>
  )
}
