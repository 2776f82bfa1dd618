import { readFileSync } from 'node:fs'
import { expectAccessible } from './accessible.ts'
import { expect, type Page, test } from './story.ts'

const results = (page: Page) => page.getByRole('region', { name: 'Results', exact: true })

async function run(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Run backtest' }).click()
  await expect(page.getByRole('region', { name: 'Full Results', exact: true })).toBeVisible({ timeout: 60_000 })
}

const windowRow = (page: Page, number: number) =>
  page.getByRole('table', { name: 'Walk-forward windows' }).getByRole('row').nth(number)

/** Accuracy from 50 % on, CAGR and Sharpe from 0 on count as good. */
async function expectColoursBySign(page: Page): Promise<void> {
  const cells = windowRow(page, 1).locator('[data-direction]:not([aria-hidden] *)')
  await expect(cells).toHaveCount(3)
  const [accuracy = '', cagr = '', sharpe = ''] = await cells.allTextContents()
  const good = [Number.parseFloat(accuracy) >= 50, !cagr.startsWith('−'), !sharpe.startsWith('−')]
  for (const [at, isGood] of good.entries()) {
    await expect(cells.nth(at)).toHaveAttribute('data-direction', isGood ? 'gain' : 'loss')
  }
}

async function addFeature(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Feature', exact: true }).selectOption(name)
  await page.getByRole('button', { name: 'Add Feature' }).click()
}

test('Run with the defaults gives a full result that names its data [BT-001..BT-005, BT-052, BT-053, BT-059..BT-062, BT-070, BT-071, BT-073, BT-107]', async ({
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
  await expect(modal.getByText(/\d{4} · daily$/).first()).toBeVisible()
  await expect(modal.getByText(/\d{4} · [\d,]+ rows$/).first()).toBeVisible()
  const fetched = modal.getByRole('table', { name: 'Simulation prices fetch' })
  await expect(fetched.getByRole('columnheader')).toHaveText(['Provider', 'Tickers', 'Range', 'Rows'])
  await expect(fetched.getByRole('row').nth(1)).toContainText('SPY')
  await page.keyboard.press('Escape')
  await expect(modal).toBeHidden()

  const rows = page.getByRole('table', { name: 'Full Results' })
  await expect(rows.getByRole('columnheader')).toHaveText(['Date', 'Value', 'Signal'])

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^backtest_results_\d{4}-\d{2}-\d{2}\.csv$/)
  const [header, first] = readFileSync(await file.path(), 'utf8').split('\r\n')
  expect(header).toBe('Date,Value,Signal,Source')
  expect(first).toMatch(/^\d{4}-\d{2}-\d{2},[\d.]+,N\/A,Synthetic sample data$/)
})

test('the charts are drawn in a browser that names a language tag which is not valid', async ({ signedIn: page }) => {
  test.slow()
  // Chromium on Linux without a locale (LANG=C) says this; Intl refuses it.
  await page.addInitScript("Object.defineProperty(navigator, 'language', { get: () => 'en-US@posix' })")
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  await page.goto('/backtest')
  await run(page)
  const plot = page.getByRole('region', { name: 'Results', exact: true }).locator('canvas').first()
  await expect.poll(() => plot.evaluate((canvas: HTMLCanvasElement) => canvas.height)).toBe(300)
  expect(errors).toEqual([])
})

