import { createTickerList, deleteTickerList, updateTickerList } from '@tradewright/contract/ticker-lists'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  expectAccessible,
  expectTexts,
  openScreen,
  postToServer,
  reloadScreen,
  signInAsNew,
  standIn,
} from '../../../../test-support/screen.tsx'
import { on, refuse } from '../../../../test-support/served.ts'

const widget = (title: 'Target lists' | 'Feature lists') => page.getByRole('group', { name: title })

test('a list is saved, changed, loaded and deleted [LISTS-001..010, LISTS-017, OPT-022]', async () => {
  await signInAsNew()
  openScreen('/optimizer')
  const lists = widget('Target lists')
  const chosen = lists.getByRole('combobox').getByRole('option', { selected: true })
  const text = page.getByLabelText('Target asset')
  await text.fill(' btc-usd, eth-usd , btc-usd')
  await lists.getByPlaceholder('List name').fill('Coins')
  await lists.getByRole('button', { name: 'Save as new' }).click()
  await expect.element(chosen).toHaveTextContent('Coins')
  await expect.element(text).toHaveValue('BTC-USD, ETH-USD')

  await text.fill('btc-usd, sol-usd')
  await expect.element(chosen).toHaveTextContent('Edited: Coins')
  await lists.getByRole('button', { name: 'Update' }).click()
  await expect.element(text).toHaveValue('BTC-USD, SOL-USD')
  await expect.element(chosen).toHaveTextContent('Coins')
  await lists.getByRole('button', { name: 'Save as new' }).click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('A target list named "Coins" already exists.')

  reloadScreen()
  // The form is kept as a draft.
  await expect.element(text).toHaveValue('BTC-USD, SOL-USD')
  await expect.element(lists.getByPlaceholder('List name')).toHaveValue('Coins')
  await expectTexts(widget('Feature lists').getByRole('combobox').getByRole('option'), ['No saved lists'])

  await lists.getByRole('button', { name: 'Delete' }).click()
  await expectAccessible(page.getByRole('dialog').element())
  await page.getByRole('dialog').getByRole('button', { name: 'Delete list' }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expectTexts(lists.getByRole('combobox').getByRole('option'), ['No saved lists'])
})

test('what cannot be saved or deleted is told [LISTS-012..016, LISTS-026..029]', async () => {
  await signInAsNew()
  openScreen('/optimizer')
  const alert = page.getByRole('alert')
  const [targets, related] = [widget('Target lists'), widget('Feature lists')]
  await related.getByRole('button', { name: 'Save as new' }).click()
  await expect.element(alert).toMatchTextContent('Add at least one related asset before saving a list.')
  await targets.getByRole('button', { name: 'Save as new' }).click()
  await expect.element(alert).toMatchTextContent('List name cannot be empty.')
  await targets.getByRole('button', { name: 'Update' }).click()
  await expect.element(alert).toMatchTextContent('Select an existing list to update.')
  await targets.getByRole('button', { name: 'Delete' }).click()
  await expect.element(alert).toMatchTextContent('Select a list before attempting to delete.')
  await page.getByLabelText('Target asset').fill('')
  await targets.getByRole('button', { name: 'Save as new' }).click()
  await expect.element(alert).toMatchTextContent('Add at least one target ticker before saving a list.')

  await postToServer('/api/ticker-lists', { name: 'Core', list_type: 'feature', tickers: ['SPY', 'TLT'] })
  const broken = () => refuse('', { status: 500 })
  standIn([on(createTickerList, broken), on(updateTickerList, broken), on(deleteTickerList, broken)])
  reloadScreen()
  await related.getByRole('combobox').selectOptions('Core')
  await expect.element(page.getByLabelText('Related assets')).toHaveValue('SPY, TLT')
  await related.getByRole('button', { name: 'Update' }).click()
  await expect.element(alert).toMatchTextContent('Failed to save ticker list')
  await expect.element(alert).toMatchTextContent('Failed to update list')
  await related.getByRole('button', { name: 'Save as new' }).click()
  await expect.element(alert).toMatchTextContent('Failed to create list')
  await related.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete list' }).click()
  await expect.element(alert).toMatchTextContent('Failed to delete list')
})
