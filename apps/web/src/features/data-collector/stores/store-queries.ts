import { clearDataStore, deleteDataStore, getStoreQuality } from '@tradewright/contract/data-stores'
import type { LAYERS } from '@tradewright/contract/data-collector-fields'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/http.ts'
import { failed, succeeded } from '../messages.ts'
import { KEYS, refreshData } from '../queries.ts'
import type { Tell } from '../use-notice.ts'

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
