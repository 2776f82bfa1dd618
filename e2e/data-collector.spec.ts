import { pagedDefinition, startCustomApiStandIn } from '../apps/server/test-support/stand-ins/custom-api.ts'
import { collect, createJob } from './collected-market.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts'
import { expect, type Page, test } from './story.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })

async function openTab(page: Page, name: string): Promise<void> {
  await page.goto('/data-collector')
  await tab(page, name).click()
}

test('a job is created, run, scheduled, edited and deleted [DATA-001..008, DATA-010..014, DATA-029, DATA-050, DATA-061..066, DATA-076, DATA-130..132, DATA-138]', async ({
  page,
  person: _person,
}) => {
  await page.goto('/data-collector')
  await expect(page.getByText('Manage data providers, storage, and collection jobs')).toBeVisible()
  for (const name of ['Collection Jobs', 'Data Providers', 'Data Stores', 'Browse Data', 'Run History']) {
    await expect(tab(page, name)).toBeVisible()
  }
  await expect(tab(page, 'Collection Jobs')).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByText('No collection jobs yet')).toBeVisible()

  await page.getByRole('button', { name: 'Create Job' }).click()
  await expect(dialog(page).getByText('Create Collection Job')).toBeVisible()
  await expect(dialog(page).getByRole('option', { name: 'Sample market (synthetic)' })).toBeAttached()
  await dialog(page).getByRole('combobox', { name: 'Data granularity' }).selectOption('')
  await dialog(page).getByRole('button', { name: 'Create Job' }).click()
  for (const sentence of [
    'Job name is required',
    'Provider is required for fetch jobs',
    'Data granularity is required',
    'At least one ticker is required',
  ]) {
    await expect(dialog(page).getByText(sentence)).toBeVisible()
  }
  await expect(dialog(page).getByRole('textbox', { name: 'Job name' })).toBeFocused()
  await dialog(page).getByRole('textbox', { name: 'Job name' }).fill('Bonds')
  // What was typed is kept as a draft, whichever way out is taken.
  for (const leave of [() => page.keyboard.press('Escape'), () => page.reload()]) {
    await leave()
    await expect(dialog(page)).toBeHidden()
    await page.getByRole('button', { name: 'Create Job' }).click()
    await expect(dialog(page).getByRole('textbox', { name: 'Job name' })).toHaveValue('Bonds')
    await expect(dialog(page).getByRole('button', { name: 'Start over' })).toBeVisible()
  }
  await expect(dialog(page).getByRole('textbox', { name: 'Job name' })).toHaveValue('Bonds')
  await dialog(page).getByRole('combobox', { name: 'Provider' }).selectOption('sample')
  await dialog(page).getByRole('combobox', { name: 'Data granularity' }).selectOption('1d')
  await dialog(page).getByRole('textbox', { name: 'Tickers' }).fill(' TLT, , SPY ')
  await expect(dialog(page).getByLabel('Start date')).toHaveValue('2020-01-01')
  await dialog(page).getByLabel('Dynamic dates').check()
  await expect(dialog(page).getByLabel('Start date')).toBeHidden()
  await expect(dialog(page).getByLabel('Start offset')).toHaveValue('30 days')
  await dialog(page).getByRole('button', { name: 'Create Job' }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByText('Collection job created successfully!')).toBeVisible()

  const table = page.getByRole('table', { name: 'Collection jobs' })
  await expect(table.getByRole('columnheader')).toHaveText([
    'Name',
    'Provider',
    'Store',
    'Tickers',
    'Data/Schedule',
    'Status',
    'Records',
    'Actions',
  ])
  const row = table.getByRole('row', { name: /Bonds/ })
  await expect(row).toContainText('TLT, SPY')
  await expect(row.getByTitle('Providers Max Batch')).toHaveText('Max Batch: 100')
  await row.getByRole('button', { name: 'Run Bonds' }).click()
  await expect(
    page.getByText(/^Job completed successfully! fetched [\d,]+ records, stored [\d,]+ records\.$/),
  ).toBeVisible()
  await expect(row.getByText('Completed')).toBeVisible()
  await tab(page, 'Run History').click()
  await expect(page.getByRole('table', { name: 'Runs' }).getByRole('row', { name: /Bonds/ })).toContainText('Completed')
  await expect(page.getByRole('button', { name: 'Refresh' })).toBeEnabled()

  await tab(page, 'Collection Jobs').click()
  await row.getByRole('button', { name: 'Edit Bonds' }).click()
  await expect(dialog(page).getByText('Edit Collection Job')).toBeVisible()
  await expect(dialog(page).getByLabel('Time zone')).toBeHidden()
  await dialog(page).getByLabel('Run on a schedule').check()
  await expect(dialog(page).getByLabel('Time zone')).toHaveValue('America/New_York')
  await expect(dialog(page).getByLabel('Saturday')).not.toBeChecked()
  await dialog(page).getByRole('button', { name: 'Update Job' }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByText('Collection job updated successfully!')).toBeVisible()
  await expect(row).toContainText('Weekdays at 09:30, New York')

  await row.getByRole('button', { name: 'Delete Bonds' }).click()
  await expect(dialog(page)).toContainText('cannot be undone')
  await dialog(page).getByRole('button', { name: 'Delete job' }).click()
  await expect(page.getByText('Collection job deleted successfully!')).toBeVisible()
  await expect(page.getByText('No collection jobs yet')).toBeVisible()
})

