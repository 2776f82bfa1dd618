import { modelLabels } from '../packages/core/src/model-catalogue.ts'
import { expect, test } from './story.ts'

test('the form has every field of the three tabs [BT-017..BT-022, BT-030..BT-036, BT-038, BT-039, BT-041, BT-042, BT-044..BT-046, BT-048, BT-049, BT-104, BT-118, BT-119]', async ({
  signedIn: page,
}) => {
  await page.goto('/backtest')
  await expect(page.getByLabel('Strategy name')).toBeVisible()
  const types = page.getByRole('radiogroup', { name: 'Strategy type' })
  for (const type of ['Asset Allocation', 'ML', 'Rules']) {
    await expect(types.getByRole('radio', { name: type, exact: true })).toBeAttached()
  }
  await page.getByRole('button', { name: 'Add ticker' }).click()
  await page.getByLabel('Allocation ticker 2').fill('AGG')
  await page.getByLabel('Allocation percent 2').fill('40')
  await page.getByRole('button', { name: 'Remove Allocation row 1' }).click()
  await expect(page.getByLabel('Allocation ticker 1')).toHaveValue('AGG')
  await page.getByText('Ticker examples').click()
  for (const example of [
    'SPY, AAPL',
    'BTC-USD, ETH-USD',
    'DGS10, CPIAUCSL',
    'BTC-FR',
    'BTC-LIQ',
    'CASHX, a constant $100',
  ]) {
    await expect(page.getByText(example, { exact: true })).toBeVisible()
  }
  await expect(page.getByText('Derivatives data uses a system key limited to 40 calls a minute.')).toBeVisible()

  await page.getByText('ML', { exact: true }).click()
  await expect(page.getByRole('combobox', { name: 'Model type' }).locator('option')).toHaveText([...modelLabels])
  const hints: [string, string | null][] = [
    ['Train size', null],
    ['Test size', null],
    ['Trees (n_estimators)', '10 to 500'],
    ['Max features', null],
    ['Min samples leaf', '1 to 50'],
    ['Min samples split', '2 to 100'],
  ]
  for (const [label, hint] of hints) {
    await expect(page.getByLabel(label)).toBeVisible()
    if (hint) await expect(page.getByText(hint, { exact: true })).toBeVisible()
  }

  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  const texts = ['Start date', 'End date', 'Starting value', 'Cashflow', 'Reference ticker', 'Reference leverage']
  for (const label of texts) await expect(page.getByLabel(label, { exact: true })).toBeVisible()
  for (const label of ['Cashflow frequency', 'Cashflow in', 'Data provider', 'Data granularity']) {
    await expect(page.getByRole('combobox', { name: label })).toBeVisible()
  }
  await expect(page.getByLabel('Adjust for inflation')).not.toBeChecked()
  await expect(page.getByLabel('Reinvest dividends')).toBeChecked()

  await page.getByRole('tab', { name: 'Advanced' }).click()
  for (const label of ['Train window', 'Test window', 'Step size']) await expect(page.getByLabel(label)).toBeDisabled()
  await expect(page.getByText('Step size 1 to 100; leave empty for automatic.')).toBeVisible()
  await expect(page.getByText(/early stopping|patience/i)).toHaveCount(0)
})

test("a saved strategy's target appears once the targets have loaded [BT-110]", async ({ page, person: _person }) => {
  const config = { features: [], target: { id: 1, params: { ticker: 'QQQ' } } }
  const answer = await page.request.post('/api/strategies', { data: { name: 'Late', strategy_type: 'ML', config } })
  const { id } = (await answer.json()) as { id: number }
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/api/targets', async (route) => {
    await released
    await route.continue()
  })
  await page.goto(`/backtest?strategy_id=${id}`)
  await expect(page.getByLabel('Strategy name')).toHaveValue('Late')
  await expect(page.getByRole('combobox', { name: 'Target' })).toHaveValue('')
  release()
  await expect(page.getByRole('combobox', { name: 'Target' })).toHaveValue('1')
})

