import {
  createTickerList,
  deleteTickerList,
  type TickerListBody,
  updateTickerList,
} from '@tradewright/contract/ticker-lists'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/http.ts'
import { TICKER_LISTS_KEY } from '../../../strategy-form/tickers/ticker-queries.ts'

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
    onSuccess: () => queries.invalidateQueries({ queryKey: TICKER_LISTS_KEY }),
  })
}

export function useDeleteList() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(deleteTickerList, { params: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: TICKER_LISTS_KEY }),
  })
}
