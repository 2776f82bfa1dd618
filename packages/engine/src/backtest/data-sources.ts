import type { Granularity } from '@tradewright/core/granularity'
import { type EpochDay, epochDayOf } from '@tradewright/core/time'
import type { SeriesTable } from '../market/series.ts'
import type { BacktestSettings } from './request.ts'

interface DataSource {
  readonly provider: string
  readonly tickers: readonly string[]
  readonly start: EpochDay
  readonly end: EpochDay
  readonly rows: number
}

/** Where the series of one purpose came from, as the Data Sources panel shows it. */
export interface DataSources {
  readonly requested: { readonly start: EpochDay; readonly end: EpochDay; readonly granularity: Granularity }
  /** Undefined when nothing was fetched for it. */
  readonly combined: { readonly start: EpochDay; readonly end: EpochDay; readonly rows: number } | undefined
  readonly providers: readonly DataSource[]
}

export function dataSourcesOf(
  tables: readonly SeriesTable[],
  { from, to, granularity }: BacktestSettings,
): DataSources {
  const parts = tables.flatMap(({ ticker, sources }) => sources.map((source) => ({ ticker, ...source })))
  const names = [...new Set(parts.map(({ provider }) => provider))].sort()
  const providers = names.map((provider) => {
    const own = parts.filter((part) => part.provider === provider)
    return {
      provider,
      tickers: [...new Set(own.map(({ ticker }) => ticker))].sort(),
      start: epochDayOf(Math.min(...own.map((part) => part.from))),
      end: epochDayOf(Math.max(...own.map(({ last }) => last))),
      rows: own.reduce((sum, { rows }) => sum + rows, 0),
    }
  })
  const combined = providers.length === 0 ? undefined : combine(providers)
  return { requested: { start: from, end: to, granularity }, combined, providers }
}

const combine = (providers: readonly DataSource[]) => ({
  start: Math.min(...providers.map(({ start }) => start)),
  end: Math.max(...providers.map(({ end }) => end)),
  rows: providers.reduce((sum, { rows }) => sum + rows, 0),
})
