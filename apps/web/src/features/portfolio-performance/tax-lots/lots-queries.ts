import {
  getSaleLots,
  getStatement,
  getTaxLots,
  type LotMethod,
  setLotMethod,
  setSaleLots,
} from '@tradewright/contract/tax-lots'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/http.ts'

/** While activities are still being collected. */
const ASK_AGAIN_MS = 2_000

const keyOf = (accountId: number) => ['tax lots', accountId] as const

export function useTaxLots(accountId: number, year: number | null, isOpen: boolean) {
  return useQuery({
    queryKey: [...keyOf(accountId), year],
    enabled: isOpen,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const query = { account_id: accountId, ...(year !== null && { year }) }
      return (await call(getTaxLots, { query, signal })).tax
    },
    refetchInterval: ({ state: { data } }) => (data && !data.is_complete ? ASK_AGAIN_MS : false),
  })
}

export function useSetLotMethod(accountId: number) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (method: LotMethod) => call(setLotMethod, { body: { account_id: accountId, method } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(accountId) }),
  })
}

export function useSaleLots(accountId: number, saleId: string) {
  return useQuery({
    queryKey: ['sale lots', accountId, saleId],
    queryFn: ({ signal }) => call(getSaleLots, { query: { account_id: accountId, sale_id: saleId }, signal }),
  })
}

export function useSetSaleLots(accountId: number, saleId: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (lots: { purchase_id: string; qty: string }[]) =>
      call(setSaleLots, { body: { account_id: accountId, sale_id: saleId, lots } }),
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: keyOf(accountId) }),
        queries.invalidateQueries({ queryKey: ['sale lots', accountId] }),
      ]),
  })
}

export function useStatement(accountId: number, month: string) {
  return useQuery({
    queryKey: ['statement', accountId, month],
    queryFn: async ({ signal }) =>
      (await call(getStatement, { query: { account_id: accountId, month }, signal })).statement,
  })
}
