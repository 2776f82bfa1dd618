import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts'
import { optimize, previousRuns, results, SMALL_RUN } from './optimization.ts'
import { expect, type Page, test } from './story.ts'

const runButton = (page: Page) => page.getByRole('button', { name: 'Run optimization' })

async function addFeature(page: Page, name: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Feature type', exact: true }).selectOption(name)
  await page.getByRole('button', { name: 'Add Feature' }).click()
}

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
