import { expectAccessible } from './accessible.ts'
import { expect, test } from './story.ts'

test('better weights are found out of sample and opened as an allocation', async ({ signedIn: page }) => {
  test.slow()
  await page.goto('/backtest')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await page.getByLabel('Start date').fill('2016-01-04')
  await page.getByLabel('End date').fill('2021-12-31')
  await page.getByRole('tab', { name: 'Strategy Setup' }).click()
  await page.getByRole('button', { name: 'Find better weights' }).click()
  await expect(page).toHaveURL(/[?&]construct=new/)
  await expect(page.getByText('Name at least two tickers under Allocation.')).toBeVisible()
  await page.getByRole('button', { name: 'Add ticker' }).click()
  await page.getByLabel('Allocation ticker 2').fill('TLT')
  // Percentages are not needed: they are what is looked for.
  await page.getByLabel('Allocation percent 1').fill('')
  await page.getByLabel('Minimum CVaR').uncheck()
  await page.getByLabel('Estimation window').fill('12')
  await page.getByLabel('Maximum weight').fill('80')
  await page.getByRole('button', { name: 'Find weights' }).click()
  const table = page.getByRole('table', { name: 'Portfolios out of sample' })
  await expect(table).toBeVisible({ timeout: 90_000 })
  await expect(page).toHaveURL(/[?&]construct=\d+/)
  await expect(
    table.getByText(/than chance alone brings about|The same Sharpe ratio as equal weights/).first(),
  ).toBeVisible()
  await expect(page.getByRole('img', { name: /^Efficient frontier, in sample/ })).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Open as allocation: Minimum variance' }).click()
  await expect(page.getByText('The weights of Minimum variance were put into the allocation.')).toBeVisible()
  await expect(page.getByText(/^Total 100%$/)).toBeVisible()
})
