import type { DataSources } from '@tradewright/contract/backtest-figures'
import { formatCount } from '../../lib/format.ts'
import { formatDateRange } from '../../lib/format-time.ts'
import { numeric, secondary, Table } from '../../ui/table/table.tsx'
import classes from './fetched-data.module.css'
import { providerName } from './provider-badges.ts'

/** Requested and received ranges, with their providers. */
export function FetchedData({
  title,
  sources: { requested, combined, providers },
}: {
  title: string
  sources: DataSources
}) {
  return (
    <section className={classes.fetch}>
      <h3>{title}</h3>
      <dl>
        <dt>Requested</dt>
        <dd className="tabular">
          {formatDateRange(requested.start, requested.end)} · {requested.granularity}
        </dd>
        <dt>Combined</dt>
        <dd className="tabular">
          {combined
            ? `${formatDateRange(combined.start, combined.end)} · ${formatCount(combined.rows)} rows`
            : 'Nothing was fetched'}
        </dd>
      </dl>
      {providers.length > 0 && (
        <Table label={title}>
          <thead>
            <tr>
              <th>Provider</th>
              <th>Tickers</th>
              <th className={numeric}>Range</th>
              <th className={`${numeric} ${secondary}`}>Rows</th>
            </tr>
          </thead>
          <tbody>
            {providers.map(({ provider, tickers, start, end, rows }) => (
              <tr key={provider}>
                <td>{providerName(provider)}</td>
                <td>{tickers.join(', ')}</td>
                <td className={`${numeric} ${classes.range}`}>{formatDateRange(start, end)}</td>
                <td className={`${numeric} ${secondary}`}>{formatCount(rows)}</td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </section>
  )
}
