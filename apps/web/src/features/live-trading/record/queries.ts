import {
  closeRecord,
  getRecord,
  getSharedRecord,
  openRecord,
  shareRecord,
  unshareRecord,
} from '@tradewright/contract/forward-records'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/http.ts'

const keyOf = (deploymentId: number) => ['forward-record', deploymentId]

export const useRecord = (deploymentId: number) =>
  useQuery({
    queryKey: keyOf(deploymentId),
    queryFn: ({ signal }) => call(getRecord, { params: { id: deploymentId }, signal }),
  })

export const useSharedRecord = (token: string) =>
  useQuery({
    queryKey: ['shared record', token],
    queryFn: ({ signal }) => call(getSharedRecord, { params: { token }, signal }),
    retry: false,
    staleTime: Infinity,
  })

function useChange<Result>(deploymentId: number, change: () => Promise<Result>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(deploymentId) }),
  })
}

const of = (id: number) => ({ params: { id } })
export const useOpenRecord = (id: number) => useChange(id, () => call(openRecord, of(id)))
export const useCloseRecord = (id: number) => useChange(id, () => call(closeRecord, of(id)))
export const useShareRecord = (id: number) => useChange(id, () => call(shareRecord, { ...of(id), body: {} }))
export const useUnshareRecord = (id: number) => useChange(id, () => call(unshareRecord, of(id)))
