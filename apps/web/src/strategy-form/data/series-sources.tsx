import type { SeriesSource } from '@tradewright/contract/backtest-figures'
import { formatCount } from '../../lib/format.ts'
import { formatDateRange } from '../../lib/format-time.ts'
import classes from './fetched-data.module.css'
import { providerName } from './provider-badges.ts'

const USES: Record<SeriesSource['used_for'], string> = {
  traded: 'Traded',
  feature: 'Feature',
  reference: 'Reference',
  rate: 'Rate or index',
}

interface SplicedTicker {
  ticker: string
  stand_ins: readonly { ticker: string; start_date: string; end_date: string }[]
}

/** Whose prices stand in for a ticker before it had its own. */
export function SplicedTickers({ spliced }: { spliced: readonly SplicedTicker[] }) {
  if (spliced.length === 0) return null
  return (
    <section className={classes.fetch}>
      <h3>Fallbacks</h3>
      <ul className={`${classes.series} tabular`}>
        {spliced.flatMap(({ ticker, stand_ins }) =>
          stand_ins.map((one) => (
            <li key={`${ticker} ${one.ticker}`}>
              <b>{ticker}</b> is {one.ticker} · {formatDateRange(one.start_date, one.end_date)}
            </li>
          )),
        )}
      </ul>
    </section>
  )
}

/** Where each series came from, and what it was used for. */
export function SeriesSources({ series }: { series: readonly SeriesSource[] }) {
  if (series.length === 0) return null
  return (
    <section className={classes.fetch}>
      <h3>Series</h3>
      <ul className={`${classes.series} tabular`}>
        {series.flatMap(({ ticker, used_for, providers, synthetic }) =>
          providers.map(({ provider, start, end, rows }) => (
            <li key={`${ticker} ${provider}`}>
              <b>{ticker}</b> {USES[used_for]} · {synthetic ? 'synthetic sample market' : providerName(provider)} ·{' '}
              {formatDateRange(start, end)} · {formatCount(rows)} rows
            </li>
          )),
        )}
      </ul>
    </section>
  )
}
