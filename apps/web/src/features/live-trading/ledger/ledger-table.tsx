import { IconArrowDownLeft, IconArrowUpRight } from '@tabler/icons-react'
import type { LedgerEntry } from '@tradewright/contract/live-trading-fields'
import { Fragment } from 'react'
import { formatExact, formatMoment } from '../../../lib/format-time.ts'
import { numeric, Table } from '../../../ui/table/table.tsx'
import { Tag } from '../../../ui/feedback/tag.tsx'
import { moneyIn } from '../../../deployment-words/money-in.ts'
import { positionTexts } from './ledger-filter.ts'
import classes from './ledger.module.css'

export function LedgerTable({ entries, currency }: { entries: readonly LedgerEntry[]; currency: string }) {
  return (
    <div className={classes.table}>
      <Table label="Ledger entries">
        <thead>
          <tr>
            <th>Time (ET)</th>
            <th>Type</th>
            <th>Direction</th>
            <th className={numeric}>Amount</th>
            <th className={numeric}>Cash After</th>
            <th className={numeric}>Equity After</th>
            <th className={numeric}>Account Value</th>
            <th>Positions After</th>
            <th>Note</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <LedgerRow key={entry.id} entry={entry} currency={entry.currency || currency} />
          ))}
        </tbody>
      </Table>
    </div>
  )
}

function LedgerRow({ entry, currency }: { entry: LedgerEntry; currency: string }) {
  return (
    <tr>
      <td className={classes.time}>
        <time dateTime={entry.recorded_at} title={formatExact(entry.recorded_at)}>
          {formatMoment(entry.recorded_at)}
        </time>
      </td>
      <td className={classes.entryType}>
        <Tag>{entry.entry_type}</Tag>
      </td>
      <td className={classes.direction}>
        <Direction direction={entry.direction} />
      </td>
      <td className={`${numeric} ${classes.amount}`}>{moneyIn(currency, entry.amount)}</td>
      <td className={`${numeric} ${classes.cash}`} data-label="Cash">
        {moneyIn(currency, entry.cash_after)}
      </td>
      <td className={`${numeric} ${classes.equity}`} data-label="Equity">
        {moneyIn(currency, entry.equity_after)}
      </td>
      <td className={`${numeric} ${classes.account}`} data-label="Account">
        {moneyIn(currency, entry.account_value_after)}
      </td>
      <td className={`${classes.positions} tabular`}>
        <Positions texts={positionTexts(entry.positions_after)} />
      </td>
      <td className={classes.note}>{entry.note}</td>
    </tr>
  )
}

/** A line breaks between positions, never within one. */
function Positions({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return '–'
  return texts.map((text, at) => (
    <Fragment key={text}>
      <span className={classes.position}>{at < texts.length - 1 ? `${text},` : text}</span>{' '}
    </Fragment>
  ))
}

function Direction({ direction }: { direction: LedgerEntry['direction'] }) {
  const Glyph = { in: IconArrowDownLeft, out: IconArrowUpRight, none: null }[direction]
  return (
    <span className={classes.directionWords}>
      {Glyph && <Glyph size={14} stroke={1.8} aria-hidden />}
      {{ in: 'In', out: 'Out', none: '–' }[direction]}
    </span>
  )
}
