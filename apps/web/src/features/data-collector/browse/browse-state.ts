import {
  DATA_EXPORT_PATH,
  type EXPORT_FORMATS,
  type SavedQuery,
  SORT_FIELDS,
  applySavedQuery,
  BROWSE_PAGE_SIZE,
  browseData,
  browseWithTransforms,
  deleteSavedQuery,
  getAvailableData,
  listSavedQueries,
  listStarterTransforms,
  saveQuery,
  type DataRecord,
} from '@tradewright/contract/collected-data'
import type { LAYERS } from '@tradewright/contract/data-collector-fields'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useOfferUndo } from '../../../deletions/use-offer-undo.ts'
import { type AnswerOf, call } from '../../../lib/http.ts'
import { failed, succeeded, type Tell } from '../notice.tsx'
import { KEYS } from '../queries.ts'
import { formatNumber } from '../../../lib/format.ts'
import { formatDate, formatMarketMoment } from '../../../lib/format-time.ts'

export type Layer = (typeof LAYERS)[number]
export type SortField = (typeof SORT_FIELDS)[number]

export interface Filters {
  /** Empty: the default store. */
  storeId: string
  layer: Layer
  startDate: string
  endDate: string
  /** A date: what the store held at its end. Empty: what it holds now. */
  asOf: string
  tickers: string[]
  categories: string[]
  providers: string[]
}

export interface BrowseState {
  /** As the fields stand. */
  filters: Filters
  /** As they stood when Browse was pressed last: paging, sorting and searching stay within these. */
  asked: Filters | null
  /** Counts the presses, so that the same question is asked anew. */
  times: number
  page: number
  sortBy: SortField
  sortOrder: 'asc' | 'desc'
  search: string
}

const NO_SELECTION = { tickers: [], categories: [], providers: [] }

export const INITIAL: BrowseState = {
  filters: { storeId: '', layer: 'gold', startDate: '', endDate: '', asOf: '', ...NO_SELECTION },
  asked: null,
  times: 0,
  page: 1,
  sortBy: 'timestamp',
  sortOrder: 'desc',
  search: '',
}

export type BrowseAction =
  | { do: 'filter'; change: Partial<Omit<Filters, 'storeId' | 'layer'>> }
  | { do: 'choose store'; storeId: string }
  | { do: 'choose layer'; layer: Layer }
  | { do: 'apply query'; query: SavedQuery }
  | { do: 'browse' }
  | { do: 'sort'; by: SortField }
  | { do: 'search'; text: string }
  | { do: 'turn to'; page: number }

export function browseReducer(state: BrowseState, action: BrowseAction): BrowseState {
  switch (action.do) {
    case 'filter':
      return { ...state, filters: { ...state.filters, ...action.change } }
    case 'choose store':
      return { ...state, filters: { ...state.filters, ...NO_SELECTION, storeId: action.storeId }, asked: null, page: 1 }
    case 'choose layer':
      return { ...state, filters: { ...state.filters, layer: action.layer }, page: 1 }
    case 'apply query':
      return asked({ ...state, filters: { ...state.filters, ...filtersOf(action.query) } })
    case 'browse':
      return asked(state)
    case 'sort':
      return { ...state, ...sorted(state, action.by), page: 1 }
    case 'search':
      return { ...state, search: action.text, page: 1 }
    case 'turn to':
      break
  }
  return { ...state, page: action.page }
}

const asked = (state: BrowseState): BrowseState => ({
  ...state,
  asked: state.filters,
  times: state.times + 1,
  page: 1,
})

/** The same column turns round; another one starts ascending. */
function sorted({ sortBy, sortOrder }: BrowseState, by: SortField): Pick<BrowseState, 'sortBy' | 'sortOrder'> {
  return { sortBy: by, sortOrder: by === sortBy && sortOrder === 'asc' ? 'desc' : 'asc' }
}

const filtersOf = (query: SavedQuery): Omit<Filters, 'storeId' | 'layer' | 'asOf'> => ({
  tickers: query.tickers,
  categories: query.categories,
  providers: query.providers,
  startDate: query.start_date ?? '',
  endDate: query.end_date ?? '',
})

export const hasSelection = ({ tickers, categories, providers }: Filters): boolean =>
  tickers.length + categories.length + providers.length > 0

/** The fields have moved on since the records in sight were asked for. */
export const isOutdated = ({ filters, asked }: BrowseState): boolean =>
  asked !== null && JSON.stringify(filters) !== JSON.stringify(asked)

/** The filters as every call of the Data Collector takes them. */
export const toFilterBody = (filters: Filters) => ({
  tickers: filters.tickers,
  categories: filters.categories,
  providers: filters.providers,
  start_date: filters.startDate,
  end_date: filters.endDate,
  layer: filters.layer,
  store_id: filters.storeId === '' ? ('' as const) : Number(filters.storeId),
  ...(filters.asOf !== '' && { as_of: endOfDay(filters.asOf) }),
})

const endOfDay = (date: string): string => `${date}T23:59:59.999Z`

/** Where the server has the records of these filters as a file. */
export function downloadAddress(filters: Filters, format: (typeof EXPORT_FORMATS)[number]): string {
  const { tickers, categories, providers, store_id, ...rest } = toFilterBody(filters)
  const lists = { tickers: tickers.join(), categories: categories.join(), providers: providers.join() }
  const fields = { format, ...rest, ...lists, store_id: String(store_id) }
  return `${DATA_EXPORT_PATH}?${new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== '')).toString()}`
}

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

/** Volumes without decimals, everything else with two. */
export const formatValue = (value: number | null, category: string): string =>
  formatNumber(value, { decimals: category === 'volume' ? 0 : 2 })

/** A daily row belongs to a date, the others to a moment. */
export const recordTime = ({ timestamp, granularity }: Pick<DataRecord, 'timestamp' | 'granularity'>): string =>
  granularity === '1d' ? formatDate(timestamp) : formatMarketMoment(timestamp)
