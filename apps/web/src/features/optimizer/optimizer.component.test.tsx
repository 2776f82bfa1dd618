import type { OptimizationRun } from '@tradewright/contract/optimization-run'
import * as calls from '@tradewright/contract/optimizer'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectTexts,
  inside,
  openScreen,
  postToServer,
  reloadScreen,
  signIn,
  signInAsNew,
  standIn,
} from '../../../test-support/screen.tsx'
import { on, refuse } from '../../../test-support/served.ts'
import { sampleGeneration, sampleRun } from './test-support/sample-run.ts'
import { LONG_RUN } from './test-support/search-forms.ts'

/** Through the call, for tests about what comes after it. A small run is awaited. */
async function optimize(form: object): Promise<number> {
  const { run_id } = await postToServer('/api/feature-optimization', form)
  return Number(run_id)
}

/** The user's only run, as the server would tell of it. */
function standInRun(run: OptimizationRun): void {
  standIn([
    on(calls.listOptimizationRuns, () => ({ optimization_runs: [run], left_out: 0 })),
    on(calls.getOptimizationRun, () => run),
    on(calls.getGeneration, ({ params }) => sampleGeneration(Number(params['generation']))),
  ])
}

const results = page.getByRole('region', { name: 'Results', exact: true })
const previousRuns = page.getByRole('combobox', { name: 'Previous runs' })
const runButton = () => page.getByRole('button', { name: 'Run optimization' })
const warnings = () => page.getByRole('list', { name: 'Before the run' })

async function addFeature(name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Feature type', exact: true }).selectOptions(name)
  await page.getByRole('button', { name: 'Add Feature' }).click()
}

test('the form says what it still needs, and New Run brings its defaults back [OPT-001..005, OPT-009..023, OPT-028, OPT-029, OPT-041, OPT-071, OPT-072, OPT-082..085]', async () => {
  await signIn()
  openScreen('/optimizer')
  for (const tab of ['Feature Optimization', 'Leading Indicators']) {
    await expect.element(page.getByRole('tab', { name: tab })).toBeVisible()
  }
  await expect.element(results.getByText('No optimization results')).toBeVisible()
  await expect.element(page.getByLabelText('Target asset')).toHaveValue('BTC-USD')
  await expect.element(runButton()).toBeDisabled()
  await expect.element(warnings()).toMatchTextContent('Select at least one feature type')
  await expect.element(warnings()).toMatchTextContent('Choose a target for prediction')
  await page.getByLabelText('Start date').fill('')
  await page.getByLabelText('End date').fill('')
  await expect.element(warnings()).toMatchTextContent('Set start date for backtest period')
  await expect.element(warnings()).toMatchTextContent('Set end date for backtest period')

  for (const label of ['Related assets', 'Data granularity', 'Evaluation metric', 'Model', 'Seed feature']) {
    await expect.element(page.getByLabelText(label, { exact: true })).toBeVisible()
  }
  for (const label of ['Train window', 'Test window', 'Step size', 'Fitness mode', 'Variance penalty', 'Patience']) {
    await expect.element(page.getByLabelText(label, { exact: true })).toBeDisabled()
  }
  await page.getByLabelText('Walk-forward', { exact: true }).click()
  await page.getByLabelText('Early stopping').click()
  for (const label of [
    'Train window',
    'Step size',
    'Fitness mode',
    'Variance exponent',
    'Patience',
    'Min improvement',
  ]) {
    await expect.element(page.getByLabelText(label, { exact: true })).toBeEnabled()
  }
  await page.getByLabelText('Mutation rate').fill('3')
  await page.getByLabelText('Variance exponent').fill('9')
  await page.getByLabelText('Step size').fill('0')
  await page.getByLabelText('Train size').fill('80')
  await expect.element(page.getByLabelText('Test size')).toHaveValue('20%')
  await expect.element(page.getByLabelText('Mutation rate')).toHaveValue('1')
  await expect.element(page.getByLabelText('Variance exponent')).toHaveValue('5')
  await expect.element(page.getByLabelText('Step size')).toHaveValue('1%')
  await expect.element(page.getByText('10–500')).toBeVisible()
  await page.getByText('Ticker examples').click()
  await expect.element(page.getByText('BTC-LIQ')).toBeVisible()
  await expect.element(page.getByText('limited to 40 calls a minute')).toBeVisible()

  await page.getByRole('button', { name: 'New Run' }).click()
  await expect.element(page.getByLabelText('Train size')).toHaveValue('70%')
  await addFeature('RSI')
  await page.getByRole('button', { name: 'Parameter ranges of RSI' }).click()
  await expect.element(page.getByLabelText('Window', { exact: true })).toHaveValue('5, 10, 14, 20, 30')
  await page
    .getByRole('combobox', { name: 'Target', exact: true })
    .selectOptions(page.getByRole('combobox', { name: 'Target', exact: true }).getByRole('option').nth(2))
  await expect.element(page.getByLabelText('Horizon')).toBeVisible()
  await expect.element(warnings()).not.toBeInTheDocument()
  await expect.element(page.getByText(/^\d+ features to choose from, up to 1,000 sets tried\.$/)).toBeVisible()
  await page.getByLabelText('Window', { exact: true }).fill('soon')
  const refused = page.getByRole('list', { name: 'This cannot run yet' })
  await expect.element(refused).toMatchTextContent('window must be a whole number')
  await page.getByLabelText('Window', { exact: true }).fill('14')
  await expect.element(refused).not.toBeInTheDocument()
  await page.getByLabelText('Target asset').fill(' , ')
  await runButton().click()
  await expect
    .element(page.getByRole('alert'))
    .toMatchTextContent('Add at least one target ticker before running the optimizer.')
})

