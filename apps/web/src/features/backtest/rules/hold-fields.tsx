import { Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { TickerField, TickerNote } from '../../../strategy-form/tickers/ticker-field.tsx'
import { TickerListSelect } from '../../../strategy-form/tickers/ticker-list-select.tsx'
import { equalPercentages } from '../../../strategy-form/tickers/ticker-text.ts'
import { IconButton } from '../../../ui/form/buttons.tsx'
import type { FieldsProps, OfKind } from './fields-props.ts'
import { NumberBox } from './number-box.tsx'
import classes from './rules.module.css'

export function HoldRows({ node, onChange }: FieldsProps<OfKind<'hold'>>) {
  const { rows } = node
  const put = (next: typeof rows, field?: string) => onChange({ ...node, rows: next }, field)
  return (
    <div className={classes.rows}>
      {rows.map((row, i) => (
        // A row has no name of its own.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={i} className={classes.line}>
          <span className={classes.ticker}>
            <TickerField
              label={`Ticker ${i + 1}`}
              hideLabel
              hasNote={false}
              placeholder="Ticker"
              value={row.ticker}
              onChange={(ticker) => put(rows.with(i, { ...row, ticker: ticker.toUpperCase() }), `ticker ${i}`)}
            />
          </span>
          <NumberBox
            label={`Percent ${i + 1}`}
            unit="%"
            value={row.pct}
            onChange={(pct) => put(rows.with(i, { ...row, pct }), `pct ${i}`)}
          />
          <IconButton
            icon={IconX}
            label={`Remove ticker ${i + 1}${row.ticker ? `, ${row.ticker}` : ''}`}
            onClick={() => put(rows.toSpliced(i, 1))}
          />
        </div>
      ))}
      <TickerNote text={rows.map(({ ticker }) => ticker).join(',')} />
      <div className={classes.line}>
        <AddButton label="Add ticker" onClick={() => put([...rows, { ticker: '', pct: restOf(rows) }])} />
        <TickerListSelect
          label="Ticker list"
          prompt="Fill from a ticker list..."
          onTickers={(tickers) => {
            const pcts = equalPercentages(tickers.length)
            put(tickers.map((ticker, i) => ({ ticker, pct: pcts[i] ?? 0 })))
          }}
        />
      </div>
    </div>
  )
}

const restOf = (rows: OfKind<'hold'>['rows']): number =>
  Math.max(0, Math.round((100 - rows.reduce((sum, { pct }) => sum + pct, 0)) * 100) / 100)

function AddButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button
      className={classes.add ?? ''}
      variant="subtle"
      size="compact-sm"
      leftSection={<IconPlus size={14} aria-hidden />}
      onClick={onClick}
    >
      {label}
    </Button>
  )
}
