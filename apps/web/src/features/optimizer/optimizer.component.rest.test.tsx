import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  callServer,
  expectAccessible,
  expectAddress,
  expectTexts,
  inside,
  openScreen,
  postToServer,
  signInAsNew,
} from '../../../test-support/screen.tsx'
import { SMALL_RUN } from './test-support/search-forms.ts'

/** Through the call, for tests about what comes after it. A small run is awaited. */
async function optimize(form: object): Promise<number> {
  const { run_id } = await postToServer('/api/feature-optimization', form)
  return Number(run_id)
}

const results = page.getByRole('region', { name: 'Results', exact: true })
const previousRuns = page.getByRole('combobox', { name: 'Previous runs' })
const runButton = () => page.getByRole('button', { name: 'Run optimization' })

async function addFeature(name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Feature type', exact: true }).selectOptions(name)
  await page.getByRole('button', { name: 'Add Feature' }).click()
}

test('a run grows before the eyes and ends in a judged result that Backtest takes over [OPT-008, OPT-024..026, OPT-030..040, OPT-044, OPT-045, OPT-066]', async () => {
  await signInAsNew()
  openScreen('/optimizer')
  await page.getByLabelText('Target asset').fill('spy')
  await page.getByLabelText('Related assets').fill('tlt, gld, qqq, efa')
  await addFeature('RSI')
  await addFeature('Percent change')
  await page
    .getByRole('combobox', { name: 'Target', exact: true })
    .selectOptions(page.getByRole('combobox', { name: 'Target', exact: true }).getByRole('option').nth(1))
  await page.getByLabelText('Start date').fill('2023-01-03')
  await page.getByLabelText('End date').fill('2024-12-31')
  await page.getByLabelText('Population size').fill('10')
  await page.getByLabelText('Generations', { exact: true }).fill('3')
  await page.getByLabelText('Trees (n_estimators)').fill('10')
  await page.getByLabelText('Walk-forward', { exact: true }).click()
  await page.getByLabelText('Step size').fill('20')
  await runButton().click()
  await expect.element(page.getByRole('button', { name: 'Running...' })).toBeDisabled()

  const head = page.getByRole('heading', { name: /^Run #\d+: SPY$/ })
  await expect.element(head).toBeVisible()
  await expectAddress(/run=\d+/)
  await expect.element(results.getByText('Synthetic sample data').first()).toBeVisible()
  for (const label of ['Best fitness', 'Hold-out score', 'Accuracy', 'F1 score', 'Sharpe', 'CAGR']) {
    await expect.element(results.getByRole('term').filter({ hasText: label }).first()).toBeVisible()
  }
  const holding = page.getByRole('region', { name: 'Is it better than holding?' })
  await expect.element(holding).toMatchTextContent('Buy and hold is SPY 100%, always invested')
  for (const period of ['Test windows', 'Hold-out, unseen']) {
    await expect
      .element(holding.getByRole('row').filter({ hasText: period }))
      .toMatchTextContent(/[+−-]\d+\.\d%.*[+−-]\d+\.\d%/)
  }
  const luck = page.getByRole('region', { name: 'How much of this is luck?' })
  for (const title of ['Hold-out score', 'Deflated Sharpe', 'Probability of overfitting', 'Feature stability']) {
    await expect.element(luck.getByRole('listitem').filter({ hasText: title })).toBeVisible()
  }
  await expect.element(page.getByRole('region', { name: 'Data split' })).toMatchTextContent('Train period')
  await expect
    .element(page.getByRole('region', { name: 'Best target', exact: true }))
    .toMatchTextContent('TLT, GLD, QQQ +1 more')
  await expect
    .element(page.getByRole('table', { name: 'Optimal features' }).getByRole('row').nth(1))
    .toMatchTextContent('window')
  const windows = inside(page.getByRole('table', { name: 'Walk-forward windows' }), 'tbody tr')
  for (const row of windows.elements()) {
    const accuracy = row.querySelectorAll('td')[4]
    const isGood = Number.parseFloat(accuracy?.textContent ?? '') >= 50
    const { dataset } = accuracy?.querySelector<HTMLElement>('[data-direction]') ?? {}
    expect(dataset?.['direction']).toBe(isGood ? 'gain' : 'loss')
  }
  await expect
    .element(page.getByRole('region', { name: 'Genetic algorithm configuration' }))
    .toMatchTextContent('Best generation')
  await expect.element(page.getByRole('region', { name: 'Seed feature performance' })).toMatchTextContent('Seed used')
  await page.getByRole('button', { name: 'Show individuals of generation 3' }).click()
  const individuals = page.getByRole('table', { name: 'Individuals of generation 3' })
  await expectTexts(inside(individuals, 'thead th'), [
    'Rank',
    'Fitness',
    'Target',
    'Accuracy',
    'Sharpe',
    'CAGR',
    'Features',
  ])
  await expectAccessible()
  await page.getByRole('button', { name: 'Data Sources' }).click()
  const sources = page.getByRole('dialog', { name: 'Data Sources' })
  await expect.element(sources.getByRole('table')).toMatchTextContent('sample')
  await expect.element(sources.getByRole('table')).toMatchTextContent('SPY')
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()

  const features = inside(page.getByRole('table', { name: 'Optimal features' }), 'tbody tr').elements().length
  await page.getByRole('button', { name: 'Load into Backtest' }).click()
  await expectAddress('/backtest')
  await expect.element(page.getByText('Optimized strategy loaded')).toBeVisible()
  await expect.element(page.getByLabelText('Strategy name')).toHaveValue('Optimized Strategy - SPY')
  await expect.element(page.getByRole('button', { name: /^Parameters of / })).toHaveLength(features)
})

test('an earlier run fills the form, gives seeds, repeats itself and is compared [OPT-003, OPT-006, OPT-027, OPT-043, OPT-067, OPT-070, OPT-090, OPT-091, OPT-094]', async () => {
  await signInAsNew()
  const first = await optimize({ ...SMALL_RUN, seed: 5 })
  openScreen('/optimizer')
  await previousRuns.selectOptions(String(first))
  await page.getByRole('dialog').getByRole('button', { name: 'Use as seeds' }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await expect.element(page.getByLabelText('Target asset')).toHaveValue('SPY')
  await expect.element(page.getByLabelText('Population size')).toHaveValue('8')
  await expect.element(page.getByText('Walk-forward details not available for this run.')).toBeVisible()
  const seeds = page.getByRole('button', { name: /^Remove seed / })
  await expect.element(seeds.first()).toBeVisible()
  const count = seeds.elements().length

  await page.getByRole('combobox', { name: 'Seeds from a run' }).selectOptions(String(first))
  await page.getByRole('button', { name: 'Load seeds' }).click()
  await expect.element(page.getByText('0 seed features were added.')).toBeVisible()
  await page.getByRole('combobox', { name: 'Seed feature' }).selectOptions('MACD')
  await page.getByRole('button', { name: 'Add Seed' }).click()
  await expect
    .element(page.getByText(/^Validation errors: .* is not configured in Feature Parameters section/))
    .toBeVisible()
  await page.getByLabelText('Related assets').fill('')
  await page.getByLabelText('Target asset').fill('AGG')
  await expect.element(page.getByRole('list', { name: 'Seed warnings' })).toMatchTextContent('is not among the assets')
  await page.getByLabelText('Target asset').fill('SPY')
  await page.getByLabelText('Related assets').fill('TLT, GLD, QQQ, EFA')
  await expect.element(page.getByRole('list', { name: 'Seed warnings' })).not.toBeInTheDocument()

  await runButton().click()
  await expect.element(page.getByRole('region', { name: 'Seed feature performance' })).toMatchTextContent('Yes')
  await expect.element(page.getByRole('region', { name: 'Seed feature performance' })).toMatchTextContent(String(count))
  await page.getByRole('button', { name: 'Show individuals of generation 1', exact: true }).click()
  await expect.element(page.getByText('Seeded').first()).toBeVisible()
  const title = page.getByRole('heading', { name: /^Run #/ }).element().textContent
  await page.getByRole('button', { name: 'Rerun' }).click()
  await expect.element(page.getByRole('heading', { name: /^Run #/ })).not.toHaveTextContent(title ?? '')

  const link = page.getByRole('link', { name: 'JSON' })
  await expect.element(link).toHaveAttribute('download', expect.stringMatching(/^optimization_run_\d+\.json$/))
  const file: unknown = await (await callServer(link.element().getAttribute('href') ?? '')).json()
  expect(file).toMatchObject({ format: 'tradewright.optimization-run', status: 'completed' })

  await page.getByRole('button', { name: 'Compare' }).click()
  const fitness = page
    .getByRole('dialog')
    .getByRole('row', { name: /^Best fitness/ })
    .getByRole('cell')
  await expect.element(fitness).toHaveLength(3)
  const [, one, other] = fitness.elements().map(({ textContent }) => textContent)
  expect(one).toBe(other)
  await expectAccessible(page.getByRole('dialog').element())
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()

  await page.getByRole('button', { name: 'Delete run' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete run' }).click()
  await expect.element(previousRuns.getByRole('option')).toHaveLength(3)
})
