import { expectAccessible } from './accessible.ts'
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
  // Without the result, which a plain address would bring back.
  await page.goto('/backtest?new')
  await strategy.selectOption('Core')
  await expect(page.getByLabel('Allocation ticker 1')).toHaveValue('QQQ')
  await page.getByRole('button', { name: 'First', exact: true }).click()
  await expect(results(page).getByRole('heading', { name: 'Core' })).toBeVisible()
  await expect(backtest.locator('option:checked')).toHaveText('First')
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

test('a result is saved, shared and duplicated after it was seen, and work survives leaving', async ({
  page,
  person,
  browser,
}) => {
  test.slow()
  await page.goto('/backtest')
  await page.getByLabel('Allocation ticker 1').fill('QQQ')
  await runBacktest(page)
  await expect(page).toHaveURL(/backtest_id=\d+/)
  const address = page.url()

  // The form and its result come back by the menu, also with what was typed since.
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await expect(page).toHaveURL(/tab=config/)
  const changed = page.getByText('The settings were changed after this run.')
  await expect(changed).toBeHidden()
  await page.getByLabel('Starting value').fill('7000')
  await expect(changed).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'Strategies' }).first().click()
  await expect(page.getByRole('heading', { name: 'Investment Strategies' })).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'Backtest' }).first().click()
  await expect(results(page).getByText('Not saved')).toBeVisible()
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await expect(page.getByLabel('Starting value')).toHaveValue('$7,000')
  await expect(changed).toBeVisible()
  await page.getByLabel('Starting value').fill('10000')
  await expect(changed).toBeHidden()

  // One click and Enter: the name is filled in.
  await results(page).getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('100% QQQ')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Tech')
  await page.keyboard.press('Enter')
  await expect(results(page).getByText('Saved', { exact: true })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Saved strategy' }).locator('option:checked')).toHaveText('Tech')

  await results(page).getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Tech since 2021')
  await page.keyboard.press('Enter')
  await expect(results(page).getByText('Tech since 2021', { exact: true })).toBeVisible()

  await results(page).getByRole('button', { name: 'Share' }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = await page.getByLabel('Link', { exact: true }).inputValue()
  const visitor = await (await browser.newContext()).newPage()
  // It comes after the answer that there is no session.
  await visitor.route('**/api/shared/*', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  expect((await visitor.goto(link))?.status()).toBe(200)
  await expect(visitor.getByRole('heading', { name: 'Tech', level: 1 })).toBeVisible()
  await expect(visitor.getByText('Data Sources')).toBeVisible()
  await expect(visitor.locator('body')).not.toContainText(person.username)
  await expectAccessible(visitor)
  await page.getByRole('button', { name: /^Revoke the link/ }).click()
  await expect(page.getByRole('button', { name: /^Revoke the link/ })).toBeHidden()
  expect((await visitor.goto(link))?.status()).toBe(404)
  await expect(visitor.getByRole('heading', { name: 'This result is not available' })).toBeVisible()
  await visitor.context().close()
  await page.keyboard.press('Escape')

  await results(page).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect(page.getByLabel('Strategy name')).toHaveValue('Tech copy')
  await page.getByRole('button', { name: 'Start over' }).click()
  await expect(page.getByLabel('Strategy name')).toHaveValue('')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByLabel('Strategy name')).toHaveValue('Tech copy')
  await page.getByRole('button', { name: 'Start over' }).click()

  // The address of the run, in a second tab; what is deleted there goes here, too.
  const second = await page.context().newPage()
  await second.goto(address)
  await expect(results(second).getByText('Tech since 2021', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Recent runs' }).click()
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Tech since 2021' })).toBeVisible()
  await second.getByRole('button', { name: 'Delete strategy' }).click()
  await second.getByRole('dialog').getByRole('button', { name: 'Delete strategy' }).click()
  await expect(page.getByRole('dialog').getByText('No runs yet')).toBeVisible()
})

test('failures of saved backtests have their banners [BT-153, BT-154]', async ({ signedIn: page }) => {
  const item = { id: 77, name: 'Saved', strategy_name: 'Core', strategy_id: null, created_at: '2026-01-02T00:00:00Z' }
  await page.route('**/api/backtests/all', (route) => route.fulfill({ json: { backtests: [item] } }))
  await page.route('**/api/backtests/77', (route) => route.fulfill({ status: 404, body: '' }))
  await page.goto('/backtest?backtest_id=77')
  await expect(page.getByRole('alert')).toContainText('Failed to load saved backtest')
})
