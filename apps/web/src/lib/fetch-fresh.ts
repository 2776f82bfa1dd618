import { CancelledError, type FetchQueryOptions, type QueryClient, type QueryKey } from '@tanstack/react-query'

/** More cancellations in a row are no coincidence. */
const MAX_TRIES = 5

/**
 * An answer of now, for what is done with it here. A screen that shows the same data cancels the call when it goes away or is
 * refreshed; that is no failure of this one, which asks again.
 */
export async function fetchFresh<Data, Key extends QueryKey>(
  queries: QueryClient,
  options: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  for (let left = MAX_TRIES; ; left -= 1) {
    try {
      return await queries.fetchQuery({ ...options, staleTime: 0 })
    } catch (error) {
      if (!(error instanceof CancelledError) || left === 1) throw error
    }
  }
}
