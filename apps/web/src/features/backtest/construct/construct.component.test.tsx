import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible, expectAddress, openScreen, signIn } from '../../../../test-support/screen.tsx'

test('better weights are found out of sample and opened as an allocation', async () => {
  await signIn()
  openScreen('/backtest')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await page.getByLabelText('Start date').fill('2016-01-04')
  await page.getByLabelText('End date').fill('2021-12-31')
  await page.getByRole('tab', { name: 'Strategy Setup' }).click()
  await page.getByRole('button', { name: 'Find better weights' }).click()
  await expectAddress(/[?&]construct=new/)
  await expect.element(page.getByText('Name at least two tickers under Allocation.')).toBeVisible()
  await page.getByRole('button', { name: 'Add ticker' }).click()
  await page.getByLabelText('Allocation ticker 2').fill('TLT')
  // Percentages are not needed: they are what is looked for.
  await page.getByLabelText('Allocation percent 1').fill('')
  await page.getByLabelText('Minimum CVaR').click()
  await page.getByLabelText('Estimation window').fill('12')
  await page.getByLabelText('Maximum weight').fill('80')
  await page.getByRole('button', { name: 'Find weights' }).click()
  const table = page.getByRole('table', { name: 'Portfolios out of sample' })
  await expect.element(table).toBeVisible()
  await expectAddress(/[?&]construct=\d+/)
  await expect
    .element(table.getByText(/than chance alone brings about|The same Sharpe ratio as equal weights/).first())
    .toBeVisible()
  await expect.element(page.getByRole('img', { name: /^Efficient frontier, in sample/ })).toBeVisible()
  await expectAccessible()

  await page.getByRole('button', { name: 'Open as allocation: Minimum variance' }).click()
  await expect.element(page.getByText('The weights of Minimum variance were put into the allocation.')).toBeVisible()
  await expect.element(page.getByText(/^Total 100%$/)).toBeVisible()
})