test('an ML run with walk-forward shows its windows, and each can be chosen [BT-015, BT-023..BT-029, BT-043, BT-054..BT-058, BT-064..BT-069, BT-075, BT-106, BT-111, BT-112, BT-119]', async ({
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
  await page.getByLabel('Step size').fill('150')
  await page.getByLabel('Train window').focus()
  await expect(page.getByLabel('Step size')).toHaveValue('100%')
  await page.getByLabel('Step size').fill('6')
  await run(page)

  const reference = page.getByRole('region', { name: 'Reference' })
  await expect(reference).toContainText('SPY')
  await expect(reference.getByText('CAGR', { exact: true })).toBeVisible()
  await expect(reference.getByText('Sharpe', { exact: true })).toBeVisible()
  await expect(results(page).getByText(/^Reference SPY/)).toBeVisible()
  // The plot of the account value is 300px high; below it are the drawdown and the dates.
  await expect(results(page).locator('canvas').first()).toHaveJSProperty('clientHeight', 300)
  await expectColoursBySign(page)
  await expect(page.getByRole('region', { name: 'ML Configuration' })).toContainText('Random Forest')
  await expect(page.getByRole('region', { name: 'Honesty checks' })).toContainText('Shuffled labels')
  const overall = await results(page).locator('dl').first().textContent()
  await page.getByRole('radio', { name: 'Window 2' }).check()
  await expect(results(page).locator('dl').first()).not.toHaveText(overall ?? '')

  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  await expectAccessible(page)
  const counts = windowRow(page, 1)
    .getByRole('cell')
    .filter({ hasText: /^[\d,]+ \/ [\d,]+$/ })
  const [buys = '', sells = ''] = ((await counts.textContent()) ?? '').split(' / ')
  await page.getByRole('button', { name: 'Chart of window 1' }).click()
  const shares = page.getByRole('dialog').getByRole('region', { name: 'Predictions distribution' })
  await expect(shares.getByRole('listitem').nth(0)).toContainText(`Buy${buys} (`)
  await expect(shares.getByRole('listitem').nth(1)).toContainText(`Sell${sells} (`)
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

test('the form has every field of the three tabs [BT-017..BT-022, BT-030..BT-036, BT-038, BT-039, BT-041, BT-042, BT-044..BT-046, BT-048, BT-049, BT-104, BT-118, BT-119]', async ({
  signedIn: page,
}) => {
  await page.goto('/backtest')
  await expect(page.getByLabel('Strategy name')).toBeVisible()
  await expect(page.getByRole('radiogroup', { name: 'Strategy type' }).getByRole('radio')).toHaveCount(2)
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
  await expect(page.getByRole('combobox', { name: 'Model type' }).locator('option')).toHaveText([
    'Random Forest',
    'Linear Regression',
    'XGBoost',
  ])
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
  for (const label of ['Cashflow frequency', 'Data provider', 'Data granularity']) {
    await expect(page.getByRole('combobox', { name: label })).toBeVisible()
  }
  await expect(page.getByLabel('Adjust for inflation')).not.toBeChecked()
  await expect(page.getByLabel('Reinvest dividends')).toBeChecked()

  await page.getByRole('tab', { name: 'Advanced' }).click()
  for (const label of ['Train window', 'Test window', 'Step size']) await expect(page.getByLabel(label)).toBeDisabled()
  await expect(page.getByText('Step size 1 to 100; empty is automatic.')).toBeVisible()
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

test('failures of saved backtests have their banners [BT-153, BT-154]', async ({ signedIn: page }) => {
  const item = { id: 77, name: 'Saved', strategy_name: 'Core', strategy_id: null, created_at: '2026-01-02T00:00:00Z' }
  await page.route('**/api/backtests/all', (route) => route.fulfill({ json: { backtests: [item] } }))
  await page.route('**/api/backtests/77', (route) => route.fulfill({ status: 404, body: '' }))
  await page.goto('/backtest?backtest_id=77')
  await expect(page.getByRole('alert')).toContainText('Failed to load saved backtest')
})

test('a long answer is read on a thread of its own, and the page has all of its rows', async ({ signedIn: page }) => {
  test.slow()
  await page.goto('/backtest')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await page.getByLabel('Start date').fill('2022-03-01')
  await page.getByLabel('End date').fill('2022-04-08')
  await page.getByRole('combobox', { name: 'Data granularity' }).selectOption('minute')
  const reader = page.waitForEvent('worker')
  await run(page)
  expect((await reader).url()).toContain('answer-worker')
  await expect(page.getByText(/^1\d,\d{3} rows, newest first$/)).toBeVisible()
  const rows = page.getByRole('table', { name: 'Full Results' }).getByRole('row')
  await expect(rows.nth(1)).toContainText('8 Apr 2022')

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const lines = readFileSync(await (await download).path(), 'utf8').split('\r\n')
  expect(lines.length).toBeGreaterThan(10_000)
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
  await expect(page.getByText(/^Compared over .+ – .+, the days that all of them have\.$/)).toBeVisible()

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
