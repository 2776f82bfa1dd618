import * as contract from '@tradewright/contract/forward-records'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/http.ts'
import { PUBLIC } from '../../../lib/public-queries.ts'

/** Whose decisions are written down. */
export interface Recorded {
  readonly of: 'deployment' | 'strategy'
  readonly id: number
}

const ROUTES = {
  deployment: {
    get: contract.getRecord,
    open: contract.openRecord,
    close: contract.closeRecord,
    share: contract.shareRecord,
    unshare: contract.unshareRecord,
  },
  strategy: {
    get: contract.getStrategyRecord,
    open: contract.openStrategyRecord,
    close: contract.closeStrategyRecord,
    share: contract.shareStrategyRecord,
    unshare: contract.unshareStrategyRecord,
  },
} as const

export const fileOf = ({ of, id }: Recorded): string =>
  of === 'deployment' ? `/api/deployment/${id}/record/file` : `/api/strategies/${id}/record/file`

const keyOf = ({ of, id }: Recorded) => ['forward-record', of, id]

export const useRecord = (recorded: Recorded) =>
  useQuery({
    queryKey: keyOf(recorded),
    queryFn: ({ signal }) => call(ROUTES[recorded.of].get, { params: { id: recorded.id }, signal }),
  })

export const useSharedRecord = (token: string) =>
  useQuery({
    queryKey: ['shared record', token],
    meta: PUBLIC,
    queryFn: ({ signal }) => call(contract.getSharedRecord, { params: { token }, signal }),
    retry: false,
    staleTime: Infinity,
  })

function useChange<Result>(recorded: Recorded, change: () => Promise<Result>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(recorded) }),
  })
}

const params = ({ id }: Recorded) => ({ params: { id } })
export const useOpenRecord = (own: Recorded) => useChange(own, () => call(ROUTES[own.of].open, params(own)))
export const useCloseRecord = (own: Recorded) => useChange(own, () => call(ROUTES[own.of].close, params(own)))
export const useShareRecord = (own: Recorded) =>
  useChange(own, () => call(ROUTES[own.of].share, { ...params(own), body: {} }))
export const useUnshareRecord = (own: Recorded) => useChange(own, () => call(ROUTES[own.of].unshare, params(own)))
