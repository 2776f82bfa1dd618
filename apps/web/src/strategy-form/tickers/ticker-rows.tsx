import { Button } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { formatNumber } from '../../lib/format.ts'
import { NumberField } from '../../ui/form/fields.tsx'
import { IconButton } from '../../ui/form/buttons.tsx'
import { allocationTotal, nextKey, toRows } from './allocation-rows.ts'
import type { TickerRow } from './ticker-row.ts'
import { hasLeverageInTicker, isCash, leverageHint, leverAll, sharedLeverage } from './leverage.ts'
import classes from '../setup.module.css'
import { TickerField, TickerNote } from './ticker-field.tsx'
import { TickerListSelect } from './ticker-list-select.tsx'
import { equalPercentages } from './ticker-text.ts'
import { holdsIdleCash, withBills } from './cash-leg.ts'

interface TickerRowsProps {
  /** `Allocation`, `Buy (signal 1)`. */
  title: string
  rows: TickerRow[]
  onChange: (rows: TickerRow[]) => void
  /** The meaning of an empty list; else it is cash. */
  ifEmpty?: string
  /** What is held while out of the market: no rows mean cash here, which the hint about bills is for as well. */
  isCashLeg?: boolean
}

/** Tickers with their percentages and leverage, and what they add up to. A sum other than 100 is allowed: it only informs. */
export function TickerRows({ title, rows, onChange, ifEmpty, isCashLeg = false }: TickerRowsProps) {
  const hint = leverageHint(rows)
  return (
    <fieldset className={classes.group}>
      <legend>{title}</legend>
      {rows.length > 0 && (
        <div className={classes.tickerHeads} aria-hidden>
          <span>Ticker</span>
          <span>Percent</span>
          <span>Leverage</span>
        </div>
      )}
      {rows.map((row, position) => (
        <Row
          key={row.key}
          title={title}
          position={position + 1}
          row={row}
          onChange={(change) => onChange(rows.map((one) => (one.key === row.key ? { ...one, ...change } : one)))}
          onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
        />
      ))}
      {rows.length > 1 && <PortfolioLeverage title={title} rows={rows} onChange={onChange} />}
      {hint && <p className={classes.hint}>{hint}</p>}
      <CashLegHint rows={rows} onChange={onChange} emptyIsCash={isCashLeg} />
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
      <TickerListSelect
        label={`${title}: ticker list`}
        prompt="Fill from a ticker list..."
        onTickers={(tickers) => onChange(rowsOfList(tickers))}
      />
    </fieldset>
  )
}

/** The tickers of a list with equal weights. */
function rowsOfList(tickers: readonly string[]): TickerRow[] {
  const percentages = equalPercentages(tickers.length)
  return toRows(tickers.map((ticker, i) => ({ ticker, allocation: percentages[i] ?? '' })))
}

interface RowProps {
  title: string
  /** Counted from 1. */
  position: number
  row: TickerRow
  onChange: (change: Partial<TickerRow>) => void
  onRemove: () => void
}

function Row({ title, position, row, onChange, onRemove }: RowProps) {
  return (
    <div className={classes.tickerRow}>
      <TickerField
        label={`${title} ticker ${position}`}
        hideLabel
        placeholder="Ticker"
        hasNote={false}
        value={row.ticker}
        onChange={(ticker) => onChange({ ticker })}
      />
      <NumberField
        label={`${title} percent ${position}`}
        hideLabel
        unit="%"
        value={row.allocation}
        onChange={(allocation) => onChange({ allocation })}
      />
      <NumberField
        label={`${title} leverage ${position}`}
        hideLabel
        unit="×"
        placeholder="1×"
        disabled={hasLeverageInTicker(row) || isCash(row)}
        value={row.leverage ?? ''}
        onChange={(leverage) => onChange({ leverage })}
      />
      <IconButton icon={IconX} label={`Remove ${title} row ${position}`} onClick={onRemove} />
      <TickerNote text={row.ticker} />
    </div>
  )
}

/** One field for the leverage of every row. */
function PortfolioLeverage({ title, rows, onChange }: Pick<TickerRowsProps, 'title' | 'rows' | 'onChange'>) {
  const shared = sharedLeverage(rows)
  return (
    <div className={classes.tickerRow}>
      <span className={classes.allRows} aria-hidden>
        Leverage of all rows
      </span>
      <NumberField
        label={`${title} leverage of all rows`}
        hideLabel
        unit="×"
        placeholder={shared === undefined ? 'Mixed' : '1×'}
        value={shared ?? ''}
        onChange={(leverage) => onChange(leverAll(rows, leverage))}
      />
    </div>
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

interface CashLegHintProps {
  rows: readonly TickerRow[]
  onChange: (rows: TickerRow[]) => void
  emptyIsCash: boolean
}

/** Sharpe is measured against bills, so cash that earns nothing looks worse than it need be. */
function CashLegHint({ rows, onChange, emptyIsCash }: CashLegHintProps) {
  if (!holdsIdleCash(rows, emptyIsCash)) return null
  return (
    <div className={classes.offer}>
      <span className={classes.hint}>Cash (CASHX) earns nothing. TBILLX earns the T-bill rate.</span>
      <Button variant="default" size="compact-sm" onClick={() => onChange(withBills(rows))}>
        Use TBILLX
      </Button>
    </div>
  )
}
