import { listFeatures, listTargets } from '@tradewright/contract/features'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../lib/http.ts'

const HOUR_MS = 3_600_000

/** The catalogue changes with the program only. */
export const featuresQuery = queryOptions({
  queryKey: ['features'],
  queryFn: async ({ signal }) => (await call(listFeatures, { signal })).features,
  staleTime: HOUR_MS,
})

export const useFeatures = () => useQuery(featuresQuery)

export function useTargets() {
  return useQuery({
    queryKey: ['targets'],
    queryFn: async ({ signal }) => (await call(listTargets, { signal })).targets,
    staleTime: HOUR_MS,
  })
}