test('a half-filled form, a deleted strategy and a link to a deleted backtest leave no errors in the console', async ({
  page,
  person: _person,
}) => {
  test.slow()
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`)
  })
  const config = { allocations: [{ ticker: 'SPY', allocation: 100 }] }
  const ids: number[] = []
  for (const name of ['Kept', 'Deleted here', 'Deleted elsewhere']) {
    const saved = await page.request.post('/api/strategies', {
      data: { name, strategy_type: 'Asset Allocation', config },
    })
    expect(saved.ok(), await saved.text()).toBe(true)
    ids.push(((await saved.json()) as { strategy_id?: number; id?: number }).id ?? 0)
  }
  await page.goto('/backtest')
  const checked = () => page.waitForResponse((answer) => answer.url().endsWith('/api/backtest/check'))
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  const [first] = await Promise.all([checked(), page.getByLabel('Start date').fill('')])
  expect(first.status()).toBe(200)

  const saved = page.getByLabel('Saved strategy')
  await saved.selectOption('Kept')
  await expect(page.getByText('The form was replaced by “Kept”.')).toBeVisible()
  await expect(page.getByLabel('Start date')).not.toHaveValue('')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByLabel('Start date')).toHaveValue('')
  await expect(saved).toHaveValue('')

  await saved.selectOption('Deleted here')
  await page.getByRole('button', { name: 'Delete strategy' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete strategy' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(saved).toHaveValue('')

  await page.request.delete(`/api/strategies/${ids[2]}`)
  await saved.selectOption('Deleted elsewhere')
  await expect(page.getByText('This strategy was deleted.')).toBeVisible()
  await expect(saved.getByRole('option', { name: 'Deleted elsewhere' })).toHaveCount(0)

  await page.goto('/backtest?backtest_id=123456')
  await expect(page.getByText('This backtest was deleted.')).toBeVisible()
  await expect(page).toHaveURL('/backtest')
  await expect(page.getByText('No results yet')).toBeVisible()
  expect(errors).toEqual([])
})

test('an optimized strategy fills the form and says so for 5 seconds [BT-014..BT-016]', async ({ signedIn: page }) => {
  await page.goto('/')
  // As the Optimizer's link does: the strategy travels as the state of the navigation.
  await page.evaluate(() => {
    const optimizedStrategy = {
      name: 'Optimized Strategy - QQQ',
      type: 'ML',
      features: [],
      target_id: 1,
      target_config: { ticker: 'QQQ' },
      ml_model: 'XGBoost',
      start_date: '2022-01-03',
    }
    history.replaceState({ usr: { optimizedStrategy }, key: 'x', idx: 0 }, '', '/backtest')
  })
  await page.reload()
  const banner = page.getByText('Optimized strategy loaded')
  await expect(banner).toBeVisible()
  await expect(page.getByLabel('Strategy name')).toHaveValue('Optimized Strategy - QQQ')
  await expect(page.getByRole('combobox', { name: 'Model type' })).toHaveValue('XGBoost')
  await expect(page.getByRole('tab', { name: 'Strategy Setup' })).toHaveAttribute('aria-selected', 'true')
  await expect(banner).toBeHidden()
})

test('the form warns before the run, finds tickers by name and loads an example', async ({ signedIn: page }) => {
  await page.goto('/backtest')
  await page.getByRole('button', { name: 'Load an example strategy' }).click()
  await expect(page.getByLabel('Allocation ticker 2')).toHaveValue('AGG')
  await page.getByLabel('Allocation percent 2').fill('30')
  await expect(page.getByRole('list', { name: 'Before you run' })).toContainText(
    'The allocation adds up to 90%: the rest stays in cash.',
  )
  const ticker = page.getByLabel('Allocation ticker 1')
  await ticker.fill('gold e?L=2')
  await expect(page.getByRole('option', { name: /^GLD/ })).toContainText('Gold ETF')
  await ticker.press('ArrowDown')
  await ticker.press('Enter')
  await expect(ticker).toHaveValue('GLD?L=2')
  await expect(page.getByText(/^Gold ETF · /)).toBeVisible()

  await page.getByRole('button', { name: 'Ready strategies' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Permanent Portfolio VTI/ })
    .click()
  await expect(page.getByRole('heading', { name: 'Permanent Portfolio' })).toBeVisible({ timeout: 30_000 })
  await expect(page.getByLabel('Allocation ticker 4')).toHaveValue('TBILLX')
})