test('a store shows its quality, is cleared by the word and deleted after a question [DATA-018..020, DATA-075, DATA-077, DATA-133]', async ({
  page,
  person: _person,
}) => {
  await collect(page)
  const store = { name: 'Archive', store_type: 'local', connection_config: { path: 'archive' } }
  expect((await page.request.post('/api/data-stores', { data: store })).ok()).toBe(true)
  await openTab(page, 'Data Stores')
  await expect(page.getByText('New stores are added in Settings.')).toBeVisible()
  const system = page.getByRole('region', { name: 'System Storage', exact: true })
  await expect(system.getByText('Default', { exact: true })).toBeVisible()
  await expect(system.getByText('parquet')).toBeVisible()
  await expect(system.getByRole('button', { name: 'The system store cannot be deleted' })).toBeDisabled()
  await system.getByRole('button', { name: 'Data quality' }).click()
  const report = page.getByRole('region', { name: 'Data quality of System Storage' })
  await expect(report.getByRole('row', { name: /TLT/ })).toContainText('sessions behind')

  await system.getByRole('button', { name: 'Clear all data of System Storage' }).click()
  await expect(dialog(page).getByRole('button', { name: 'Clear all data' })).toBeDisabled()
  await dialog(page).getByLabel('Type CLEAR to confirm').fill('CLEAR')
  await dialog(page).getByRole('button', { name: 'Clear all data' }).click()
  await expect(page.getByText(/^Removed [\d,]+ records from "System Storage"\.$/)).toBeVisible()
  await expect(report.getByText('Nothing to check')).toBeVisible()

  await page.getByRole('button', { name: 'Delete Archive' }).click()
  await expect(dialog(page)).toContainText('cannot be undone')
  await dialog(page).getByRole('button', { name: 'Delete data store' }).click()
  await expect(page.getByText('Data store deleted successfully!')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Archive' })).toBeHidden()
})

test('providers are listed, and a generated one is shown and tried before it can be saved [DATA-015..017, DATA-033, DATA-079, DATA-124, DATA-137]', async ({
  page,
  person: _person,
}) => {
  await openTab(page, 'Data Providers')
  const yahoo = page.getByRole('region', { name: 'Yahoo Finance' })
  await expect(yahoo).toContainText('Auth required')
  await expect(yahoo).toContainText('1 ticker')
  await page.getByRole('button', { name: 'Generate Custom Provider' }).click()
  await expect(dialog(page).getByText('Generate New Provider')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Generate Provider' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('Provider name is required')

  // No model is connected here, so its answer is made up; trying and saving go to the real server.
  const definition = { id: 'my-api', displayName: 'My API', baseUrl: 'http://127.0.0.1:9' }
  await page.route('**/providers/generate', (route) => route.fulfill({ json: { success: true, definition } }))
  await dialog(page).getByRole('button', { name: 'Generate Provider' }).click()
  await expect(dialog(page).getByText('Provider generated successfully!')).toBeVisible()
  await expect(dialog(page).getByLabel('Definition')).toHaveValue(/"id": "my-api"/)
  await dialog(page).getByLabel('Ticker to try').fill('AAPL')
  await dialog(page).getByRole('button', { name: 'Try it' }).click()
  await expect(dialog(page).getByRole('region', { name: 'Dry run' })).toContainText('It does not work yet')
  await expect(dialog(page).getByRole('button', { name: 'Save Provider' })).toBeDisabled()
})

test('a custom provider serves a job, whose run is cancelled and keeps what it stored', async ({
  page,
  person: _person,
}) => {
  const api = await startCustomApiStandIn(() => Date.now(), 'key')
  const candidate = { definition: pagedDefinition(api.url), ticker: 'AAPL', api_key: 'key' }
  const saved = await page.request.post('/api/data-collector/providers', { data: candidate })
  expect(saved.ok(), await saved.text()).toBe(true)
  await openTab(page, 'Data Providers')
  await expect(page.getByRole('region', { name: 'My API' }).getByText('Custom', { exact: true })).toBeVisible()
  await tab(page, 'Collection Jobs').click()
  await page.getByRole('button', { name: 'Create Job' }).click()
  await dialog(page).getByRole('textbox', { name: 'Job name' }).fill('Own')
  await dialog(page).getByRole('combobox', { name: 'Provider' }).selectOption('my-api')
  await dialog(page).getByRole('textbox', { name: 'Tickers' }).fill('AAPL, MSFT')
  await dialog(page).getByRole('button', { name: 'Create Job' }).click()
  await expect(dialog(page)).toBeHidden()

  api.misbehave('slow', { when: ({ path }) => path.endsWith('/MSFT') })
  const row = page.getByRole('table', { name: 'Collection jobs' }).getByRole('row', { name: /Own/ })
  await row.getByRole('button', { name: 'Run Own' }).click()
  await expect(row).toContainText(/[\d,]+ records, AAPL/)
  await row.getByRole('button', { name: 'Cancel Own' }).click()
  await expect(page.getByText('The run was cancelled. The data it had stored is kept.')).toBeVisible()
  await expect(row.getByText('Cancelled', { exact: true })).toBeVisible()
  await tab(page, 'Run History').click()
  const run = page.getByRole('table', { name: 'Runs' }).getByRole('row', { name: /Own/ })
  await expect(run).toContainText('Cancelled')
  await tab(page, 'Browse Data').click()
  await page.getByRole('button', { name: 'Browse Data' }).click()
  await expect(page.getByRole('table', { name: 'Records' }).getByRole('row', { name: /AAPL/ }).first()).toContainText(
    'my-api',
  )
  await api.close()
})

test('system and transform jobs are protected, and messages go by themselves [DATA-009, DATA-035, DATA-057, DATA-058, DATA-073, DATA-128]', async ({
  page,
  person: _person,
}) => {
  await createJob(page, { name: 'Fetched' })
  const jobs = (await (await page.request.get('/api/data-collector/jobs')).json()) as { jobs: object[] }
  const like = (more: object) => ({ ...jobs.jobs[0], ...more })
  await page.route('**/api/data-collector/jobs', (route) =>
    route.fulfill({
      json: {
        success: true,
        jobs: [
          like({ id: 1, name: 'Nightly', is_system: true }),
          like({ id: 2, name: 'Returns', job_kind: 'transform', status: 'failed', error_message: 'No data.' }),
        ],
      },
    }),
  )
  await page.clock.install({ time: new Date('2026-11-14T12:00:00Z') })
  await page.goto('/data-collector')
  const nightly = page.getByRole('row', { name: /Nightly/ })
  await expect(nightly.getByText('System', { exact: true })).toBeVisible()
  await expect(nightly.getByRole('button', { name: 'Edit Nightly' })).toBeDisabled()
  await expect(nightly.getByRole('button', { name: 'Delete Nightly' })).toBeDisabled()
  const returns = page.getByRole('row', { name: /Returns/ })
  await expect(returns.getByText('Transform', { exact: true })).toBeVisible()
  await expect(returns.getByText('No data.')).toBeVisible()
  await tab(page, 'Browse Data').click()
  await expect(page.getByRole('button', { name: 'Transform View' })).toBeVisible()

  await page.clock.pauseAt(new Date('2026-11-14T13:00:00Z'))
  await page.getByRole('button', { name: 'Transform View' }).click()
  const error = page.getByText('Please select at least one ticker for transform view')
  await expect(error).toBeVisible()
  await page.mouse.move(0, 0)
  await page.clock.runFor(9_500)
  await expect(error).toBeVisible()
  await page.clock.runFor(1_000)
  await expect(error).toBeHidden()

  await tab(page, 'Collection Jobs').click()
  await returns.getByRole('button', { name: 'Edit Returns' }).click()
  const info = page.getByText('Transform jobs are currently read-only in the UI.')
  await expect(info).toBeVisible()
  await page.clock.runFor(4_500)
  await expect(info).toBeVisible()
  await page.clock.runFor(1_000)
  await expect(info).toBeHidden()
})

test('what cannot be loaded or done says so [DATA-112, DATA-113, DATA-115, DATA-118, DATA-122, DATA-127]', async ({
  page,
  person: _person,
}) => {
  await createJob(page)
  const refuse = (url: string, method: string) =>
    page.route(url, (route) =>
      route.request().method() === method ? route.fulfill({ status: 400 }) : route.fallback(),
    )
  await refuse('**/api/data-collector/providers', 'GET')
  await refuse('**/api/data-collector/runs', 'GET')
  await refuse('**/api/data-collector/jobs/*/run', 'POST')
  await refuse('**/api/data-collector/jobs/*', 'DELETE')
  await refuse('**/api/data-collector/sec-tickers*', 'GET')
  await page.goto('/data-collector')
  await expect(page.getByText('Failed to load data collector information')).toBeVisible()
  await page.getByRole('button', { name: 'Run Large caps' }).click()
  await expect(page.getByText('Failed to run collection job')).toBeVisible()
  await page.getByRole('button', { name: 'Delete Large caps' }).click()
  await dialog(page).getByRole('button', { name: 'Delete job' }).click()
  await expect(page.getByText('Failed to delete collection job')).toBeVisible()
  await expect(dialog(page)).toBeHidden()
  await tab(page, 'Run History').click()
  await expect(page.getByText('Failed to load runs')).toBeVisible()
  await tab(page, 'Collection Jobs').click()
  await page.getByRole('button', { name: 'Create Job' }).click()
  await dialog(page).getByRole('button', { name: 'Add top SEC tickers' }).click()
  const sec = page.getByRole('dialog', { name: 'Add top SEC tickers' })
  await expect(sec.getByRole('textbox')).toHaveValue('50')
  await sec.getByRole('button', { name: 'Add tickers' }).click()
  await expect(sec.getByRole('alert')).toContainText('Failed to fetch SEC tickers')
})

test('jobs, their form and stores pass the checks of axe', async ({ page, person: _person }) => {
  await collect(page)
  await page.goto('/data-collector')
  await expect(page.getByRole('row', { name: /Large caps/ })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create Job' }).click()
  await dialog(page).getByLabel('Run on a schedule').check()
  await dialog(page).getByRole('button', { name: 'Create Job' }).click()
  await expect(dialog(page).getByText('Job name is required')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await tab(page, 'Data Stores').click()
  await page.getByRole('button', { name: 'Data quality' }).click()
  await expect(page.getByRole('row', { name: /TLT/ })).toBeVisible()
  await expectAccessible(page)
})

test.describe('dark, on a phone', () => {
  test.use({ colorScheme: 'dark', viewport: { width: 390, height: 844 } })

  test('no tab scrolls sideways, and browse and history pass the checks of axe', async ({ page, person: _person }) => {
    await collect(page)
    await page.goto('/data-collector')
    await expect(page.getByText('Large caps')).toBeVisible()
    await expectNoSidewaysScroll(page)
    await tab(page, 'Data Providers').click()
    await expect(page.getByRole('region', { name: 'Yahoo Finance' })).toBeVisible()
    await expectNoSidewaysScroll(page)
    await tab(page, 'Data Stores').click()
    await page.getByRole('button', { name: 'Data quality' }).click()
    await expect(page.getByRole('row', { name: /TLT/ })).toBeVisible()
    await expectNoSidewaysScroll(page)
    await tab(page, 'Browse Data').click()
    await page.getByRole('button', { name: 'Browse Data' }).click()
    await expect(page.getByRole('table', { name: 'Records' })).toBeVisible()
    await expectAccessible(page)
    await tab(page, 'Run History').click()
    await expect(page.getByRole('table', { name: 'Runs' })).toBeVisible()
    await expectAccessible(page)
  })
})
