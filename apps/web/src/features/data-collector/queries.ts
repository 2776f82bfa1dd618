import {
  listCollectionJobs,
  listCollectionRuns,
  listProviders,
  generateProvider,
} from '@tradewright/contract/data-collector'
import { listDataStores, clearDataStore, deleteDataStore, getStoreQuality } from '@tradewright/contract/data-stores'
import { type QueryClient, useQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { deleteProvider, renameProvider, saveProvider, tryProvider } from '@tradewright/contract/custom-providers'
import type { LAYERS } from '@tradewright/contract/data-collector-fields'
import { call } from '../../lib/http.ts'
import { failed, succeeded, type Tell } from './notice.tsx'

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

export interface ApiForm {
  provider_name: string
  api_documentation: string
  additional_context: string
}

interface Candidate {
  definition: unknown
  ticker: string
  api_key: string
}

export function useGenerateProvider(tell: Tell) {
  return useMutation({
    mutationFn: (form: ApiForm) => call(generateProvider, { body: form }),
    onSuccess: () => tell(succeeded('generate')),
    onError: (error) => tell(failed('generate', error)),
  })
}

export function useTryProvider(tell: Tell) {
  return useMutation({
    mutationFn: async (candidate: Candidate) => (await call(tryProvider, { body: candidate })).dry_run,
    onError: (error) => tell(failed('tryProvider', error)),
  })
}

export function useSaveProvider({ tell, onSaved, onFailed }: { tell: Tell; onSaved: () => void; onFailed: Tell }) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (candidate: Candidate) => call(saveProvider, { body: candidate }),
    onSuccess: () => {
      tell(succeeded('saveProvider'))
      onSaved()
      return queries.invalidateQueries({ queryKey: KEYS.providers })
    },
    onError: (error) => onFailed(failed('saveProvider', error)),
  })
}

export function useRenameProvider(tell: Tell) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, display_name }: { id: string; display_name: string }) =>
      call(renameProvider, { params: { id }, body: { display_name } }),
    onSuccess: () => tell(succeeded('renameProvider')),
    onError: (error) => tell(failed('renameProvider', error)),
    onSettled: () => refresh(queries),
  })
}

export function useDeleteProvider(tell: Tell) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(deleteProvider, { params: { id } }),
    onSuccess: () => tell(succeeded('deleteProvider')),
    onError: (error) => tell(failed('deleteProvider', error)),
    onSettled: () => refresh(queries),
  })
}

/** Jobs show the names of their providers. */
const refresh = (queries: ReturnType<typeof useQueryClient>) =>
  Promise.all([KEYS.providers, KEYS.jobs].map((queryKey) => queries.invalidateQueries({ queryKey })))

export function useDeleteStore(tell: Tell) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(deleteDataStore, { params: { id } }),
    onSuccess: () => tell(succeeded('deleteStore')),
    onError: (error) => tell(failed('deleteStore', error)),
    onSettled: () => queries.invalidateQueries({ queryKey: KEYS.stores }),
  })
}

export function useClearStore(tell: Tell) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(clearDataStore, { params: { id } }),
    onSuccess: ({ message }) => tell({ kind: 'success', text: message }),
    onError: (error) => tell(failed('clearStore', error)),
    onSettled: () => refreshData(queries),
  })
}

/** Reads every series of the store, so it is asked for and not kept up to date by itself. */
export function useStoreQuality(id: number, layer: (typeof LAYERS)[number]) {
  return useQuery({
    queryKey: [...KEYS.quality, id, layer],
    queryFn: async ({ signal }) => (await call(getStoreQuality, { params: { id }, query: { layer }, signal })).series,
  })
}
