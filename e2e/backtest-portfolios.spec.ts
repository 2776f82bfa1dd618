import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts'
import { results } from './backtest-page.ts'
import { expect, test } from './story.ts'

test('portfolios in columns are run with one press on their common period, and one that fails leaves the others', async ({
  page,
  person: _person,
}) => {
  test.slow()
  await page.goto('/backtest')
  await page.getByLabel('Strategy name').fill('Stocks')
  await page.getByRole('button', { name: 'Add portfolio' }).click()
  await expect(page.getByRole('combobox', { name: 'Benchmark' })).toHaveValue('SPY')
  await page.getByRole('button', { name: 'Add ticker' }).click()
  await page.getByLabel('Ticker 2', { exact: true }).fill('DBC')
  await page.getByLabel('Portfolio 2 name').fill('With commodities')
  await page.getByLabel('Portfolio 2 percent 1').fill('80')
  await page.getByLabel('Portfolio 2 percent 2').fill('20')
  await page.getByLabel('Portfolio 2 rebalance').selectOption('quarterly')
  await page.getByRole('button', { name: 'Add ticker' }).click()
  await page.getByLabel('Ticker 3', { exact: true }).fill('NOSUCHTICKER')
  await page.getByRole('button', { name: 'Add portfolio' }).click()
  await page.getByLabel('Portfolio 3 percent 3').fill('100')
  await page.getByRole('button', { name: 'Run backtest' }).click()

  const table = results(page).getByRole('table', { name: 'Portfolios side by side' })
  await expect(table).toBeVisible({ timeout: 100_000 })
  await expect(results(page).getByText(/It starts on .* because DBC starts then\./)).toBeVisible()
  await expect(table.getByRole('columnheader')).toContainText([
    'Figure',
    'Stocks',
    'With commodities',
    'Portfolio 3',
    'SPY',
  ])
  await expect(table).toContainText('NOSUCHTICKER')
  await expect(table.getByRole('row', { name: /^CAGR/ }).getByRole('cell')).toHaveCount(4)

  await expectAccessible(page)

  // A reload has the columns of the form, and the results.
  await page.reload()
  await expect(page.getByLabel('Portfolio 2 name')).toHaveValue('With commodities')
  await expect(table.getByRole('columnheader')).toContainText(['Figure', 'Stocks', 'With commodities', 'SPY'])

  await table.getByRole('button', { name: 'Save With commodities' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await expect(table.getByText('Saved')).toBeVisible()
  await table.getByRole('button', { name: 'Open With commodities' }).click()
  await expect(page.getByRole('heading', { name: 'With commodities' })).toBeVisible()
  await expect(page.getByLabel('Portfolio 2 percent 2')).toHaveValue('20%')
  await page.getByRole('button', { name: 'All portfolios' }).click()
  await expect(table).toBeVisible()

  // One at a time on a phone, without sideways scrolling.
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
  await page.getByText('Setup', { exact: true }).click()
  await expect(page.getByLabel('Portfolio 1 name')).toBeVisible()
  await expect(page.getByLabel('Portfolio 2 name')).toBeHidden()
  await page.getByRole('radiogroup', { name: 'Portfolio shown' }).getByText('2').click()
  await expect(page.getByLabel('Portfolio 2 name')).toBeVisible()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
})
