import { expect, it } from 'vitest'
import { isEdited, NOTHING_TO_DELETE, refusalOfList, usedListIds } from '../form/form.ts'

const draft = { type: 'target', text: 'SPY', name: 'Core', updated: null } as const

it('refuses a list without tickers, in the words of its kind [LISTS-012, LISTS-013]', () => {
  expect(refusalOfList({ ...draft, text: ' , ' })).toBe('Add at least one target ticker before saving a list.')
  expect(refusalOfList({ ...draft, type: 'feature', text: '' })).toBe(
    'Add at least one related asset before saving a list.',
  )
})

it('refuses an update without a list, and a list without a name [LISTS-014, LISTS-015]', () => {
  expect(refusalOfList({ ...draft, updated: { id: '' } })).toBe('Select an existing list to update.')
  expect(refusalOfList({ ...draft, name: ' ' })).toBe('List name cannot be empty.')
  expect(refusalOfList({ ...draft, updated: { id: '3' } })).toBeNull()
  expect(NOTHING_TO_DELETE).toBe('Select a list before attempting to delete.')
})

const coins = { id: 3, tickers: ['BTC-USD', 'ETH-USD'] }

it('knows a list whose tickers were changed in the form, however they are typed [LISTS-007]', () => {
  expect(isEdited(coins, ' btc-usd,eth-usd , ')).toBe(false)
  expect(isEdited(coins, 'BTC-USD, ETH-USD, SOL-USD')).toBe(true)
  expect(isEdited(coins, '')).toBe(true)
})

it('names a list only for a run that has its tickers, and no list that is gone', () => {
  expect(usedListIds([coins], '3', 'BTC-USD, ETH-USD')).toEqual([3])
  expect(usedListIds([coins], '3', 'BTC-USD')).toEqual([])
  expect(usedListIds([coins], '4', 'BTC-USD, ETH-USD')).toEqual([])
  expect(usedListIds([coins], '', 'BTC-USD, ETH-USD')).toEqual([])
})
