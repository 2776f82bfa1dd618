import { results, runBacktest } from './backtest-page.ts'
import { expect, test } from './story.ts'

test('what is saved can be chosen again, compared with and deleted [BT-006..BT-013, BT-037, BT-040, BT-142, BT-143]', async ({
  page,
  person: _person,
}) => {
  test.slow()
  await page.goto('/backtest')
  await page.getByLabel('Strategy name').fill('Core')
  await page.getByLabel('Allocation ticker 1').fill('QQQ')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await page.getByLabel('Starting value').fill('5000')
  await page.getByLabel('Save strategy').check()
  await page.getByLabel('Save backtest').check()
  await page.getByLabel('Backtest name (optional)').fill('First')
  await runBacktest(page)

  const strategy = page.getByRole('combobox', { name: 'Saved strategy' })
  const backtest = page.getByRole('combobox', { name: 'Saved backtest' })
  await expect(strategy.locator('option:checked')).toHaveText('Core')
  await page.goto('/backtest')
  await strategy.selectOption('Core')
  await expect(page.getByLabel('Allocation ticker 1')).toHaveValue('QQQ')
  await backtest.selectOption('First')
  await expect(results(page).getByRole('heading', { name: 'Core' })).toBeVisible()
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await expect(page.getByLabel('Starting value')).toHaveValue('$5,000')
  await page.getByRole('combobox', { name: 'Compare with a backtest' }).selectOption({ label: 'First · Core' })

  await page.getByRole('button', { name: 'Delete strategy' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(strategy.locator('option:checked')).toHaveText('Core')
  await page.getByRole('button', { name: 'Delete strategy' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete strategy' }).click()
  await expect(strategy).toHaveValue('')
  await expect(backtest).toHaveValue('')
})

test('failures of saved backtests have their banners [BT-153, BT-154]', async ({ signedIn: page }) => {
  const item = { id: 77, name: 'Saved', strategy_name: 'Core', strategy_id: null, created_at: '2026-01-02T00:00:00Z' }
  await page.route('**/api/backtests/all', (route) => route.fulfill({ json: { backtests: [item] } }))
  await page.route('**/api/backtests/77', (route) => route.fulfill({ status: 404, body: '' }))
  await page.goto('/backtest?backtest_id=77')
  await expect(page.getByRole('alert')).toContainText('Failed to load saved backtest')
})
