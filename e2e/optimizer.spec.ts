import { readFileSync } from 'node:fs'
import { expectAccessible, expectAccessibleDialog, expectNoSidewaysScroll } from './accessible.ts'
import { LONG_RUN, optimize, previousRuns, results, SMALL_RUN } from './optimization.ts'
import { expect, type Page, test } from './story.ts'

const runButton = (page: Page) => page.getByRole('button', { name: 'Run optimization' })
const warnings = (page: Page) => page.getByRole('list', { name: 'Before the run' })

async function addFeature(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Feature type', exact: true }).selectOption(name)
  await page.getByRole('button', { name: 'Add Feature' }).click()
}

test('the form says what it still needs, and New Run brings its defaults back [OPT-001..005, OPT-009..023, OPT-028, OPT-029, OPT-041, OPT-071, OPT-072, OPT-082..085]', async ({
  signedIn: page,
}) => {
  await page.goto('/optimizer')
  for (const tab of ['Feature Optimization', 'Leading Indicators']) {
    await expect(page.getByRole('tab', { name: tab })).toBeVisible()
  }
  await expect(results(page).getByText('No optimization results')).toBeVisible()
  await expect(page.getByLabel('Target asset')).toHaveValue('BTC-USD')
  await expect(runButton(page)).toBeDisabled()
  await expect(warnings(page)).toContainText('Select at least one feature type')
  await expect(warnings(page)).toContainText('Choose a target for prediction')
  await page.getByLabel('Start date').fill('')
  await page.getByLabel('End date').fill('')
  await expect(warnings(page)).toContainText('Set start date for backtest period')
  await expect(warnings(page)).toContainText('Set end date for backtest period')

  for (const label of ['Related assets', 'Data granularity', 'Evaluation metric', 'Model', 'Seed feature']) {
    await expect(page.getByLabel(label, { exact: true })).toBeVisible()
  }
  for (const label of ['Train window', 'Test window', 'Step size', 'Fitness mode', 'Variance penalty', 'Patience']) {
    await expect(page.getByLabel(label, { exact: true })).toBeDisabled()
  }
  await page.getByLabel('Walk-forward', { exact: true }).check()
  await page.getByLabel('Early stopping').check()
  for (const label of [
    'Train window',
    'Step size',
    'Fitness mode',
    'Variance exponent',
    'Patience',
    'Min improvement',
  ]) {
    await expect(page.getByLabel(label, { exact: true })).toBeEnabled()
  }
  await page.getByLabel('Mutation rate').fill('3')
  await page.getByLabel('Variance exponent').fill('9')
  await page.getByLabel('Step size').fill('0')
  await page.getByLabel('Train size').fill('80')
  await expect(page.getByLabel('Test size')).toHaveValue('20%')
  await expect(page.getByLabel('Mutation rate')).toHaveValue('1')
  await expect(page.getByLabel('Variance exponent')).toHaveValue('5')
  await expect(page.getByLabel('Step size')).toHaveValue('1%')
  await expect(page.getByText('10–500')).toBeVisible()
  await page.getByText('Ticker examples').click()
  await expect(page.getByText('BTC-LIQ')).toBeVisible()
  await expect(page.getByText('limited to 40 calls a minute')).toBeVisible()

  await page.getByRole('button', { name: 'New Run' }).click()
  await expect(page.getByLabel('Train size')).toHaveValue('70%')
  await addFeature(page, 'RSI')
  await page.getByRole('button', { name: 'Parameter ranges of RSI' }).click()
  await expect(page.getByLabel('Window', { exact: true })).toHaveValue('5, 10, 14, 20, 30')
  await page.getByRole('combobox', { name: 'Target', exact: true }).selectOption({ index: 2 })
  await expect(page.getByLabel('Horizon')).toBeVisible()
  await expect(warnings(page)).toBeHidden()
  await expect(page.getByText(/^\d+ features to choose from, up to 1,000 sets tried\.$/)).toBeVisible()
  await page.getByLabel('Window', { exact: true }).fill('soon')
  const refused = page.getByRole('list', { name: 'This cannot run yet' })
  await expect(refused).toContainText('window must be a whole number')
  await page.getByLabel('Window', { exact: true }).fill('14')
  await expect(refused).toBeHidden()
  await page.getByLabel('Target asset').fill(' , ')
  await runButton(page).click()
  await expect(page.getByRole('alert')).toContainText('Add at least one target ticker before running the optimizer.')
})

