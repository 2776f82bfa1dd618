import { pagedDefinition, startCustomApiStandIn } from '../apps/server/test-support/stand-ins/custom-api.ts'
import { expect, type Page, test } from './story.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true })

test('a custom provider serves a job, whose run is cancelled and keeps what it stored', async ({
  page,
  person: _person,
}) => {
  const api = await startCustomApiStandIn(() => Date.now(), 'key')
  const candidate = { definition: pagedDefinition(api.url), ticker: 'AAPL', api_key: 'key' }
  const saved = await page.request.post('/api/data-collector/providers', { data: candidate })
  expect(saved.ok(), await saved.text()).toBe(true)
  await page.goto('/data-collector?tab=providers')
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
  // The message is gone after five seconds, in which a busy machine may not look.
  const ended = page.waitForResponse((answer) => answer.url().endsWith('/run'))
  await row.getByRole('button', { name: 'Cancel Own' }).click()
  expect(await (await ended).json()).toMatchObject({ code: 'job.cancelled' })
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

test('a CSV file is imported, with a column told what it is', async ({ page, person: _person }) => {
  await page.goto('/data-collector')
  await page.getByRole('button', { name: 'Import CSV' }).click()
  const text = 'date,settle\n2024-01-02,10.5\n2024-01-03,11.25\n'
  await dialog(page)
    .getByLabel('File')
    .setInputFiles({ name: 'MYFUND.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await expect(dialog(page).getByRole('textbox', { name: 'Ticker' })).toHaveValue('MYFUND')
  await dialog(page).getByText('Columns: date, settle').click()
  await dialog(page).getByRole('combobox', { name: 'settle' }).selectOption('close')
  await dialog(page).getByRole('button', { name: 'Import', exact: true }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByText('Imported 2 rows of MYFUND.')).toBeVisible()
  await page.getByRole('tab', { name: 'Browse Data' }).click()
  await page.getByRole('button', { name: 'Browse Data' }).click()
  await expect(page.getByRole('table', { name: 'Records' }).locator('tbody tr').first()).toContainText('11.25')
})
