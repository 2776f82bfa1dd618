import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  inside,
  openScreen,
  reloadScreen,
  signInAsNew,
} from '../../../../test-support/screen.tsx'
import { results } from '../test-support/studio.ts'

test('portfolios in columns are run with one press on their common period, and one that fails leaves the others', async () => {
  await signInAsNew()
  openScreen('/backtest')
  await page.getByLabelText('Strategy name').fill('Stocks')
  await page.getByRole('button', { name: 'Add portfolio' }).click()
  await expect.element(page.getByRole('combobox', { name: 'Benchmark' })).toHaveValue('SPY')
  await page.getByRole('button', { name: 'Add ticker' }).click()
  await page.getByLabelText('Ticker 2', { exact: true }).fill('DBC')
  await page.getByLabelText('Portfolio 2 name').fill('With commodities')
  await page.getByLabelText('Portfolio 2 percent 1').fill('80')
  await page.getByLabelText('Portfolio 2 percent 2').fill('20')
  await page.getByLabelText('Portfolio 2 rebalance').selectOptions('quarterly')
  await page.getByRole('button', { name: 'Add ticker' }).click()
  await page.getByLabelText('Ticker 3', { exact: true }).fill('NOSUCHTICKER')
  await page.getByRole('button', { name: 'Add portfolio' }).click()
  await page.getByLabelText('Portfolio 3 percent 3').fill('100')
  await page.getByRole('button', { name: 'Run backtest' }).click()

  const heads = () =>
    inside(table, 'thead th')
      .elements()
      .map(({ textContent }) => textContent)
  const table = results.getByRole('table', { name: 'Portfolios side by side' })
  await expect.element(table).toBeVisible()
  await expect.element(results.getByText(/It starts on .* because DBC starts then\./)).toBeVisible()
  for (const head of ['Figure', 'Stocks', 'With commodities', 'Portfolio 3', 'SPY'])
    await expect.poll(heads).toContainEqual(expect.stringContaining(head))
  await expect.element(table).toMatchTextContent('NOSUCHTICKER')
  await expect.element(table.getByRole('row', { name: /^CAGR/ }).getByRole('cell')).toHaveLength(4)

  await expectAccessible()

  // A reload has the columns of the form, and the results.
  reloadScreen()
  await expect.element(page.getByLabelText('Portfolio 2 name')).toHaveValue('With commodities')
  for (const head of ['Figure', 'Stocks', 'With commodities', 'SPY'])
    await expect.poll(heads).toContainEqual(expect.stringContaining(head))

  await table.getByRole('button', { name: 'Save With commodities' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await expect.element(table.getByText('Saved')).toBeVisible()
  await table.getByRole('button', { name: 'Open With commodities' }).click()
  await expect.element(page.getByRole('heading', { name: 'With commodities' })).toBeVisible()
  await expect.element(page.getByLabelText('Portfolio 2 percent 2')).toHaveValue('20%')
  await page.getByRole('button', { name: 'All portfolios' }).click()
  await expect.element(table).toBeVisible()

  // One at a time on a phone, without sideways scrolling.
  await page.viewport(390, 844)
  await expectNoSidewaysScroll()
  await page.getByText('Setup', { exact: true }).click()
  await expect.element(page.getByLabelText('Portfolio 1 name')).toBeVisible()
  await expect.element(page.getByLabelText('Portfolio 2 name')).not.toBeVisible()
  await page.getByRole('radiogroup', { name: 'Portfolio shown' }).getByText('2').click()
  await expect.element(page.getByLabelText('Portfolio 2 name')).toBeVisible()
  await expectNoSidewaysScroll()
  await expectAccessible()
})
