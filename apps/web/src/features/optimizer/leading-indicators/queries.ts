import { getCorrelations, listIndicatorTickers } from '@tradewright/contract/leading-indicators'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/http.ts'
import { type Filters, queryOf } from './filters.ts'

export function useIndicatorTickers(isShown: boolean) {
  return useQuery({
    queryKey: ['indicator tickers'],
    queryFn: async ({ signal }) => (await call(listIndicatorTickers, { signal })).tickers,
    enabled: isShown,
  })
}

/** The former answer stays in sight, dimmed, until the new one is there. */
export function useCorrelations(filters: Filters, isShown: boolean) {
  return useQuery({
    queryKey: ['correlations', filters],
    queryFn: ({ signal }) =>
      call(getCorrelations, { params: { ticker: filters.ticker }, query: queryOf(filters), signal }),
    enabled: isShown && filters.ticker !== '',
    placeholderData: keepPreviousData,
    // Every change of a filter asks again, also one that was shown a moment ago.
    staleTime: 0,
    retry: false,
  })
}
