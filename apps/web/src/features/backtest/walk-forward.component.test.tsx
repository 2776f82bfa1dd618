import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible, expectNoSidewaysScroll, inside, openScreen, signIn } from '../../../test-support/screen.tsx'
import { addFeature, results, runBacktest } from './test-support/studio.ts'

const windowRow = (number: number) =>
  page.getByRole('table', { name: 'Walk-forward windows' }).getByRole('row').nth(number)

/** Accuracy from 50 % on, CAGR and Sharpe from 0 on count as good. */
async function expectColoursBySign(): Promise<void> {
  const cells = inside(windowRow(1), '[data-direction]:not([aria-hidden] *)')
  await expect.poll(() => cells.elements()).toHaveLength(3)
  const [accuracy = '', cagr = '', sharpe = ''] = cells.elements().map(({ textContent }) => textContent)
  const good = [Number.parseFloat(accuracy) >= 50, !cagr.startsWith('−'), !sharpe.startsWith('−')]
  expect(cells.elements().map(({ dataset }) => dataset['direction'])).toEqual(
    good.map((isGood) => (isGood ? 'gain' : 'loss')),
  )
}

test('an ML run with walk-forward shows its windows, and each can be chosen [BT-015, BT-023..BT-029, BT-043, BT-054..BT-058, BT-064..BT-069, BT-075, BT-106, BT-111, BT-112, BT-119]', async () => {
  await signIn()
  openScreen('/backtest')
  await page.getByText('ML', { exact: true }).click()
  await addFeature('Rolling volatility')
  await addFeature('Volume ratio')
  await page.getByRole('combobox', { name: 'Target' }).selectOptions('1')
  await page.getByLabelText('Trees (n_estimators)').fill('30')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await page.getByLabelText('Reference ticker').fill(' spy')
  await page.getByRole('tab', { name: 'Advanced' }).click()
  await expect.element(page.getByLabelText('Train window')).toBeDisabled()
  await page.getByLabelText('Walk-forward analysis').click()
  await expect.element(page.getByLabelText('Train window')).toBeEnabled()
  await page.getByLabelText('Step size').fill('150')
  ;(await page.getByLabelText('Train window').findElement()).focus()
  await expect.element(page.getByLabelText('Step size')).toHaveValue('100%')
  await page.getByLabelText('Step size').fill('6')
  await runBacktest()

  const reference = page.getByRole('region', { name: 'Reference' })
  await expect.element(reference).toMatchTextContent('SPY')
  await expect.element(reference.getByText('CAGR', { exact: true })).toBeVisible()
  await expect.element(reference.getByText('Sharpe', { exact: true })).toBeVisible()
  await expect.element(results.getByText(/^Reference SPY/)).toBeVisible()
  // The plot of the account value is 300px high; below it are the drawdown and the dates.
  await expect.poll(() => results.element().querySelector('canvas')?.clientHeight).toBe(300)
  await expectColoursBySign()
  await expect.element(page.getByRole('region', { name: 'ML Configuration' })).toMatchTextContent('Random Forest')
  await expect.element(page.getByRole('region', { name: 'Honesty checks' })).toMatchTextContent('Shuffled labels')
  const figures = () => results.element().querySelector('dl')?.textContent
  const overall = figures()
  await page.getByRole('radio', { name: 'Window 2' }).click()
  await expect.poll(figures).not.toBe(overall)

  await expectNoSidewaysScroll()
  await expectAccessible()
  const counts = windowRow(1)
    .getByRole('cell')
    .filter({ hasText: /^[\d,]+ \/ [\d,]+$/ })
  const [buys = '', sells = ''] = (counts.element().textContent ?? '').split(' / ')
  await page.getByRole('button', { name: 'Chart of window 1' }).click()
  const shares = page.getByRole('dialog').getByRole('region', { name: 'Predictions distribution' })
  await expect.element(shares.getByRole('listitem').nth(0)).toMatchTextContent(`Buy${buys} (`)
  await expect.element(shares.getByRole('listitem').nth(1)).toMatchTextContent(`Sell${sells} (`)
})
