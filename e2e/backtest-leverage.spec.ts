import { expect, test } from './story.ts'

test('leverage is beside each ticker and for all of them, and goes into the tickers [BT-116]', async ({
  signedIn: page,
}) => {
  test.slow()
  await page.goto('/backtest')
  await page.getByRole('button', { name: 'Load an example strategy' }).click()
  await page.getByLabel('Allocation leverage 2').fill('1.5')
  await expect(page.getByText('Leverage is reset daily')).toBeVisible()
  await page.getByLabel('Allocation leverage of all rows').fill('2')
  await expect(page.getByLabel('Allocation leverage 1')).toHaveValue('2×')
  const sent = page.waitForRequest((request) => request.url().endsWith('/api/backtest'))
  await page.getByRole('button', { name: 'Run backtest' }).click()
  expect((await sent).postData()).toContain('SPY?L=2')
  await expect(page.getByRole('region', { name: 'Asset Allocation' })).toContainText('AGG?L=2', { timeout: 60_000 })
})

test('the leverage of the reference is off without a reference, and says why [BT-036]', async ({ signedIn: page }) => {
  await page.goto('/backtest')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  const field = page.getByLabel('Reference leverage')
  await expect(field).toBeDisabled()
  await expect(field).toHaveAccessibleDescription('Set a reference ticker first')
  await page.getByLabel('Reference ticker').fill('SPY')
  await expect(field).toBeEnabled()
})

test('the sell leg offers bills in the place of cash that earns nothing', async ({ signedIn: page }) => {
  await page.goto('/backtest')
  await page.getByText('ML', { exact: true }).click()
  await expect(page.getByText('Cash (CASHX) earns nothing.')).toBeVisible()
  await page.getByRole('button', { name: 'Use TBILLX' }).click()
  await expect(page.getByLabel('Sell (signal 0) ticker 1')).toHaveValue('TBILLX')
  await expect(page.getByText('Cash (CASHX) earns nothing.')).toBeHidden()
})
