import { expectAccessibleDialog } from './accessible.ts'
import { expect, type Page, test } from './story.ts'

const widget = (page: Page, title: 'Target lists' | 'Feature lists') => page.getByRole('group', { name: title })

test('a list is saved, changed, loaded and deleted [LISTS-001..010, LISTS-017, OPT-022]', async ({
  page,
  person: _person,
}) => {
  await page.goto('/optimizer')
  const lists = widget(page, 'Target lists')
  const chosen = lists.getByRole('combobox').locator('option:checked')
  const text = page.getByLabel('Target asset')
  await text.fill(' btc-usd, eth-usd , btc-usd')
  await lists.getByPlaceholder('List name').fill('Coins')
  await lists.getByRole('button', { name: 'Save as new' }).click()
  await expect(chosen).toHaveText('Coins')
  await expect(text).toHaveValue('BTC-USD, ETH-USD')

  await text.fill('btc-usd, sol-usd')
  await expect(chosen).toHaveText('Edited: Coins')
  await lists.getByRole('button', { name: 'Update' }).click()
  await expect(text).toHaveValue('BTC-USD, SOL-USD')
  await expect(chosen).toHaveText('Coins')
  await lists.getByRole('button', { name: 'Save as new' }).click()
  await expect(page.getByRole('alert')).toHaveText('A target list named "Coins" already exists.')

  await page.reload()
  // The form is kept as a draft.
  await expect(text).toHaveValue('BTC-USD, SOL-USD')
  await expect(lists.getByPlaceholder('List name')).toHaveValue('Coins')
  await expect(widget(page, 'Feature lists').getByRole('combobox').locator('option')).toHaveText(['No saved lists'])

  await lists.getByRole('button', { name: 'Delete' }).click()
  await expectAccessibleDialog(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete list' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(lists.getByRole('combobox').locator('option')).toHaveText(['No saved lists'])
})

test('what cannot be saved or deleted is told [LISTS-012..016, LISTS-026..029]', async ({ page, person: _person }) => {
  await page.goto('/optimizer')
  const alert = page.getByRole('alert')
  const [targets, related] = [widget(page, 'Target lists'), widget(page, 'Feature lists')]
  await related.getByRole('button', { name: 'Save as new' }).click()
  await expect(alert).toContainText('Add at least one related asset before saving a list.')
  await targets.getByRole('button', { name: 'Save as new' }).click()
  await expect(alert).toContainText('List name cannot be empty.')
  await targets.getByRole('button', { name: 'Update' }).click()
  await expect(alert).toContainText('Select an existing list to update.')
  await targets.getByRole('button', { name: 'Delete' }).click()
  await expect(alert).toContainText('Select a list before attempting to delete.')
  await page.getByLabel('Target asset').fill('')
  await targets.getByRole('button', { name: 'Save as new' }).click()
  await expect(alert).toContainText('Add at least one target ticker before saving a list.')

  const list = { name: 'Core', list_type: 'feature', tickers: ['SPY', 'TLT'] }
  expect((await page.request.post('/api/ticker-lists', { data: list })).ok()).toBe(true)
  await page.route(/\/api\/ticker-lists/, (route) =>
    route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 500, body: '' }),
  )
  await page.reload()
  await related.getByRole('combobox').selectOption('Core')
  await expect(page.getByLabel('Related assets')).toHaveValue('SPY, TLT')
  await related.getByRole('button', { name: 'Update' }).click()
  await expect(alert).toContainText('Failed to save ticker list')
  await expect(alert).toContainText('Failed to update list')
  await related.getByRole('button', { name: 'Save as new' }).click()
  await expect(alert).toContainText('Failed to create list')
  await related.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete list' }).click()
  await expect(alert).toContainText('Failed to delete list')
})