test('a run grows before the eyes and ends in a judged result that Backtest takes over [OPT-008, OPT-024..026, OPT-030..040, OPT-044, OPT-045, OPT-066]', async ({
  page,
  person: _person,
}) => {
  test.slow()
  await page.goto('/optimizer')
  await page.getByLabel('Target asset').fill('spy')
  await page.getByLabel('Related assets').fill('tlt, gld, qqq, efa')
  await addFeature(page, 'RSI')
  await addFeature(page, 'Percent change')
  await page.getByRole('combobox', { name: 'Target', exact: true }).selectOption({ index: 1 })
  await page.getByLabel('Start date').fill('2023-01-03')
  await page.getByLabel('End date').fill('2024-12-31')
  await page.getByLabel('Population size').fill('10')
  await page.getByLabel('Generations', { exact: true }).fill('3')
  await page.getByLabel('Trees (n_estimators)').fill('10')
  await page.getByLabel('Walk-forward', { exact: true }).check()
  await page.getByLabel('Step size').fill('20')
  await runButton(page).click()
  await expect(page.getByRole('button', { name: 'Running...' })).toBeDisabled()

  const head = page.getByRole('heading', { name: /^Run #\d+: SPY$/ })
  await expect(head).toBeVisible({ timeout: 60_000 })
  await expect(page).toHaveURL(/run=\d+/)
  await expect(results(page).getByText('Synthetic sample data').first()).toBeVisible()
  for (const label of ['Best fitness', 'Hold-out score', 'Accuracy', 'F1 score', 'Sharpe', 'CAGR']) {
    await expect(results(page).getByRole('term').filter({ hasText: label }).first()).toBeVisible()
  }
  const holding = page.getByRole('region', { name: 'Is it better than holding?' })
  await expect(holding).toContainText('Buy and hold is SPY 100%, always invested')
  for (const period of ['Test windows', 'Hold-out, unseen']) {
    await expect(holding.getByRole('row').filter({ hasText: period })).toContainText(/[+−-]\d+\.\d%.*[+−-]\d+\.\d%/)
  }
  const luck = page.getByRole('region', { name: 'How much of this is luck?' })
  for (const title of ['Hold-out score', 'Deflated Sharpe', 'Probability of overfitting', 'Feature stability']) {
    await expect(luck.getByRole('listitem').filter({ hasText: title })).toBeVisible()
  }
  await expect(page.getByRole('region', { name: 'Data split' })).toContainText('Train period')
  await expect(page.getByRole('region', { name: 'Best target', exact: true })).toContainText('TLT, GLD, QQQ +1 more')
  await expect(page.getByRole('table', { name: 'Optimal features' }).getByRole('row').nth(1)).toContainText('window')
  const windows = page.getByRole('table', { name: 'Walk-forward windows' }).locator('tbody tr')
  for (const row of await windows.all()) {
    const accuracy = row.locator('td').nth(4)
    const isGood = Number.parseFloat((await accuracy.textContent()) ?? '') >= 50
    await expect(accuracy.locator('[data-direction]')).toHaveAttribute('data-direction', isGood ? 'gain' : 'loss')
  }
  await expect(page.getByRole('region', { name: 'Genetic algorithm configuration' })).toContainText('Best generation')
  await expect(page.getByRole('region', { name: 'Seed feature performance' })).toContainText('Seed used')
  await page.getByRole('button', { name: 'Show individuals of generation 3' }).click()
  const individuals = page.getByRole('table', { name: 'Individuals of generation 3' })
  await expect(individuals.getByRole('columnheader')).toHaveText([
    'Rank',
    'Fitness',
    'Target',
    'Accuracy',
    'Sharpe',
    'CAGR',
    'Features',
  ])
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Data Sources' }).click()
  const sources = page.getByRole('dialog', { name: 'Data Sources' })
  await expect(sources.getByRole('table')).toContainText('sample')
  await expect(sources.getByRole('table')).toContainText('SPY')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()

  const features = await page.getByRole('table', { name: 'Optimal features' }).locator('tbody tr').count()
  await page.getByRole('button', { name: 'Load into Backtest' }).click()
  await expect(page).toHaveURL('/backtest')
  await expect(page.getByText('Optimized strategy loaded')).toBeVisible()
  await expect(page.getByLabel('Strategy name')).toHaveValue('Optimized Strategy - SPY')
  await expect(page.getByRole('button', { name: /^Parameters of / })).toHaveCount(features)
})

test('a search that is repeated before each window ends in the curve that a user would have had', async ({
  page,
  person: _person,
}) => {
  test.slow()
  await page.goto('/optimizer')
  await page.getByLabel('Target asset').fill('spy')
  await page.getByLabel('Related assets').fill('tlt, gld')
  await addFeature(page, 'RSI')
  await page.getByRole('combobox', { name: 'Target', exact: true }).selectOption({ index: 1 })
  await page.getByLabel('Start date').fill('2022-01-03')
  await page.getByLabel('End date').fill('2024-12-31')
  await page.getByLabel('Population size').fill('15')
  await page.getByLabel('Generations', { exact: true }).fill('3')
  await page.getByLabel('Trees (n_estimators)').fill('20')
  await page.getByLabel('Nested walk-forward').check()
  await page.getByLabel('Windows', { exact: true }).fill('2')
  await expect(page.getByText('3 searches instead of one: the run takes up to 3 times as long.')).toBeVisible()
  await runButton(page).click()
  await expect(page.getByText(/^Nested window [12] of 2 · Generation \d of 3/)).toBeVisible({ timeout: 90_000 })
  await expect(page.getByRole('term').filter({ hasText: 'Time left' })).toBeVisible()

  const nested = page.getByRole('region', { name: 'Nested walk-forward', exact: true })
  await expect(nested).toBeVisible({ timeout: 90_000 })
  const table = nested.getByRole('table', { name: 'Nested walk-forward and buy and hold' })
  await expect(table.getByRole('row').filter({ hasText: 'All windows' })).toContainText(/[+−]\d+\.\d%.*[+−]\d+\.\d%/)
  await expect(table.getByText(/^SPY by RSI/)).toHaveCount(2)
  await expect(
    nested.getByText(/^(Looks genuine|Promising, not proven|Do not trust it yet|Earned no more)/),
  ).toBeVisible()
  await expect(nested.getByText(/^What one dollar became by searching again/)).toBeAttached()
  await expect(nested.locator('canvas').first()).toBeVisible()
  await expectAccessible(page)
})

test('a run in progress is found again, paused, resumed and cancelled [OPT-007, OPT-008, OPT-069, OPT-097, OPT-098]', async ({
  page,
  person: _person,
}) => {
  test.slow()
  await optimize(page, { ...LONG_RUN, wait: false })
  await page.goto('/optimizer')
  const title = page.getByRole('heading', { name: /^In progress — Generation \d+ of 200$/ })
  await expect(title).toBeVisible()
  await expect(page.getByRole('button', { name: 'Running...' })).toBeDisabled()
  await expect(page.getByLabel('Population size')).toHaveValue('30')
  await expect(page.getByRole('heading', { name: /Generation [1-9]\d* of 200$/ })).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('table', { name: 'Generation details' }).getByRole('row').nth(1)).toBeVisible()
  await expect(page.getByText('Synthetic sample data')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Pause' }).click()
  await expect(page.getByRole('button', { name: 'Resume' })).toBeEnabled()
  await page.reload()
  await expect(page.getByText('Paused. Results so far are kept.')).toBeVisible()
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect(page.getByRole('button', { name: 'Pause' })).toBeEnabled()
  await page.getByRole('button', { name: 'Cancel run' }).click()
  await expectAccessibleDialog(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Keep the run' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(title).toBeVisible()
  await page.getByRole('button', { name: 'Cancel run' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click()
  await expect(page.getByText('This run was abandoned.')).toBeVisible({ timeout: 30_000 })
  await expect(previousRuns(page).locator('option:checked')).toContainText('abandoned')

  await page.getByRole('button', { name: 'Delete run' }).click()
  await expectAccessibleDialog(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('button', { name: 'Delete all runs' }).click()
  await expect(page.getByRole('dialog')).toContainText('A few seconds later this cannot be undone.')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete all runs' }).click()
  await expect(previousRuns(page).locator('option')).toHaveText(['No runs yet'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(previousRuns(page).locator('option').last()).toContainText('abandoned')
})

test('an earlier run fills the form, gives seeds, repeats itself and is compared [OPT-003, OPT-006, OPT-027, OPT-043, OPT-067, OPT-070, OPT-090, OPT-091, OPT-094]', async ({
  page,
  person: _person,
}) => {
  test.slow()
  const first = await optimize(page, { ...SMALL_RUN, seed: 5 })
  await page.goto('/optimizer')
  await previousRuns(page).selectOption(String(first))
  await page.getByRole('dialog').getByRole('button', { name: 'Use as seeds' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByLabel('Target asset')).toHaveValue('SPY')
  await expect(page.getByLabel('Population size')).toHaveValue('8')
  await expect(page.getByText('Walk-forward details not available for this run.')).toBeVisible()
  const seeds = page.getByRole('button', { name: /^Remove seed / })
  await expect(seeds.first()).toBeVisible()
  const count = await seeds.count()

  await page.getByRole('combobox', { name: 'Seeds from a run' }).selectOption(String(first))
  await page.getByRole('button', { name: 'Load seeds' }).click()
  await expect(page.getByText('0 seed features were added.')).toBeVisible()
  await page.getByRole('combobox', { name: 'Seed feature' }).selectOption('MACD')
  await page.getByRole('button', { name: 'Add Seed' }).click()
  await expect(page.getByText(/^Validation errors: .* is not configured in Feature Parameters section/)).toBeVisible()
  await page.getByLabel('Related assets').fill('')
  await page.getByLabel('Target asset').fill('AGG')
  await expect(page.getByRole('list', { name: 'Seed warnings' })).toContainText('is not among the assets')
  await page.getByLabel('Target asset').fill('SPY')
  await page.getByLabel('Related assets').fill('TLT, GLD, QQQ, EFA')
  await expect(page.getByRole('list', { name: 'Seed warnings' })).toBeHidden()

  await runButton(page).click()
  await expect(page.getByRole('region', { name: 'Seed feature performance' })).toContainText('Yes', { timeout: 60_000 })
  await expect(page.getByRole('region', { name: 'Seed feature performance' })).toContainText(String(count))
  await page.getByRole('button', { name: 'Show individuals of generation 1', exact: true }).click()
  await expect(page.getByText('Seeded').first()).toBeVisible()
  const title = await page.getByRole('heading', { name: /^Run #/ }).textContent()
  await page.getByRole('button', { name: 'Rerun' }).click()
  await expect(page.getByRole('heading', { name: /^Run #/ })).not.toHaveText(title ?? '', { timeout: 60_000 })

  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'JSON' }).click()
  const file: unknown = JSON.parse(readFileSync(await (await download).path(), 'utf8'))
  expect(file).toMatchObject({ format: 'tradewright.optimization-run', status: 'completed' })

  await page.getByRole('button', { name: 'Compare' }).click()
  const fitness = page
    .getByRole('dialog')
    .getByRole('row', { name: /^Best fitness/ })
    .getByRole('cell')
  await expect(fitness).toHaveCount(3)
  const [, one, other] = await fitness.allTextContents()
  expect(one).toBe(other)
  await expectAccessibleDialog(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()

  await page.getByRole('button', { name: 'Delete run' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete run' }).click()
  await expect(previousRuns(page).locator('option')).toHaveCount(3)
})

test('what fails says so in the words of the page [OPT-042, OPT-068, OPT-121, OPT-123..125]', async ({
  page,
  person: _person,
}) => {
  const id = await optimize(page, { ...SMALL_RUN, generations: 1 })
  await page.goto('/optimizer')
  await page.route('**/api/optimization-runs/*', (route) => route.fulfill({ status: 500, body: '' }))
  await page.getByRole('combobox', { name: 'Seeds from a run' }).selectOption(String(id))
  await page.getByRole('button', { name: 'Load seeds' }).click()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('Failed to load seed features from optimization run')
  await previousRuns(page).selectOption(String(id))
  await expect(alert).toContainText('Failed to load optimization run')
  await page.getByRole('button', { name: 'Delete run' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete run' }).click()
  await expect(alert).toContainText('Failed to delete optimization run')
  await expect(page.getByRole('dialog')).toBeHidden()

  await page.unroute('**/api/optimization-runs/*')
  await page.route('**/api/optimization-runs/*', async (route) => {
    const run: object = await (await route.fetch()).json()
    await route.fulfill({ json: { ...run, status: 'failed', results: null, error_message: null } })
  })
  await page.goto(`/optimizer?run=${id}`)
  await expect(alert).toContainText('Optimization failed: Unknown error')
  await page.unroute('**/api/optimization-runs/*')

  await page.route('**/api/feature-optimization', (route) => route.fulfill({ status: 500, body: '' }))
  await runButton(page).click()
  await expect(alert.filter({ hasText: /^Optimization failed$/ })).toBeVisible()
  await page.unroute('**/api/feature-optimization')
  await page.getByLabel('Target asset').fill('NOSUCHTICKER')
  await runButton(page).click()
  await expect(alert.filter({ hasText: 'NOSUCHTICKER' }).first()).toBeVisible({ timeout: 30_000 })
  await expect(page.getByLabel('Target asset')).toHaveValue('NOSUCHTICKER')
})

test('a phone shows setup or results, and never scrolls sideways', async ({ page, person: _person }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const id = await optimize(page, { ...SMALL_RUN, walk_forward_enabled: true, wf_step_size_pct: 10 })
  await page.goto('/optimizer')
  await expect(page.getByLabel('Target asset')).toBeVisible()
  await expect(results(page)).toBeHidden()
  await expectNoSidewaysScroll(page)
  await page.goto(`/optimizer?run=${id}`)
  await expect(page.getByRole('heading', { name: `Run #${id}: SPY` })).toBeVisible()
  await expect(page.getByLabel('Target asset')).toBeHidden()
  await page.getByRole('button', { name: 'Show individuals of generation 2' }).click()
  const individuals = page.getByRole('table', { name: 'Individuals of generation 2' })
  await expect(individuals.getByRole('row').nth(1)).toContainText(/window \d+/)
  expect((await individuals.boundingBox())?.width).toBeLessThan(390)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
})
