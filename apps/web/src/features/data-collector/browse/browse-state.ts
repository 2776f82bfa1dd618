import {
  DATA_EXPORT_PATH,
  type EXPORT_FORMATS,
  type SavedQuery,
  SORT_FIELDS,
} from '@tradewright/contract/collected-data'
import type { LAYERS } from '@tradewright/contract/data-collector-fields'

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
