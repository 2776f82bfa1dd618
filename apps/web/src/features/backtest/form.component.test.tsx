import { modelLabels } from '@tradewright/core/model-catalogue'
import { listTargets } from '@tradewright/contract/features'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  callServer,
  expectAddress,
  expectTexts,
  madeCalls,
  openScreen,
  postToServer,
  signIn,
  signInAsNew,
  standIn,
} from '../../../test-support/screen.tsx'
import { on } from '../../../test-support/served.ts'

test('the form has every field of the three tabs [BT-017..BT-022, BT-030..BT-036, BT-038, BT-039, BT-041, BT-042, BT-044..BT-046, BT-048, BT-049, BT-104, BT-118, BT-119]', async () => {
  await signIn()
  openScreen('/backtest')
  await expect.element(page.getByLabelText('Strategy name')).toBeVisible()
  const types = page.getByRole('radiogroup', { name: 'Strategy type' })
  for (const type of ['Asset Allocation', 'ML', 'Rules']) {
    await expect.element(types.getByRole('radio', { name: type, exact: true })).toBeInTheDocument()
  }
  await page.getByRole('button', { name: 'Add ticker' }).click()
  await page.getByLabelText('Allocation ticker 2').fill('AGG')
  await page.getByLabelText('Allocation percent 2').fill('40')
  await page.getByRole('button', { name: 'Remove Allocation row 1' }).click()
  await expect.element(page.getByLabelText('Allocation ticker 1')).toHaveValue('AGG')
  await page.getByText('Ticker examples').click()
  for (const example of [
    'SPY, AAPL',
    'BTC-USD, ETH-USD',
    'DGS10, CPIAUCSL',
    'BTC-FR',
    'BTC-LIQ',
    'CASHX, a constant $100',
  ]) {
    await expect.element(page.getByText(example, { exact: true })).toBeVisible()
  }
  await expect.element(page.getByText('Derivatives data uses a system key limited to 40 calls a minute.')).toBeVisible()

  await page.getByText('ML', { exact: true }).click()
  await expectTexts(page.getByRole('combobox', { name: 'Model type' }).getByRole('option'), [...modelLabels])
  const hints: [string, string | null][] = [
    ['Train size', null],
    ['Test size', null],
    ['Trees (n_estimators)', '10 to 500'],
    ['Max features', null],
    ['Min samples leaf', '1 to 50'],
    ['Min samples split', '2 to 100'],
  ]
  for (const [label, hint] of hints) {
    await expect.element(page.getByLabelText(label)).toBeVisible()
    if (hint) await expect.element(page.getByText(hint, { exact: true })).toBeVisible()
  }

  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  const texts = ['Start date', 'End date', 'Starting value', 'Cashflow', 'Reference ticker', 'Reference leverage']
  for (const label of texts) await expect.element(page.getByLabelText(label, { exact: true })).toBeVisible()
  for (const label of ['Cashflow frequency', 'Cashflow in', 'Data provider', 'Data granularity']) {
    await expect.element(page.getByRole('combobox', { name: label })).toBeVisible()
  }
  await expect.element(page.getByLabelText('Adjust for inflation')).not.toBeChecked()
  await expect.element(page.getByLabelText('Reinvest dividends')).toBeChecked()

  await page.getByRole('tab', { name: 'Advanced' }).click()
  for (const label of ['Train window', 'Test window', 'Step size'])
    await expect.element(page.getByLabelText(label)).toBeDisabled()
  await expect.element(page.getByText('Step size 1 to 100; leave empty for automatic.')).toBeVisible()
  await expect.element(page.getByText(/early stopping|patience/i)).not.toBeInTheDocument()
})

test("a saved strategy's target appears once the targets have loaded [BT-110]", async () => {
  await signInAsNew()
  const config = { features: [], target: { id: 1, params: { ticker: 'QQQ' } } }
  const { id } = await postToServer('/api/strategies', { name: 'Late', strategy_type: 'ML', config })
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  standIn([
    on(listTargets, async () => {
      await released
      return (await callServer('/api/targets')).json()
    }),
  ])
  openScreen(`/backtest?strategy_id=${String(id)}`)
  await expect.element(page.getByLabelText('Strategy name')).toHaveValue('Late')
  await expect.element(page.getByRole('combobox', { name: 'Target' })).toHaveValue('')
  release()
  await expect.element(page.getByRole('combobox', { name: 'Target' })).toHaveValue('1')
})

