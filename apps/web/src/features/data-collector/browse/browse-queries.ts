import {
  applySavedQuery,
  BROWSE_PAGE_SIZE,
  browseData,
  browseWithTransforms,
  deleteSavedQuery,
  getAvailableData,
  listSavedQueries,
  listStarterTransforms,
  type SavedQuery,
  saveQuery,
} from '@tradewright/contract/collected-data'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useOfferUndo } from '../../../deletions/use-offer-undo.ts'
import { type AnswerOf, call } from '../../../lib/http.ts'
import { failed, succeeded } from '../messages.ts'
import { KEYS } from '../queries.ts'
import type { Tell } from '../use-notice.ts'
import { type BrowseState, type Filters, type Layer, toFilterBody } from './browse-state.ts'

const HOUR_MS = 3_600_000

export type BrowseAnswer = AnswerOf<typeof browseData>
export type TransformAnswer = AnswerOf<typeof browseWithTransforms>

export function useAvailableData(storeId: string, layer: Layer) {
  const query = { layer, ...(storeId === '' ? {} : { store_id: Number(storeId) }) }
  return useQuery({
    queryKey: [...KEYS.available, storeId, layer],
    queryFn: ({ signal }) => call(getAvailableData, { query, signal }),
  })
}

/** Asks nothing until Browse was pressed. The page before stays in sight until the next one is there. */
export function useBrowse({ asked, times, page, sortBy, sortOrder, search }: BrowseState) {
  return useQuery({
    queryKey: ['collected data', asked, times, page, sortBy, sortOrder, search],
    enabled: asked !== null,
    // Rows stay in sight until the next ones are there, but not those of another store.
    placeholderData: (before: BrowseAnswer | undefined, query) =>
      storeOf(query?.queryKey[1]) === asked?.storeId ? before : undefined,
    queryFn: ({ signal }) =>
      call(browseData, {
        body: {
          ...toFilterBody(asked!),
          page,
          per_page: BROWSE_PAGE_SIZE,
          sort_by: sortBy,
          sort_order: sortOrder,
          search,
        },
        signal,
      }),
  })
}

const storeOf = (asked: unknown): string | undefined =>
  typeof asked === 'object' && asked && 'storeId' in asked ? String(asked.storeId) : undefined

export function useSavedQueries() {
  return useQuery({
    queryKey: KEYS.savedQueries,
    queryFn: async ({ signal }) => (await call(listSavedQueries, { signal })).queries,
  })
}

interface NewQuery {
  name: string
  description: string
  filters: Filters
}

export function useSaveQuery({ tell, onSaved, onFailed }: { tell: Tell; onSaved: () => void; onFailed: Tell }) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ name, description, filters }: NewQuery) => {
      const { tickers, categories, providers, start_date, end_date } = toFilterBody(filters)
      return call(saveQuery, { body: { name, description, tickers, categories, providers, start_date, end_date } })
    },
    onSuccess: () => {
      tell(succeeded('saveQuery'))
      onSaved()
      return queries.invalidateQueries({ queryKey: KEYS.savedQueries })
    },
    onError: (error) => onFailed(failed('saveQuery', error)),
  })
}

/** Only counts the use; what is asked does not wait for it. */
export function useCountUse() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => call(applySavedQuery, { params: { id }, body: {} }),
    onSettled: () => queries.invalidateQueries({ queryKey: KEYS.savedQueries }),
  })
}

export function useDeleteQuery(tell: Tell) {
  const queries = useQueryClient()
  const offerUndo = useOfferUndo()
  return useMutation({
    mutationFn: ({ id }: SavedQuery) => call(deleteSavedQuery, { params: { id } }),
    onSuccess: (_, { id, name }) => {
      tell(succeeded('deleteQuery'))
      offerUndo(`query “${name}”`, [{ kind: 'saved-query', id }])
    },
    onError: (error) => tell(failed('deleteQuery', error)),
    onSettled: () => queries.invalidateQueries({ queryKey: KEYS.savedQueries }),
  })
}

/** They change with the program only. */
export function useStarterTransforms() {
  return useQuery({
    queryKey: ['starter transforms'],
    queryFn: async ({ signal }) => (await call(listStarterTransforms, { signal })).transforms,
    staleTime: HOUR_MS,
  })
}

export function useApplyTransform(tell: Tell) {
  return useMutation({
    mutationFn: ({ filters, transform }: { filters: Filters; transform: string }) =>
      call(browseWithTransforms, {
        body: { ...toFilterBody(filters), pivot: true, starter_transform: transform },
      }),
    onSuccess: () => tell(succeeded('transform')),
    onError: (error) => tell(failed('transform', error)),
  })
}
