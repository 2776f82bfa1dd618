import { readFileSync } from 'node:fs'
import { expectAccessible } from './accessible.ts'
import { results, runBacktest } from './backtest-page.ts'
import { expect, test } from './story.ts'

test('Run with the defaults gives a full result that names its data [BT-001..BT-005, BT-052, BT-053, BT-059..BT-062, BT-070, BT-071, BT-073, BT-107]', async ({
  signedIn: page,
}) => {
  test.slow()
  await page.goto('/backtest')
  for (const tab of ['Strategy Setup', 'Backtest Config', 'Advanced']) {
    await expect(page.getByRole('tab', { name: tab })).toBeVisible()
  }
  await expect(results(page).getByText('No results yet')).toBeVisible()
  await runBacktest(page)
  for (const label of ['CAGR', 'Sharpe', 'Accuracy']) {
    await expect(results(page).getByText(label, { exact: true }).first()).toBeVisible()
  }
  await expect(results(page).getByText('Not applicable', { exact: true })).toBeVisible()
  await expect(results(page).getByText('Synthetic sample data').first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Asset Allocation' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'ML Configuration' })).toBeHidden()

  await expectAccessible(page)
  await page.getByRole('button', { name: 'Data Sources' }).click()
  const modal = page.getByRole('dialog')
  await expect(modal.getByText('Features fetch')).toBeVisible()
  await expect(modal.getByText('Simulation prices fetch').first()).toBeVisible()
  await expect(modal.getByText(/\d{4} · daily$/).first()).toBeVisible()
  await expect(modal.getByText(/\d{4} · [\d,]+ rows$/).first()).toBeVisible()
  const fetched = modal.getByRole('table', { name: 'Simulation prices fetch' })
  await expect(fetched.getByRole('columnheader')).toHaveText(['Provider', 'Tickers', 'Range', 'Rows'])
  await expect(fetched.getByRole('row').nth(1)).toContainText('SPY')
  await page.setViewportSize({ width: 390, height: 844 })
  await expect
    .poll(() => fetched.evaluate((table) => table.scrollWidth - table.parentElement!.clientWidth))
    .toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.keyboard.press('Escape')
  await expect(modal).toBeHidden()

  const rows = page.getByRole('table', { name: 'Full Results' })
  await expect(rows.getByRole('columnheader')).toHaveText(['Date', 'Value', 'Signal'])

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV', exact: true }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^backtest_results_\d{4}-\d{2}-\d{2}\.csv$/)
  const [header, first] = readFileSync(await file.path(), 'utf8').split('\r\n')
  expect(header).toBe('Date,Value,Signal,Source')
  expect(first).toMatch(/^\d{4}-\d{2}-\d{2},[\d.]+,N\/A,Synthetic sample data$/)
})

test('a long answer is read on a thread of its own, and the page has all of its rows', async ({ signedIn: page }) => {
  test.slow()
  await page.goto('/backtest')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await page.getByLabel('Start date').fill('2022-03-01')
  await page.getByLabel('End date').fill('2022-04-08')
  await page.getByRole('combobox', { name: 'Data granularity' }).selectOption('minute')
  const reader = page.waitForEvent('worker')
  await runBacktest(page)
  expect((await reader).url()).toContain('answer-worker')
  await expect(page.getByText(/^1\d,\d{3} rows, newest first$/)).toBeVisible()
  const rows = page.getByRole('table', { name: 'Full Results' }).getByRole('row')
  await expect(rows.nth(1)).toContainText('8 Apr 2022')

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV', exact: true }).click()
  const lines = readFileSync(await (await download).path(), 'utf8').split('\r\n')
  expect(lines.length).toBeGreaterThan(10_000)
})

test('a phone shows setup or results, and never scrolls sideways', async ({ signedIn: page }) => {
  test.slow()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/backtest')
  await expect(results(page)).toBeHidden()
  await runBacktest(page)
  await expect(page.getByRole('tab', { name: 'Strategy Setup' })).toBeHidden()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(8 * 844)

  const sections = page.getByRole('navigation', { name: 'Sections of the result' })
  await sections.getByRole('link', { name: 'Risk' }).click()
  await expect(page).toHaveURL(/[?&]section=risk/)
  await expect(page.getByRole('region', { name: 'Risk figures' })).toBeInViewport()
  await expect(sections.getByRole('link', { name: 'Risk' })).toHaveAttribute('aria-current', 'location')
  await page.reload()
  await expect(page.getByRole('region', { name: 'Risk figures' })).toBeInViewport({ timeout: 60_000 })

  await page.getByRole('button', { name: 'Show Full Results', exact: true }).click()
  await page.getByRole('button', { name: /^Show all [\d,]+ rows$/ }).click()
  await expect(page.getByRole('table', { name: 'Full Results' }).getByRole('row')).toHaveCount(26)
})

test('a result is explained, compared, exported and printed as a report', async ({ page, person: _person }) => {
  test.slow()
  await page.goto('/backtest')
  await page.getByLabel('Strategy name').fill('Plain')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await page.getByLabel('Save backtest').check()
  await page.getByLabel('Backtest name (optional)').fill('Saved')
  await runBacktest(page)

  await page.getByRole('button', { name: 'How is CAGR computed?' }).first().click()
  await expect(
    page.getByText('raised to the power of 365.25 divided by the number of days in the period'),
  ).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByLabel('Add a backtest to the comparison').selectOption({ index: 1 })
  await expect(page.getByRole('table', { name: 'Compared backtests' }).getByRole('row')).toHaveCount(3)
  await expect(page.getByText(/^Compared over .+ – .+, the days that all of them have\.$/)).toBeVisible()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'JSON' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^backtest_results_\d{4}-\d{2}-\d{2}\.json$/)

  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Report' }).click()
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Rolling Sharpe' })).toBeVisible()
  await expectAccessible(page)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('navigation').first()).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Run backtest' })).toBeVisible()
  await expect(results(page).getByRole('region', { name: 'Monthly returns', exact: true })).toBeVisible()
})
