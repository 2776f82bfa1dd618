import type { SeriesQuality } from '@tradewright/contract/data-stores'
import type { ReactNode } from 'react'
import { formatCount, formatSignedPercent } from '../../../lib/format.ts'
import { formatDate, formatDateRange } from '../../../lib/format-time.ts'
import { SourceBadge } from '../../../ui/feedback/source-badge.tsx'
import { numeric, Table } from '../../../ui/table/table.tsx'
import layout from '../layout.module.css'
import classes from './stores-tab.module.css'

export function QualityTable({ series }: { series: readonly SeriesQuality[] }) {
  return (
    <div className={classes.quality}>
      <Table label="Data quality">
        <thead>
          <tr>
            <th>Series</th>
            <th className={numeric}>Rows</th>
            <th className={numeric}>Range</th>
            <th>Gaps</th>
            <th>Duplicates</th>
            <th>Suspicious jumps</th>
            <th>Newest row</th>
          </tr>
        </thead>
        <tbody>
          {series.map((one) => (
            <QualityRow key={`${one.ticker} ${one.data_granularity}`} series={one} />
          ))}
        </tbody>
      </Table>
    </div>
  )
}

function QualityRow({ series }: { series: SeriesQuality }) {
  const { gaps, missing_rows, suspicious_jumps: jumps, unexpected_rows } = series
  const doubles = series.duplicates + series.contradictions
  return (
    <tr>
      <td>
        <b className={classes.ticker}>{series.ticker}</b> {series.data_granularity}
        {series.synthetic ? (
          <span className={classes.badge}>
            <SourceBadge synthetic />
          </span>
        ) : (
          <span className={layout.second}>{series.providers.join(', ')}</span>
        )}
      </td>
      <td className={numeric} data-label="Rows">
        {formatCount(series.rows)}
      </td>
      <td className={numeric} data-label="Range">
        {formatDateRange(series.first, series.last)}
      </td>
      <td data-label="Gaps">
        <Found
          count={missing_rows}
          words={`${formatCount(missing_rows)} rows missing`}
          items={gaps.map(({ start, end, rows }) => `${formatDateRange(start, end)}: ${formatCount(rows)}`)}
        />
        {unexpected_rows > 0 && (
          <span className={layout.second}>{formatCount(unexpected_rows)} outside the calendar</span>
        )}
      </td>
      <td data-label="Duplicates">
        <Found
          count={doubles}
          words={`${formatCount(series.duplicates)} equal, ${formatCount(series.contradictions)} contradicting`}
          items={[]}
        />
      </td>
      <td data-label="Suspicious jumps">
        <Found
          count={jumps.length}
          words={formatCount(jumps.length)}
          items={jumps.map(({ timestamp, change }) => `${formatDate(timestamp)}: ${formatSignedPercent(change)}`)}
        />
      </td>
      <td data-label="Newest row">
        {series.is_stale ? (
          <Fault>{formatCount(series.sessions_behind)} sessions behind</Fault>
        ) : (
          <span className={classes.fine}>Up to date</span>
        )}
      </td>
    </tr>
  )
}

const Fault = ({ children }: { children: ReactNode }) => <span className={classes.fault}>{children}</span>

/** The number, and on demand where they are. */
function Found({ count, words, items }: { count: number; words: string; items: readonly string[] }) {
  if (count === 0) return <span className={classes.fine}>None</span>
  if (items.length === 0) return <Fault>{words}</Fault>
  return (
    <details className={classes.found}>
      <summary>{words}</summary>
      <ul className="tabular">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </details>
  )
}
