import {
  cancelConstruction,
  deleteConstruction,
  getConstruction,
  listConstructions,
  startConstruction,
} from '@tradewright/contract/construction'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/http.ts'
import type { toConstructRequest } from './construct-form.ts'

const LIST = ['portfolio constructions']
const POLL_INTERVAL_MS = 700

export const useConstructions = () =>
  useQuery({
    queryKey: LIST,
    queryFn: async ({ signal }) => (await call(listConstructions, { signal })).constructions,
  })

/** Asked again while it runs. One that is complete never changes. */
export const useConstruction = (id: number | null) =>
  useQuery({
    queryKey: ['portfolio construction', id],
    queryFn: ({ signal }) => call(getConstruction, { params: { id: String(id) }, signal }),
    enabled: id !== null,
    retry: false,
    structuralSharing: false,
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? POLL_INTERVAL_MS : false),
  })

function useRefresh() {
  const queries = useQueryClient()
  return (id?: number) =>
    Promise.all([
      queries.invalidateQueries({ queryKey: LIST }),
      ...(id === undefined ? [] : [queries.invalidateQueries({ queryKey: ['portfolio construction', id] })]),
    ])
}

export function useStartConstruction(onStarted: (id: number) => void) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (body: ReturnType<typeof toConstructRequest>) => call(startConstruction, { body }),
    onSuccess: ({ construction }) => {
      void refresh()
      onStarted(construction.id)
    },
  })
}

export function useCancelConstruction() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (id: number) => call(cancelConstruction, { params: { id: String(id) } }),
    onSuccess: (_, id) => refresh(id),
  })
}

export function useDeleteConstruction(onDeleted: () => void) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (id: number) => call(deleteConstruction, { params: { id: String(id) } }),
    onSuccess: () => {
      onDeleted()
      return refresh()
    },
  })
}
