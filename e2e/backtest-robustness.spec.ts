import { expectAccessible } from './accessible.ts'
import { runBacktest } from './backtest-page.ts'
import { expect, test } from './story.ts'

test('one button checks the robustness of a result and keeps the verdict with it', async ({ signedIn: page }) => {
  test.slow()
  await page.goto('/backtest')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await page.getByLabel('Start date').fill('2012-01-03')
  await runBacktest(page)
  await page.getByRole('link', { name: 'Robustness' }).click()
  await expect(page).toHaveURL(/[?&]section=robustness/)
  const start = page.getByRole('button', { name: 'Run robustness checks' })
  await start.focus()
  await page.keyboard.press('Enter')
  const verdict = page.getByRole('region', {
    name: /^(Looks genuine|Promising, not proven|Do not trust it yet)$/,
  })
  await expect(verdict).toBeVisible({ timeout: 90_000 })
  await expect(verdict.getByText(/^\d+ passed$/)).toBeVisible()
  await expect(page.getByRole('img', { name: /^The future, resampled, after 10 years: 5%: \$/ })).toBeVisible()
  await expect(page.getByText('n/a because fixed percents give no signals that could be shuffled.')).toBeVisible()
  await expectAccessible(page)

  const words = await verdict.getByRole('heading').textContent()
  await page.reload()
  await expect(page.getByRole('region', { name: words!, exact: true })).toBeVisible({ timeout: 60_000 })
})
