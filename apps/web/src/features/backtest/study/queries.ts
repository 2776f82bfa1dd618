import { cancelStudy, deleteStudy, getStudy, listStudies, startStudy } from '@tradewright/contract/studies'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/http.ts'
import type { toStudyRequest } from './study-form.ts'

const LIST = ['parameter studies']
const POLL_INTERVAL_MS = 700

export const useStudies = () =>
  useQuery({
    queryKey: LIST,
    queryFn: async ({ signal }) => (await call(listStudies, { signal })).studies,
  })

/** Asked again while it runs. A completed study never changes. */
export const useStudy = (id: number | null) =>
  useQuery({
    queryKey: ['parameter study', id],
    queryFn: ({ signal }) => call(getStudy, { params: { id: String(id) }, signal }),
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
      ...(id === undefined ? [] : [queries.invalidateQueries({ queryKey: ['parameter study', id] })]),
    ])
}

export function useStartStudy(onStarted: (id: number) => void) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (body: ReturnType<typeof toStudyRequest>) => call(startStudy, { body }),
    onSuccess: ({ study }) => {
      void refresh()
      onStarted(study.id)
    },
  })
}

export function useCancelStudy() {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (id: number) => call(cancelStudy, { params: { id: String(id) } }),
    onSuccess: (_, id) => refresh(id),
  })
}

export function useDeleteStudy(onDeleted: () => void) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: (id: number) => call(deleteStudy, { params: { id: String(id) } }),
    onSuccess: () => {
      onDeleted()
      return refresh()
    },
  })
}
