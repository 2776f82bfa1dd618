import { CORRELATION_LIMIT, DEFAULT_ANALYSIS_PERIOD, MIN_CORRELATION } from '@tradewright/contract/leading-indicators'

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
