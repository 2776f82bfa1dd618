import { createSignalAddress, deleteSignalAddress, getSignals } from '@tradewright/contract/external-signals'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/http.ts'

const keyOf = (strategyId: number) => ['external-signals', strategyId]
/** Signals come in while the page is open. */
const REFRESH_MS = 5_000

export const useSignals = (strategyId: number) =>
  useQuery({
    queryKey: keyOf(strategyId),
    queryFn: ({ signal }) => call(getSignals, { params: { id: strategyId }, signal }),
    refetchInterval: REFRESH_MS,
  })

export function useCreateAddress(strategyId: number) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(createSignalAddress, { params: { id: strategyId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(strategyId) }),
  })
}

export function useDeleteAddress(strategyId: number) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(deleteSignalAddress, { params: { id: strategyId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(strategyId) }),
  })
}
