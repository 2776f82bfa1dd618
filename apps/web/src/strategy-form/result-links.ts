import {
  createResultLink,
  listResultLinks,
  type ResultLink,
  revokeResultLink,
  SHARED_PATH,
} from '@tradewright/contract/shared-results'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../lib/http.ts'

const LINKS_KEY = ['result links']

export function useResultLinks() {
  return useQuery({
    queryKey: LINKS_KEY,
    queryFn: async ({ signal }) => (await call(listResultLinks, { signal })).links,
  })
}

export function useCreateLink() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, days, withPassport }: { id: number; days: 7 | 30 | 365; withPassport: boolean }) =>
      call(createResultLink, { params: { id }, body: { days, with_passport: withPassport } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: LINKS_KEY }),
  })
}

export function useRevokeLink() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: ResultLink) => call(revokeResultLink, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: LINKS_KEY }),
  })
}

export const addressOf = (token: string): string => `${window.location.origin}${SHARED_PATH}${token}`

/** Names and addresses that every computer gives to itself. */
export const isLoopback = (host: string): boolean => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/i.test(host)