test('a run in progress is found again, paused, resumed and cancelled [OPT-007, OPT-008, OPT-069, OPT-097, OPT-098]', async () => {
  await signInAsNew()
  await optimize({ ...LONG_RUN, wait: false })
  openScreen('/optimizer')
  const title = page.getByRole('heading', { name: /^In progress — Generation \d+ of 200$/ })
  await expect.element(title).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Running...' })).toBeDisabled()
  await expect.element(page.getByLabelText('Population size')).toHaveValue('30')
  await expect.element(page.getByRole('heading', { name: /Generation [1-9]\d* of 200$/ })).toBeVisible()
  await expect.element(page.getByRole('table', { name: 'Generation details' }).getByRole('row').nth(1)).toBeVisible()
  await expect.element(page.getByText('Synthetic sample data')).toBeVisible()
  await expectAccessible()

  await page.getByRole('button', { name: 'Pause' }).click()
  await expect.element(page.getByRole('button', { name: 'Resume' })).toBeEnabled()
  reloadScreen()
  await expect.element(page.getByText('Paused. Results so far are kept.')).toBeVisible()
  await page.getByRole('button', { name: 'Resume' }).click()
  await expect.element(page.getByRole('button', { name: 'Pause' })).toBeEnabled()
  await page.getByRole('button', { name: 'Cancel run' }).click()
  await expectAccessible(page.getByRole('dialog').element())
  await page.getByRole('dialog').getByRole('button', { name: 'Keep the run' }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(title).toBeVisible()
  await page.getByRole('button', { name: 'Cancel run' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel run' }).click()
  await expect.element(page.getByText('This run was abandoned.')).toBeVisible()
  await expect.element(previousRuns.getByRole('option', { selected: true })).toMatchTextContent('abandoned')

  await page.getByRole('button', { name: 'Delete run' }).click()
  await expectAccessible(page.getByRole('dialog').element())
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Delete all runs' }).click()
  await expect.element(page.getByRole('dialog')).toMatchTextContent('A few seconds later this cannot be undone.')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete all runs' }).click()
  await expectTexts(previousRuns.getByRole('option'), ['No runs yet'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(previousRuns.getByRole('option').last()).toMatchTextContent('abandoned')
})

test('what fails says so in the words of the page [OPT-042, OPT-068, OPT-121, OPT-123..125]', async () => {
  await signIn()
  const run = sampleRun()
  const broken = { refusal: { status: 500, body: {} } }
  standInRun(run)
  standIn([on(calls.getOptimizationRun, () => broken), on(calls.deleteOptimizationRun, () => broken)])
  openScreen('/optimizer')
  const alert = page.getByRole('alert')
  await page.getByRole('combobox', { name: 'Seeds from a run' }).selectOptions(String(run.id))
  await page.getByRole('button', { name: 'Load seeds' }).click()
  await expect.element(alert).toMatchTextContent('Failed to load seed features from optimization run')
  await previousRuns.selectOptions(String(run.id))
  await expect.element(alert).toMatchTextContent('Failed to load optimization run')
  await page.getByRole('button', { name: 'Delete run' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete run' }).click()
  await expect.element(alert).toMatchTextContent('Failed to delete optimization run')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()

  standInRun({ ...run, status: 'failed', results: null })
  openScreen(`/optimizer?run=${run.id}`)
  await expect.element(alert).toMatchTextContent('Optimization failed: Unknown error')

  standInRun(run)
  openScreen(`/optimizer?run=${run.id}`)
  await expect.element(page.getByLabelText('Target asset')).toHaveValue('BTC-USD')
  standIn([on(calls.runOptimization, () => broken)])
  await runButton().click()
  await expect.element(alert.filter({ hasText: /^Optimization failed$/ })).toBeVisible()
  await page.getByLabelText('Target asset').fill('NOSUCHTICKER')
  standIn([on(calls.runOptimization, () => refuse('No data for NOSUCHTICKER.', { status: 422 }))])
  await runButton().click()
  await expect.element(alert.filter({ hasText: 'No data for NOSUCHTICKER.' })).toBeVisible()
  await expect.element(page.getByLabelText('Target asset')).toHaveValue('NOSUCHTICKER')
})

test('a phone shows setup or results, and never scrolls sideways', async () => {
  await signIn()
  const run = sampleRun()
  standInRun(run)
  await page.viewport(390, 844)
  openScreen('/optimizer')
  await expect.element(page.getByLabelText('Target asset')).toBeVisible()
  await expect.element(results).not.toBeInTheDocument()
  await expectNoSidewaysScroll()
  openScreen(`/optimizer?run=${run.id}`)
  await expect.element(page.getByRole('heading', { name: 'Run #12: BTC-USD' })).toBeVisible()
  await expect.element(page.getByLabelText('Target asset')).not.toBeVisible()
  await page.getByRole('button', { name: 'Show individuals of generation 2' }).click()
  const individuals = page.getByRole('table', { name: 'Individuals of generation 2' })
  await expect.element(individuals.getByRole('row').nth(1)).toMatchTextContent(/window \d+/)
  expect(individuals.element().getBoundingClientRect().width).toBeLessThan(390)
  await expectNoSidewaysScroll()
  await expectAccessible()
})

test('a search that is repeated before each window says how far it is, and what a user would have had', async () => {
  await signIn()
  openScreen('/optimizer')
  await page.getByLabelText('Nested walk-forward').click()
  await page.getByLabelText('Windows', { exact: true }).fill('2')
  await expect.element(page.getByText('3 searches instead of one: the run takes up to 3 times as long.')).toBeVisible()

  const run = sampleRun()
  const optimization_config = { ...run.optimization_config, nested_walk_forward: true, nested_windows: 2 }
  const progress = {
    generation: 1,
    generations: 2,
    fraction: 0.4,
    note: 'Nested window 1 of 2 · Generation 1 of 2',
    evaluations: 9,
    evaluations_per_second: 3,
    seconds_left: 75,
    best_fitness: 0.55,
    avg_fitness: 0.5,
  }
  const running = {
    ...run,
    optimization_config,
    status: 'running' as const,
    finished_at: null,
    results: null,
    progress,
  }
  standInRun(running)
  openScreen(`/optimizer?run=${run.id}`)
  await expect.element(page.getByText(/^Nested window 1 of 2 · Generation 1 of 2/)).toBeVisible()
  await expect.element(page.getByRole('term').filter({ hasText: 'Time left' })).toBeVisible()

  const figures = { accuracy: 0.55, f1_score: 0.5, sharpe: 0.9, cagr: 0.123 }
  const held = { sharpe: 0.7, cagr: -0.045 }
  const window = (test_start: string, test_end: string) => ({
    test_start,
    test_end,
    target_asset: 'BTC-USD',
    features: ['RSI (SPY, window 14)'],
    best_fitness: 0.55,
    generations: 2,
    evaluations: 7,
    performance: figures,
    buy_and_hold: held,
  })
  const nested_walk_forward = {
    value: 0.9,
    verdict: 'caution' as const,
    verdict_text: 'Promising, not proven',
    sentence: 'Two windows are few.',
    planned_windows: 2,
    performance: figures,
    buy_and_hold: held,
    curve: { dates: ['2025-09-02', '2026-02-01', '2026-06-30'], winner: [1, 1.05, 1.1], buy_and_hold: [1, 0.98, 0.96] },
    windows: [window('2025-09-02', '2026-01-31'), window('2026-02-01', '2026-06-30')],
  }
  standInRun({ ...run, optimization_config, results: { ...run.results!, nested_walk_forward } })
  openScreen(`/optimizer?run=${run.id}`)
  const nested = page.getByRole('region', { name: 'Nested walk-forward', exact: true })
  const table = nested.getByRole('table', { name: 'Nested walk-forward and buy and hold' })
  await expect.element(table.getByRole('row').filter({ hasText: 'All windows' })).toMatchTextContent(/\+12\.3%.*−4\.5%/)
  await expect.element(table.getByText(/^BTC-USD by RSI/)).toHaveLength(2)
  await expect.element(nested.getByText(/^Promising, not proven/)).toBeVisible()
  await expect.element(nested.getByText(/^What one dollar became by searching again/)).toBeInTheDocument()
  await expect.poll(() => inside(nested, 'canvas').elements().length).toBeGreaterThan(0)
  await expectAccessible()
})
