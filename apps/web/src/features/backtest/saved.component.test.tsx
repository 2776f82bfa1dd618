import { getBacktest, listBacktests, listRecentRuns } from '@tradewright/contract/backtests'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { addressNow, expectAddress, openScreen, signIn, signInAsNew, standIn } from '../../../test-support/screen.tsx'
import { on, refuse } from '../../../test-support/served.ts'
import { results, runBacktest } from './test-support/studio.ts'

test('what is saved can be chosen again, compared with and deleted [BT-006..BT-013, BT-037, BT-040, BT-142, BT-143]', async () => {
  await signInAsNew()
  openScreen('/backtest')
  await page.getByLabelText('Strategy name').fill('Core')
  await page.getByLabelText('Allocation ticker 1').fill('QQQ')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await page.getByLabelText('Starting value').fill('5000')
  await page.getByLabelText('Save strategy').click()
  await page.getByLabelText('Save backtest').click()
  await page.getByLabelText('Backtest name (optional)').fill('First')
  await runBacktest()

  const strategy = page.getByRole('combobox', { name: 'Saved strategy' })
  const backtest = page.getByRole('combobox', { name: 'Saved backtest' })
  await expect.element(strategy.getByRole('option', { selected: true })).toHaveTextContent('Core')
  // Without the result, which a plain address would bring back.
  openScreen('/backtest?new')
  await strategy.selectOptions('Core')
  await expect.element(page.getByLabelText('Allocation ticker 1')).toHaveValue('QQQ')
  await page.getByRole('button', { name: 'First', exact: true }).click()
  await expect.element(results.getByRole('heading', { name: 'Core' })).toBeVisible()
  await expect.element(backtest.getByRole('option', { selected: true })).toHaveTextContent('First')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await expect.element(page.getByLabelText('Starting value')).toHaveValue('$5,000')
  await page.getByRole('combobox', { name: 'Compare with a backtest' }).selectOptions('First · Core')

  await page.getByRole('button', { name: 'Delete strategy' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(strategy.getByRole('option', { selected: true })).toHaveTextContent('Core')
  await page.getByRole('button', { name: 'Delete strategy' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete strategy' }).click()
  await expect.element(strategy).toHaveValue('')
  await expect.element(backtest).toHaveValue('')
})

test('a result is saved, shared and duplicated after it was seen, and work survives leaving', async () => {
  await signInAsNew()
  openScreen('/backtest')
  await page.getByLabelText('Allocation ticker 1').fill('QQQ')
  await runBacktest()
  await expectAddress(/backtest_id=\d+/)
  const address = addressNow()

  // The form and its result come back by the menu, also with what was typed since.
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await expectAddress(/tab=config/)
  const changed = page.getByText('The settings were changed after this run.')
  await expect.element(changed).not.toBeInTheDocument()
  await page.getByLabelText('Starting value').fill('7000')
  await expect.element(changed).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'Strategies' }).first().click()
  await expect.element(page.getByRole('heading', { name: 'Investment Strategies' })).toBeVisible()
  await page.getByRole('navigation').getByRole('link', { name: 'Backtest' }).first().click()
  await expect.element(results.getByText('Not saved')).toBeVisible()
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await expect.element(page.getByLabelText('Starting value')).toHaveValue('$7,000')
  await expect.element(changed).toBeVisible()
  await page.getByLabelText('Starting value').fill('10000')
  await expect.element(changed).not.toBeInTheDocument()

  // One click and Enter: the name is filled in.
  await results.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.element(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveFocus()
  await expect.element(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('100% QQQ')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Tech')
  await userEvent.keyboard('{Enter}')
  await expect.element(results.getByText('Saved', { exact: true })).toBeVisible()
  await expect
    .element(page.getByRole('combobox', { name: 'Saved strategy' }).getByRole('option', { selected: true }))
    .toHaveTextContent('Tech')

  await results.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Tech since 2021')
  await userEvent.keyboard('{Enter}')
  await expect.element(results.getByText('Tech since 2021', { exact: true })).toBeVisible()

  await results.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  await expect.element(page.getByLabelText('Link', { exact: true })).toHaveValue(expect.stringContaining('/shared/'))
  await page.getByRole('button', { name: /^Revoke the link/ }).click()
  await expect.element(page.getByRole('button', { name: /^Revoke the link/ })).not.toBeInTheDocument()
  await userEvent.keyboard('{Escape}')

  await results.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect.element(page.getByLabelText('Strategy name')).toHaveValue('Tech copy')
  await page.getByRole('button', { name: 'Start over' }).click()
  await expect.element(page.getByLabelText('Strategy name')).toHaveValue('')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(page.getByLabelText('Strategy name')).toHaveValue('Tech copy')
  await page.getByRole('button', { name: 'Start over' }).click()
  await expect.element(page.getByLabelText('Strategy name')).toHaveValue('')
  await expectAddress('/backtest')

  openScreen(address)
  await expect.element(results.getByText('Tech since 2021', { exact: true })).toBeVisible()
})

test('failures of saved backtests have their banners [BT-153, BT-154]', async () => {
  await signIn()
  const item = { id: 77, name: 'Saved', strategy_name: 'Core', strategy_id: null, created_at: '2026-01-02T00:00:00Z' }
  standIn([on(listBacktests, () => ({ backtests: [item] })), on(getBacktest, () => refuse('', { status: 404 }))])
  openScreen('/backtest?backtest_id=77')
  await expect.element(page.getByRole('alert')).toMatchTextContent('Failed to load saved backtest')
})

test('a result opens by its address though no list names it', async () => {
  await signInAsNew()
  openScreen('/backtest')
  await page.getByLabelText('Allocation ticker 1').fill('QQQ')
  await runBacktest()
  await expectAddress(/backtest_id=\d+/)
  const address = addressNow()
  openScreen('/backtest?new')
  standIn([on(listRecentRuns, () => ({ runs: [] }))])
  openScreen(address)
  await expect.element(results.getByText('Not saved')).toBeVisible()
})
