import type { SeriesSource } from '@tradewright/contract/backtest-figures'
import { formatCount } from '../lib/format.ts'
import { formatDateRange } from '../lib/format-time.ts'
import { numeric, secondary, Table } from '../ui/table.tsx'
import classes from './fetched-data.module.css'
import { providerName } from './provider-badges.ts'

const USES: Record<SeriesSource['used_for'], string> = {
  traded: 'Traded',
  feature: 'Feature',
  reference: 'Reference',
  rate: 'Rate or index',
}

/** Where each series came from, and what it was used for. */
export function SeriesSources({ series }: { series: readonly SeriesSource[] }) {
  if (series.length === 0) return null
  return (
    <section className={classes.fetch}>
      <h3>Series</h3>
      <Table label="Series">
        <thead>
          <tr>
            <th>Ticker</th>
            <th className={secondary}>Used for</th>
            <th>Source</th>
            <th className={numeric}>Range</th>
            <th className={`${numeric} ${secondary}`}>Rows</th>
          </tr>
        </thead>
        <tbody>
          {series.flatMap(({ ticker, used_for, providers, synthetic }) =>
            providers.map(({ provider, start, end, rows }) => (
              <tr key={`${ticker} ${provider}`}>
                <td>{ticker}</td>
                <td className={secondary}>{USES[used_for]}</td>
                <td>{synthetic ? 'Synthetic sample market' : providerName(provider)}</td>
                <td className={numeric}>{formatDateRange(start, end)}</td>
                <td className={`${numeric} ${secondary}`}>{formatCount(rows)}</td>
              </tr>
            )),
          )}
        </tbody>
      </Table>
    </section>
  )
}
