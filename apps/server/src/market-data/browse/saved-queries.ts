import { Problem } from '@tradewright/core/problem'

export interface SavedQueryFilters {
  readonly name: string
  readonly description: string
  readonly tickers: readonly string[]
  readonly categories: readonly string[]
  readonly providers: readonly string[]
  readonly startDate: string | null
  readonly endDate: string | null
}

export interface SavedQuery extends SavedQueryFilters {
  readonly id: number
  readonly isDefault: boolean
  readonly useCount: number
}

/** Saved queries of each user; those of others do not exist for them. */
export interface SavedQueryStore {
  /** Most used first. */
  list(userId: number): Promise<SavedQuery[]>
  insert(userId: number, filters: SavedQueryFilters): Promise<SavedQuery>
  /** Counts a use and, given filters, changes it. */
  use(userId: number, id: number, filters: SavedQueryFilters | undefined): Promise<SavedQuery | undefined>
  remove(userId: number, id: number): Promise<boolean>
}

export async function useSavedQuery(
  queries: SavedQueryStore,
  userId: number,
  id: number,
  filters: SavedQueryFilters | undefined,
): Promise<SavedQuery> {
  const query = await queries.use(userId, id, filters)
  if (!query) throw queryMissing()
  return query
}

export async function deleteSavedQuery(queries: SavedQueryStore, userId: number, id: number): Promise<void> {
  if (!(await queries.remove(userId, id))) throw queryMissing()
}

const queryMissing = () => new Problem('missing', 'query.missing', 'There is no such saved query.')
