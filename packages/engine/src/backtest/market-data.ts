import { Problem } from '@tradewright/core/problem'
import { type EpochDay, formatDate } from '@tradewright/core/time'
import { actionsOf, type CorporateActions } from '../market/corporate-actions.ts'
import type { SeriesTable } from '../market/series.ts'

/** Everything a run may use, fetched before it starts. Nothing here is adjusted. */
export interface MarketData {
  /** By symbol without leverage, at the granularity of the run; economic series at their own. */
  readonly series: ReadonlyMap<string, SeriesTable>
  /** By symbol, where the rows do not hold them themselves (bars within the day). */
  readonly actions?: ReadonlyMap<string, CorporateActions>
}

/** A raw series where there is one with rows; asking for it counts as using it. */
export type SeriesLookup = (symbol: string) => SeriesTable | undefined

export const actionsFor = (data: MarketData, table: SeriesTable): CorporateActions =>
  data.actions?.get(table.ticker) ?? actionsOf(table)

/** The sentence for a series that is missing. */
export const noDataFor = (ticker: string, from: EpochDay, to: EpochDay): Problem =>
  new Problem(
    'invalid',
    'backtest.no-data',
    `There is no data for ${ticker} between ${formatDate(from)} and ${formatDate(to)}.`,
  )
