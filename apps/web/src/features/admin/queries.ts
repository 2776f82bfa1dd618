import type { AccountAction } from '@tradewright/core/account-actions'
import {
  actOnAccount,
  createInvitation,
  getOperatorOverview,
  type Invitation,
  listInvitations,
  listOperatorSecurityLog,
  listOperatorUsers,
  revokeInvitation,
} from '@tradewright/contract/operator'
import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/http.ts'

const POLL_INTERVAL_MS = 15_000
const INVITATIONS_KEY = ['operator', 'invitations']

export const useOverview = () =>
  useQuery({
    queryKey: ['operator', 'overview'],
    queryFn: ({ signal }) => call(getOperatorOverview, { signal }),
    refetchInterval: POLL_INTERVAL_MS,
  })

export const useUsers = (page: number) =>
  useQuery({
    queryKey: ['operator', 'users', page],
    queryFn: ({ signal }) => call(listOperatorUsers, { query: { page }, signal }),
    placeholderData: keepPreviousData,
  })

export function useActOnAccount() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, action }: { id: number; action: AccountAction }) =>
      call(actOnAccount, { params: { id }, body: { action } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['operator'] }),
  })
}

export const useSecurityLog = () =>
  useInfiniteQuery({
    queryKey: ['operator', 'security log'],
    queryFn: ({ pageParam, signal }) => call(listOperatorSecurityLog, { query: { before: pageParam }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ entries, has_more }) => (has_more ? entries.at(-1)?.id : undefined),
    refetchInterval: POLL_INTERVAL_MS,
  })

export const useInvitations = () =>
  useQuery({ queryKey: INVITATIONS_KEY, queryFn: ({ signal }) => call(listInvitations, { signal }) })

export function useCreateInvitation() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (days: number) => call(createInvitation, { body: { days } }),
    onSettled: () => queries.invalidateQueries({ queryKey: INVITATIONS_KEY }),
  })
}

export function useRevokeInvitation() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Invitation) => call(revokeInvitation, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: INVITATIONS_KEY }),
  })
}
