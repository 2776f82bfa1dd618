import {
  clearDataStore,
  createDataStore,
  type DataStoreBody,
  deleteDataStore,
  listDataStores,
  updateDataStore,
} from '@tradewright/contract/data-stores'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/http.ts'
import type { SettingsMessage } from '../messages.ts'
import { failed, saved } from './messages.ts'

type Tell = (message: SettingsMessage) => void

const KEY = ['data stores']

export function useDataStores() {
  return useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await call(listDataStores, { signal })).data_stores,
  })
}

interface SavedStore {
  /** Undefined: a new one. */
  id: number | undefined
  body: DataStoreBody
}

/** The connection is tried before anything is saved, so the answer may take a moment. */
export function useSaveStore(tell: Tell) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, body }: SavedStore) =>
      id === undefined ? call(createDataStore, { body }) : call(updateDataStore, { params: { id }, body }),
    onSuccess: ({ data_store }, { id }) => {
      tell(saved(id === undefined ? 'added' : 'updated', data_store.unverified_reason))
      return queries.invalidateQueries({ queryKey: KEY })
    },
    onError: (error, { id }) => tell(failed(id === undefined ? 'add' : 'update', error)),
  })
}

export function useDeleteStore(tell: Tell) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(deleteDataStore, { params: { id } }),
    onSuccess: () => tell({ kind: 'success', text: 'Data store deleted successfully!' }),
    onError: (error) => tell(failed('delete', error)),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  })
}

export function useClearStore(tell: Tell) {
  return useMutation({
    mutationFn: (id: number) => call(clearDataStore, { params: { id } }),
    onSuccess: ({ message }) => tell({ kind: 'success', text: message }),
    onError: (error) => tell(failed('clear', error)),
  })
}
