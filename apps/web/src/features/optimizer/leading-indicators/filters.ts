import {
  ANALYSIS_PERIODS,
  CORRELATION_LIMIT,
  DEFAULT_ANALYSIS_PERIOD,
  LAGS,
  MIN_CORRELATION,
} from '@tradewright/contract/leading-indicators'

export const ALL_LAGS = 'all'

export interface Filters {
  /** Empty: none chosen yet. */
  ticker: string
  periodDays: string
  lagDays: string
  minCorrelation: number
}

export const NO_FILTERS: Filters = {
  ticker: '',
  periodDays: String(DEFAULT_ANALYSIS_PERIOD),
  lagDays: ALL_LAGS,
  minCorrelation: MIN_CORRELATION.default,
}

/** The lag is left out for all of them. */
export const queryOf = ({ periodDays, lagDays, minCorrelation }: Filters) => ({
  min_correlation: String(minCorrelation),
  period_days: periodDays,
  limit: String(CORRELATION_LIMIT),
  ...(lagDays === ALL_LAGS ? {} : { lag_days: lagDays }),
})

/** From an address; what is missing or unknown there keeps its default. */
export function fromAddress(query: URLSearchParams): Filters {
  const oneOf = (name: string, known: readonly number[]) => known.map(String).find((one) => one === query.get(name))
  const min = Number(query.get('min') ?? Number.NaN)
  return {
    ticker: query.get('ticker') ?? NO_FILTERS.ticker,
    periodDays: oneOf('days', ANALYSIS_PERIODS) ?? NO_FILTERS.periodDays,
    lagDays: oneOf('lag', LAGS) ?? NO_FILTERS.lagDays,
    minCorrelation: min >= MIN_CORRELATION.min && min <= MIN_CORRELATION.max ? min : NO_FILTERS.minCorrelation,
  }
}

/** The rest of the address stays; defaults need no word. */
export function toAddress(before: string, filters: Filters): URLSearchParams {
  const query = new URLSearchParams(before)
  for (const [name, field] of [
    ['ticker', 'ticker'],
    ['days', 'periodDays'],
    ['lag', 'lagDays'],
    ['min', 'minCorrelation'],
  ] as const) {
    if (filters[field] === NO_FILTERS[field]) query.delete(name)
    else query.set(name, String(filters[field]))
  }
  return query
}