test('a half-filled form and a deleted strategy leave no errors in the console', async () => {
  await signInAsNew()
  const errors = vi.spyOn(console, 'error')
  const config = { allocations: [{ ticker: 'SPY', allocation: 100 }] }
  const ids: number[] = []
  for (const name of ['Kept', 'Deleted here', 'Deleted elsewhere']) {
    const { id } = await postToServer('/api/strategies', { name, strategy_type: 'Asset Allocation', config })
    ids.push(Number(id))
  }
  openScreen('/backtest')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  const checks = () => madeCalls('POST', '/api/backtest/check')
  const before = checks().length
  await page.getByLabelText('Start date').fill('')
  await expect.poll(() => checks().length).toBeGreaterThan(before)

  const saved = page.getByLabelText('Saved strategy')
  await saved.selectOptions('Kept')
  await expect.element(page.getByText('The form was replaced by “Kept”.')).toBeVisible()
  await expect.element(page.getByLabelText('Start date')).not.toHaveValue('')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(page.getByLabelText('Start date')).toHaveValue('')
  await expect.element(saved).toHaveValue('')

  await saved.selectOptions('Deleted here')
  await page.getByRole('button', { name: 'Delete strategy' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete strategy' }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(saved).toHaveValue('')

  await callServer(`/api/strategies/${ids[2]}`, { method: 'DELETE' })
  await saved.selectOptions('Deleted elsewhere')
  await expect.element(page.getByText('This strategy was deleted.')).toBeVisible()
  await expect.element(saved.getByRole('option', { name: 'Deleted elsewhere' })).not.toBeInTheDocument()
  expect(errors.mock.calls).toEqual([])
  errors.mockRestore()
})

test('a link to a deleted backtest says so', async () => {
  const errors = vi.spyOn(console, 'error')
  await signIn()
  openScreen('/backtest?backtest_id=123456')
  await expect.element(page.getByText('This backtest was deleted.')).toBeVisible()
  await expectAddress('/backtest')
  await expect.element(page.getByText('No results yet')).toBeVisible()
  expect(errors.mock.calls).toEqual([])
  errors.mockRestore()
})

test('an optimized strategy fills the form and says so for 5 seconds [BT-014..BT-016]', async () => {
  await signIn()
  // As the Optimizer's link does: the strategy travels as the state of the navigation.
  const optimizedStrategy = {
    name: 'Optimized Strategy - QQQ',
    type: 'ML',
    features: [],
    target_id: 1,
    target_config: { ticker: 'QQQ' },
    ml_model: 'XGBoost',
    start_date: '2022-01-03',
  }
  openScreen('/backtest', { usr: { optimizedStrategy }, key: 'x', idx: 0 })
  const banner = page.getByText('Optimized strategy loaded')
  await expect.element(banner).toBeVisible()
  await expect.element(page.getByLabelText('Strategy name')).toHaveValue('Optimized Strategy - QQQ')
  await expect.element(page.getByRole('combobox', { name: 'Model type' })).toHaveValue('XGBoost')
  await expect.element(page.getByRole('tab', { name: 'Strategy Setup' })).toHaveAttribute('aria-selected', 'true')
  await expect.element(banner).not.toBeInTheDocument()
})

test('the form warns before the run, finds tickers by name and loads an example', async () => {
  await signIn()
  openScreen('/backtest')
  await page.getByRole('button', { name: 'Load an example strategy' }).click()
  await expect.element(page.getByLabelText('Allocation ticker 2')).toHaveValue('AGG')
  await page.getByLabelText('Allocation percent 2').fill('30')
  await expect
    .element(page.getByRole('list', { name: 'Before you run' }))
    .toMatchTextContent('The allocation adds up to 90%: the rest stays in cash.')
  const ticker = page.getByLabelText('Allocation ticker 1')
  await ticker.fill('gold e?L=2')
  await expect.element(page.getByRole('option', { name: /^GLD/ })).toMatchTextContent('Gold ETF')
  await userEvent.type(ticker, '{ArrowDown}')
  await userEvent.type(ticker, '{Enter}')
  await expect.element(ticker).toHaveValue('GLD?L=2')
  await expect.element(page.getByText(/^Gold ETF · /)).toBeVisible()

  await page.getByRole('button', { name: 'Ready strategies' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Permanent Portfolio VTI/ })
    .click()
  await expect.element(page.getByRole('heading', { name: 'Permanent Portfolio' })).toBeVisible()
  await expect.element(page.getByLabelText('Allocation ticker 4')).toHaveValue('TBILLX')
})

test('the recommended settings of a model are one click, and say what they change', async () => {
  await signIn()
  openScreen('/backtest')
  await page.getByText('ML', { exact: true }).click()
  await expect.element(page.getByLabelText('Min samples leaf')).toHaveValue('3')
  await page.getByRole('button', { name: 'Use recommended settings' }).click()
  await expect.element(page.getByLabelText('Trees (n_estimators)')).toHaveValue('500')
  await expect.element(page.getByLabelText('Min samples leaf')).toHaveValue('0.05')
  await expect.element(page.getByText('5% of the training rows', { exact: true })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Recommended settings in use' })).toBeDisabled()

  await page.getByRole('combobox', { name: 'Model type' }).selectOptions('XGBoost')
  await expect.element(page.getByLabelText('Rounds', { exact: true })).toHaveValue('100')
  await expect.element(page.getByLabelText('Depth of a tree')).toHaveValue('6')
  await page.getByRole('button', { name: 'Use recommended settings' }).click()
  await expect.element(page.getByLabelText('Rounds at most')).toHaveValue('200')
  await expect.element(page.getByLabelText('Depth of a tree')).toHaveValue('2')
  await expect.element(page.getByLabelText('Find the number of rounds on purged folds')).toBeChecked()

  await page.getByRole('combobox', { name: 'Model type' }).selectOptions('Linear Regression')
  await expect.element(page.getByRole('button', { name: /ecommended settings/ })).not.toBeInTheDocument()
})
