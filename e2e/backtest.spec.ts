import { readFileSync } from 'node:fs'
import { expectAccessible } from './accessible.ts'
import { expect, type Page, test } from './story.ts'

const results = (page: Page) => page.getByRole('region', { name: 'Results', exact: true })

async function run(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run backtest' }).click()
  await expect(page.getByRole('region', { name: 'Full Results', exact: true })).toBeVisible({ timeout: 60_000 })
}

async function addFeature(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Feature', exact: true }).selectOption(name)
  await page.getByRole('button', { name: 'Add Feature' }).click()
}

test('Run with the defaults gives a full result that names its data [BT-001..BT-005, BT-052, BT-053, BT-070, BT-107]', async ({
  signedIn: page,
}) => {
  test.slow()
  await page.goto('/backtest')
  for (const tab of ['Strategy Setup', 'Backtest Config', 'Advanced']) {
    await expect(page.getByRole('tab', { name: tab })).toBeVisible()
  }
  await expect(results(page).getByText('No results yet')).toBeVisible()
  await run(page)
  for (const label of ['CAGR', 'Sharpe', 'Accuracy']) {
    await expect(results(page).getByText(label, { exact: true }).first()).toBeVisible()
  }
  await expect(results(page).getByText('Synthetic sample data').first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Asset Allocation' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'ML Configuration' })).toBeHidden()

  await expectAccessible(page)
  await page.getByRole('button', { name: 'Data Sources' }).click()
  const modal = page.getByRole('dialog')
  await expect(modal.getByText('Features fetch')).toBeVisible()
  await expect(modal.getByText('Simulation prices fetch').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(modal).toBeHidden()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^backtest_results_\d{4}-\d{2}-\d{2}\.csv$/)
  const [header, first] = readFileSync(await file.path(), 'utf8').split('\r\n')
  expect(header).toBe('Date,Value,Signal,Source')
  expect(first).toMatch(/^\d{4}-\d{2}-\d{2},[\d.]+,N\/A,Synthetic sample data$/)
})

test('an ML run with walk-forward shows its windows, and each can be chosen [BT-015, BT-023..BT-029, BT-055, BT-056, BT-064..BT-069, BT-075]', async ({
  signedIn: page,
}) => {
  test.slow()
  await page.goto('/backtest')
  await page.getByText('ML', { exact: true }).click()
  await addFeature(page, 'Rolling volatility')
  await addFeature(page, 'Volume ratio')
  await page.getByRole('combobox', { name: 'Target' }).selectOption({ index: 1 })
  await page.getByLabel('Trees (n_estimators)').fill('30')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await page.getByLabel('Reference ticker').fill(' spy')
  await page.getByRole('tab', { name: 'Advanced' }).click()
  await expect(page.getByLabel('Train window')).toBeDisabled()
  await page.getByLabel('Walk-forward analysis').check()
  await expect(page.getByLabel('Train window')).toBeEnabled()
  await page.getByLabel('Step size').fill('10')
  await run(page)

  await expect(page.getByRole('region', { name: 'Reference' })).toContainText('SPY')
  await expect(page.getByRole('region', { name: 'ML Configuration' })).toContainText('Random Forest')
  await expect(page.getByRole('region', { name: 'Honesty checks' })).toContainText('Shuffled labels')
  const overall = await results(page).locator('dl').first().textContent()
  await page.getByRole('radio', { name: 'Window 2' }).check()
  await expect(results(page).locator('dl').first()).not.toHaveText(overall ?? '')

  await expectAccessible(page)
  await page.getByRole('button', { name: 'Chart of window 1' }).click()
  await expect(page.getByRole('dialog').getByText('Predictions distribution')).toBeVisible()
  await expect(page.getByRole('dialog').getByText('Sell')).toBeVisible()
})

test('what is saved can be chosen again, compared with and deleted [BT-006..BT-013, BT-037, BT-040, BT-142, BT-143]', async ({
  page,
  person: _person,
}) => {
  test.slow()
  await page.goto('/backtest')
  await page.getByLabel('Strategy name').fill('Core')
  await page.getByLabel('Allocation ticker 1').fill('QQQ')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await page.getByLabel('Starting value').fill('5000')
  await page.getByLabel('Save strategy').check()
  await page.getByLabel('Save backtest').check()
  await page.getByLabel('Backtest name (optional)').fill('First')
  await run(page)

  const strategy = page.getByRole('combobox', { name: 'Saved strategy' })
  const backtest = page.getByRole('combobox', { name: 'Saved backtest' })
  await expect(strategy.locator('option:checked')).toHaveText('Core')
  await page.goto('/backtest')
  await strategy.selectOption('Core')
  await expect(page.getByLabel('Allocation ticker 1')).toHaveValue('QQQ')
  await backtest.selectOption('First')
  await expect(results(page).getByRole('heading', { name: 'Core' })).toBeVisible()
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await expect(page.getByLabel('Starting value')).toHaveValue('$5,000')
  await page.getByRole('combobox', { name: 'Compare with a backtest' }).selectOption({ label: 'First · Core' })

  await page.getByRole('button', { name: 'Delete strategy' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(strategy.locator('option:checked')).toHaveText('Core')
  await page.getByRole('button', { name: 'Delete strategy' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete strategy' }).click()
  await expect(strategy).toHaveValue('')
  await expect(backtest).toHaveValue('')
})

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

test('failures of saved backtests have their banners [BT-153, BT-154]', async ({ signedIn: page }) => {
  await page.route('**/api/backtests/77', (route) => route.fulfill({ status: 404, body: '' }))
  await page.goto('/backtest?backtest_id=77')
  await expect(page.getByRole('alert')).toContainText('Failed to load saved backtest')
})

test('a phone shows setup or results, and never scrolls sideways', async ({ signedIn: page }) => {
  test.slow()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/backtest')
  await expect(results(page)).toBeHidden()
  await run(page)
  await expect(page.getByRole('tab', { name: 'Strategy Setup' })).toBeHidden()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

test('an optimized strategy fills the form and says so for 5 seconds [BT-014..BT-016]', async ({ signedIn: page }) => {
  await page.goto('/')
  // What the Optimizer's link does: the strategy travels as the state of the navigation.
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

test('the form warns before the run, suggests stored tickers and loads an example', async ({ signedIn: page }) => {
  await page.goto('/backtest')
  await page.getByRole('button', { name: 'Load an example strategy' }).click()
  await expect(page.getByLabel('Allocation ticker 2')).toHaveValue('AGG')
  await page.getByLabel('Allocation percent 2').fill('30')
  await expect(page.getByRole('list', { name: 'Before you run' })).toContainText(
    'The allocation adds up to 90 %: the rest stays in cash.',
  )
  await expect(page.getByLabel('Allocation ticker 1')).toHaveAttribute('list', 'stored-tickers')
})

test('a result is explained, compared, exported and printed as a report', async ({ page, person: _person }) => {
  test.slow()
  await page.goto('/backtest')
  await page.getByLabel('Strategy name').fill('Plain')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await page.getByLabel('Save backtest').check()
  await page.getByLabel('Backtest name (optional)').fill('Saved')
  await run(page)

  await page.getByRole('button', { name: 'How is CAGR computed?' }).first().click()
  await expect(page.getByText('raised to 365.25 divided by the days of the period')).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByLabel('Add a backtest to the comparison').selectOption({ index: 1 })
  await expect(page.getByRole('table', { name: 'Compared backtests' }).getByRole('row')).toHaveCount(3)

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'JSON' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^backtest_results_\d{4}-\d{2}-\d{2}\.json$/)

  await page.getByRole('button', { name: 'Report' }).click()
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Rolling Sharpe' })).toBeVisible()
  await expectAccessible(page)
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('navigation').first()).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Run backtest' })).toBeVisible()
  await expect(results(page).getByRole('region', { name: 'Monthly returns', exact: true })).toBeVisible()
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
  await page.getByRole('button', { name: 'Run backtest' }).click()
  await expect(results(page).getByText(/Training window \d+ of \d+/)).toBeVisible({ timeout: 30_000 })
  await page.getByRole('button', { name: 'Cancel run' }).click()
  await expect(page.getByText('The run was cancelled.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Run backtest' })).toBeEnabled()
})
