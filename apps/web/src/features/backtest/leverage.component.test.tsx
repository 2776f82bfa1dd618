import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { madeCalls, openScreen, signIn } from '../../../test-support/screen.tsx'

test('leverage is beside each ticker and for all of them, and goes into the tickers [BT-116]', async () => {
  await signIn()
  openScreen('/backtest')
  await page.getByRole('button', { name: 'Load an example strategy' }).click()
  await page.getByLabelText('Allocation leverage 2').fill('1.5')
  await expect.element(page.getByText('Leverage is reset daily')).toBeVisible()
  await page.getByLabelText('Allocation leverage of all rows').fill('2')
  await expect.element(page.getByLabelText('Allocation leverage 1')).toHaveValue('2×')
  await page.getByRole('button', { name: 'Run backtest' }).click()
  await expect.poll(() => madeCalls('POST', '/api/backtest')).toHaveLength(1)
  const sent = madeCalls('POST', '/api/backtest')[0]?.body
  expect(sent instanceof FormData && sent.getAll('ticker[]')).toContain('SPY?L=2')
  await expect.element(page.getByRole('region', { name: 'Asset Allocation' })).toMatchTextContent('AGG?L=2')
})

test('the leverage of the reference is off without a reference, and says why [BT-036]', async () => {
  await signIn()
  openScreen('/backtest')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  const field = page.getByLabelText('Reference leverage')
  await expect.element(field).toBeDisabled()
  await expect.element(field).toHaveAccessibleDescription('Set a reference ticker first')
  await page.getByLabelText('Reference ticker').fill('SPY')
  await expect.element(field).toBeEnabled()
})

test('the sell leg offers bills in the place of cash that earns nothing', async () => {
  await signIn()
  openScreen('/backtest')
  await page.getByText('ML', { exact: true }).click()
  await expect.element(page.getByText('Cash (CASHX) earns nothing.')).toBeVisible()
  await page.getByRole('button', { name: 'Use TBILLX' }).click()
  await expect.element(page.getByLabelText('Sell (signal 0) ticker 1')).toHaveValue('TBILLX')
  await expect.element(page.getByText('Cash (CASHX) earns nothing.')).not.toBeInTheDocument()
})
