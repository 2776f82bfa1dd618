import type { SavedQuery } from '@tradewright/contract/collected-data'
import { expect, it } from 'vitest'
import { type BrowseAction, browseReducer, hasSelection, INITIAL, isOutdated, toFilterBody } from './browse-state.ts'

const after = (...actions: BrowseAction[]) => actions.reduce(browseReducer, INITIAL)
const chosen: BrowseAction = { do: 'filter', change: { tickers: ['SPY'] } }

it('begins with gold, newest first [DATA-051] [DATA-056]', () => {
  expect(INITIAL).toMatchObject({ filters: { layer: 'gold' }, sortBy: 'timestamp', sortOrder: 'desc', asked: null })
})

it('turns the order of a column round, and starts another one ascending [DATA-055]', () => {
  expect(after({ do: 'sort', by: 'timestamp' })).toMatchObject({ sortBy: 'timestamp', sortOrder: 'asc' })
  expect(after({ do: 'sort', by: 'value' })).toMatchObject({ sortBy: 'value', sortOrder: 'asc' })
  expect(after({ do: 'sort', by: 'value' }, { do: 'sort', by: 'value' })).toMatchObject({ sortOrder: 'desc' })
})

it('goes back to page 1 with another store or layer, and with the store forgets selection and results [DATA-052] [DATA-053]', () => {
  const browsed: BrowseAction[] = [chosen, { do: 'browse' }, { do: 'turn to', page: 3 }]
  expect(after(...browsed)).toMatchObject({ page: 3, asked: { tickers: ['SPY'] } })
  expect(after(...browsed, { do: 'choose layer', layer: 'silver' })).toMatchObject({
    page: 1,
    filters: { layer: 'silver', tickers: ['SPY'] },
    asked: { layer: 'gold' },
  })
  expect(after(...browsed, { do: 'choose store', storeId: '7' })).toMatchObject({
    page: 1,
    filters: { storeId: '7', tickers: [] },
    asked: null,
  })
})

it('stays with the question that was asked until Browse is pressed again', () => {
  const moved = after(chosen, { do: 'browse' }, { do: 'filter', change: { tickers: ['TLT'] } })
  expect(moved.asked?.tickers).toEqual(['SPY'])
  expect(isOutdated(moved)).toBe(true)
  expect(isOutdated(browseReducer(moved, { do: 'browse' }))).toBe(false)
})

it('asks what a saved query says, within the store and layer in sight', () => {
  const query: SavedQuery = {
    id: 1,
    name: 'Bonds',
    description: '',
    tickers: ['TLT'],
    categories: ['close'],
    providers: [],
    start_date: '2024-01-01',
    end_date: null,
    is_default: false,
    use_count: 0,
  }
  expect(after({ do: 'choose layer', layer: 'bronze' }, { do: 'apply query', query })).toMatchObject({
    asked: { layer: 'bronze', tickers: ['TLT'], categories: ['close'], startDate: '2024-01-01', endDate: '' },
    times: 1,
  })
})

it('has something to save once a ticker, category or provider is chosen [DATA-072]', () => {
  expect(hasSelection(INITIAL.filters)).toBe(false)
  expect(hasSelection(after({ do: 'filter', change: { startDate: '2024-01-01' } }).filters)).toBe(false)
  expect(hasSelection(after(chosen).filters)).toBe(true)
})

it('leaves the store out while none is chosen', () => {
  expect(toFilterBody(INITIAL.filters)).toMatchObject({ store_id: '', layer: 'gold', start_date: '' })
  expect(toFilterBody(after({ do: 'choose store', storeId: '7' }).filters)).toMatchObject({ store_id: 7 })
})
