import { expectAccessible } from './accessible.ts'
import { addFeature, results, runBacktest } from './backtest-page.ts'
import { expect, type Page, test } from './story.ts'

const windowRow = (page: Page, number: number) =>
  page.getByRole('table', { name: 'Walk-forward windows' }).getByRole('row').nth(number)

/** Accuracy from 50 % on, CAGR and Sharpe from 0 on count as good. */
async function expectColoursBySign(page: Page): Promise<void> {
  const cells = windowRow(page, 1).locator('[data-direction]:not([aria-hidden] *)')
  await expect(cells).toHaveCount(3)
  const [accuracy = '', cagr = '', sharpe = ''] = await cells.allTextContents()
  const good = [Number.parseFloat(accuracy) >= 50, !cagr.startsWith('−'), !sharpe.startsWith('−')]
  for (const [at, isGood] of good.entries()) {
    await expect(cells.nth(at)).toHaveAttribute('data-direction', isGood ? 'gain' : 'loss')
  }
}

test('an ML run with walk-forward shows its windows, and each can be chosen [BT-015, BT-023..BT-029, BT-043, BT-054..BT-058, BT-064..BT-069, BT-075, BT-106, BT-111, BT-112, BT-119]', async ({
  signedIn: page,
}) => {
  test.slow()
  await page.goto('/backtest')
  await page.getByText('ML', { exact: true }).click()
  await addFeature(page, 'Rolling volatility')
  await addFeature(page, 'Volume ratio')
  await page.getByRole('combobox', { name: 'Target' }).selectOption({ index: 1 })
  await page.getByLabel('Trees (n_estimators)').fill('30')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await page.getByLabel('Reference ticker').fill(' spy')
  await page.getByRole('tab', { name: 'Advanced' }).click()
  await expect(page.getByLabel('Train window')).toBeDisabled()
  await page.getByLabel('Walk-forward analysis').check()
  await expect(page.getByLabel('Train window')).toBeEnabled()
  await page.getByLabel('Step size').fill('150')
  await page.getByLabel('Train window').focus()
  await expect(page.getByLabel('Step size')).toHaveValue('100%')
  await page.getByLabel('Step size').fill('6')
  await runBacktest(page)

  const reference = page.getByRole('region', { name: 'Reference' })
  await expect(reference).toContainText('SPY')
  await expect(reference.getByText('CAGR', { exact: true })).toBeVisible()
  await expect(reference.getByText('Sharpe', { exact: true })).toBeVisible()
  await expect(results(page).getByText(/^Reference SPY/)).toBeVisible()
  // The plot of the account value is 300px high; below it are the drawdown and the dates.
  await expect(results(page).locator('canvas').first()).toHaveJSProperty('clientHeight', 300)
  await expectColoursBySign(page)
  await expect(page.getByRole('region', { name: 'ML Configuration' })).toContainText('Random Forest')
  await expect(page.getByRole('region', { name: 'Honesty checks' })).toContainText('Shuffled labels')
  const overall = await results(page).locator('dl').first().textContent()
  await page.getByRole('radio', { name: 'Window 2' }).check()
  await expect(results(page).locator('dl').first()).not.toHaveText(overall ?? '')

  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  await expectAccessible(page)
  const counts = windowRow(page, 1)
    .getByRole('cell')
    .filter({ hasText: /^[\d,]+ \/ [\d,]+$/ })
  const [buys = '', sells = ''] = ((await counts.textContent()) ?? '').split(' / ')
  await page.getByRole('button', { name: 'Chart of window 1' }).click()
  const shares = page.getByRole('dialog').getByRole('region', { name: 'Predictions distribution' })
  await expect(shares.getByRole('listitem').nth(0)).toContainText(`Buy${buys} (`)
  await expect(shares.getByRole('listitem').nth(1)).toContainText(`Sell${sells} (`)
})
