import { listCollectionJobs, listCollectionRuns, listProviders } from '@tradewright/contract/data-collector'
import { listDataStores } from '@tradewright/contract/data-stores'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'

export const KEYS = {
  providers: ['data providers'],
  stores: ['data stores'],
  jobs: ['collection jobs'],
  runs: ['collection runs'],
  /** Options of the filters. */
  available: ['available data'],
  quality: ['data quality'],
  savedQueries: ['saved queries'],
} as const

/** While something runs, in case the feed of events is cut off. */
const LOOK_AGAIN_MS = 2_000

export function useProviders() {
  return useQuery({
    queryKey: KEYS.providers,
    queryFn: async ({ signal }) => (await call(listProviders, { signal })).providers,
  })
}

export function useDataStores() {
  return useQuery({
    queryKey: KEYS.stores,
    queryFn: async ({ signal }) => (await call(listDataStores, { signal })).data_stores,
  })
}

export function useCollectionJobs() {
  return useQuery({
    queryKey: KEYS.jobs,
    queryFn: async ({ signal }) => (await call(listCollectionJobs, { signal })).jobs,
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'running') ? LOOK_AGAIN_MS : false),
  })
}

export function useCollectionRuns() {
  return useQuery({
    queryKey: KEYS.runs,
    queryFn: async ({ signal }) => (await call(listCollectionRuns, { signal })).runs,
  })
}

export function refreshRuns(queries: QueryClient): Promise<unknown> {
  return Promise.all([KEYS.jobs, KEYS.runs].map((queryKey) => queries.invalidateQueries({ queryKey })))
}

/** Asks again for what changes when records come or go. */
export function refreshData(queries: QueryClient): Promise<unknown> {
  return Promise.all([KEYS.available, KEYS.quality].map((queryKey) => queries.invalidateQueries({ queryKey })))
}
