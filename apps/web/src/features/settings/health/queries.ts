import { getSystemHealth } from '@tradewright/contract/health'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../../lib/http.ts'

const POLL_INTERVAL_MS = 15_000

export function useSystemHealth() {
  return useQuery({
    queryKey: ['system health'],
    queryFn: ({ signal }) => call(getSystemHealth, { signal }),
    refetchInterval: POLL_INTERVAL_MS,
  })
}
