import { addFeature, results, runBacktest } from './backtest-page.ts'
import { expect, test } from './story.ts'

test('a run that fails says why and keeps what was typed [BT-050, BT-051, BT-108, BT-155, BT-156]', async ({
  signedIn: page,
}) => {
  await page.goto('/backtest')
  await page.getByLabel('Allocation ticker 1').fill('NOSUCHTICKER')
  await page.getByRole('button', { name: 'Run backtest' }).click()
  await expect(page.getByRole('alert')).toContainText('Backtest failed: Bad Request', { timeout: 30_000 })
  await expect(page.getByRole('alert')).toContainText('NOSUCHTICKER')
  await expect(page.getByLabel('Allocation ticker 1')).toHaveValue('NOSUCHTICKER')

  let answer = () => {}
  const asked = new Promise<void>((resolve) => (answer = resolve))
  await page.route('**/api/backtest', async (route) => {
    await asked
    await route.fulfill({ status: 200, body: '<html>gateway</html>' })
  })
  await page.getByRole('button', { name: 'Run backtest' }).click()
  await expect(page.getByRole('button', { name: 'Running...' })).toBeDisabled()
  answer()
  await expect(page.getByRole('alert')).toContainText(
    'Backtest returned invalid JSON (first 300 chars): <html>gateway</html>',
  )
})

test('a long run shows its progress and can be cancelled', async ({ signedIn: page }) => {
  await page.goto('/backtest')
  await page.getByText('ML', { exact: true }).click()
  await addFeature(page, 'Rolling volatility')
  await page.getByRole('combobox', { name: 'Target' }).selectOption({ index: 1 })
  await page.getByLabel('Trees (n_estimators)').fill('5000')
  await page.getByRole('tab', { name: 'Advanced' }).click()
  await page.getByLabel('Walk-forward analysis').check()
  await page.getByLabel('Step size').fill('1')
  await page.getByRole('button', { name: 'Run backtest' }).press('Enter')
  await expect(results(page)).toBeFocused()
  await expect(results(page).getByText(/Training window \d+ of \d+/)).toBeVisible({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Cancel run' }).click()
  await expect(page.getByText('The run was cancelled.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Run backtest' })).toBeEnabled()
})

test('the charts are drawn in a browser that names a language tag which is not valid', async ({ signedIn: page }) => {
  test.slow()
  // Chromium on Linux without a locale (LANG=C) says this; Intl refuses it.
  await page.addInitScript("Object.defineProperty(navigator, 'language', { get: () => 'en-US@posix' })")
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  await page.goto('/backtest')
  await runBacktest(page)
  const plot = results(page).locator('canvas').first()
  await expect.poll(() => plot.evaluate((canvas: HTMLCanvasElement) => canvas.height)).toBe(300)
  expect(errors).toEqual([])
})
