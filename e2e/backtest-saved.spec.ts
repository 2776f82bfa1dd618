import { results, runBacktest } from './backtest-page.ts'
import { expect, test } from './story.ts'

test('a result is saved, compared and shared, and what is deleted in one tab goes in the other', async ({
  page,
  person,
  browser,
}) => {
  test.slow()
  await page.goto('/backtest')
  await page.getByLabel('Allocation ticker 1').fill('QQQ')
  await runBacktest(page)
  await expect(page).toHaveURL(/backtest_id=\d+/)
  await results(page).getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Tech')
  await page.keyboard.press('Enter')
  await expect(results(page).getByText('Saved', { exact: true })).toBeVisible()
  await page.getByLabel('Add a backtest to the comparison').selectOption({ index: 1 })
  await expect(page.getByRole('table', { name: 'Compared backtests' }).getByRole('row')).toHaveCount(3)

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
  await page.getByRole('button', { name: /^Revoke the link/ }).click()
  await expect(page.getByRole('button', { name: /^Revoke the link/ })).toBeHidden()
  expect((await visitor.goto(link))?.status()).toBe(404)
  await expect(visitor.getByRole('heading', { name: 'This result is not available' })).toBeVisible()
  await visitor.context().close()
  await page.keyboard.press('Escape')

  const second = await page.context().newPage()
  await second.goto(page.url())
  await expect(results(second).getByText('Saved', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Recent runs' }).click()
  await expect(page.getByRole('dialog').getByRole('link', { name: 'Tech' })).toBeVisible()
  await second.getByRole('button', { name: 'Delete strategy' }).click()
  await second.getByRole('dialog').getByRole('button', { name: 'Delete strategy' }).click()
  await expect(page.getByRole('dialog').getByText('No runs yet')).toBeVisible()
})
