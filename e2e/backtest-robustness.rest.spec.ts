import { expectAccessible } from './accessible.ts'
import { MODEL_FIELDS, runBacktest, savedBacktest } from './backtest-page.ts'
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
  await expect(page.getByText('n/a because fixed percentages give no signals that could be shuffled.')).toBeVisible()
  await expectAccessible(page)

  const words = await verdict.getByRole('heading').textContent()
  await page.reload()
  await expect(page.getByRole('region', { name: words!, exact: true })).toBeVisible()
})

test('the checks of a model train it again and show how its result scatters', async ({ signedIn: page }) => {
  test.slow()
  const id = await savedBacktest(page, MODEL_FIELDS)
  await page.goto(`/backtest?backtest_id=${id}&section=robustness`)
  await page.getByRole('button', { name: 'Run robustness checks' }).click()
  await expect(page.getByRole('progressbar', { name: 'Progress of the robustness checks' })).toBeVisible()
  const paths = page.getByRole('region', { name: /^Cross-validation paths How/ })
  await expect(paths).toContainText(/28 models, .* give 7 paths/, { timeout: 120_000 })
  await expect(paths.getByRole('img', { name: /^Cross-validation paths: Path 1 .*, Path 7 [+−]/ })).toBeVisible()
  await expect(paths.getByText(/^Dashed: Holding, [+−]/)).toBeVisible()
  await expect(paths.getByRole('definition').filter({ hasText: /^\d+\.\d%$/ })).toHaveCount(3)
  await expect(
    page.getByText(/ of 7 paths earned less than .*The confidence that their timing is more than chance is \d/),
  ).toBeVisible()
})
