import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { acknowledgeAlert, acknowledgeAlerts, getInbox, type InboxAlert } from '@tradewright/contract/alerts'
import { call } from '../../lib/http.ts'

const KEY = ['inbox']
/** For the count in the header as well. */
const POLL_INTERVAL_MS = 30_000

export const useInbox = () =>
  useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await call(getInbox, { signal })).alerts,
    refetchInterval: POLL_INTERVAL_MS,
  })

/** One alert, or all of them. */
export function useAcknowledge() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (id: number | 'all') =>
      (await (id === 'all' ? call(acknowledgeAlerts) : call(acknowledgeAlert, { params: { id } }))).alerts,
    onSuccess: (alerts) => queries.setQueryData(KEY, alerts),
  })
}

/** It should be known, and was not acknowledged. */
export const asksForYou = ({ state, acknowledged_at }: Pick<InboxAlert, 'state' | 'acknowledged_at'>): boolean =>
  state !== 'over' && acknowledged_at === null
