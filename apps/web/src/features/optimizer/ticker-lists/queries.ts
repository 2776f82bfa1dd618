import {
  createTickerList,
  deleteTickerList,
  listTickerLists,
  type TickerListBody,
  updateTickerList,
} from '@tradewright/contract/ticker-lists'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/http.ts'

const LISTS_KEY = ['ticker lists'] as const

export function useTickerLists() {
  return useQuery({
    queryKey: LISTS_KEY,
    queryFn: async ({ signal }) => (await call(listTickerLists, { signal })).lists,
  })
}

interface Saving {
  /** Empty: a new list. */
  id: string
  body: TickerListBody
}

export function useSaveList() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, body }: Saving) => {
      const answer = id ? call(updateTickerList, { params: { id }, body }) : call(createTickerList, { body })
      return (await answer).list
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: LISTS_KEY }),
  })
}

export function useDeleteList() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(deleteTickerList, { params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: LISTS_KEY }),
  })
}
