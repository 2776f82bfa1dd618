import { collect } from './collected-market.ts'
import { expect, type Page, test } from './story.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const records = (page: Page) => page.getByRole('table', { name: 'Records' }).locator('tbody tr')
const heading = (page: Page, name: string) => page.getByRole('columnheader', { name })

async function openBrowse(page: Page): Promise<void> {
  await page.goto('/data-collector')
  await page.getByRole('tab', { name: 'Browse Data' }).click()
}

async function pick(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('option', { name: option, exact: true })).toBeHidden()
}

test('collected data are browsed with sort, search and pages, and a query is saved, applied and deleted [DATA-021..028, DATA-030, DATA-052..055, DATA-071, DATA-072, DATA-078, DATA-134, DATA-135]', async ({
  page,
  person: _person,
}) => {
  await collect(page)
  await openBrowse(page)
  await expect(page.getByRole('combobox', { name: 'Layer' })).toHaveValue('gold')
  await page.getByRole('button', { name: 'Browse Data' }).click()
  await expect(records(page)).toHaveCount(50)
  await expect(page.getByText('Showing 1–50')).toBeVisible()
  await expect(page.getByText('Synthetic sample data')).toBeVisible()
  await expect(heading(page, 'Timestamp')).toHaveAttribute('aria-sort', 'descending')
  await expect(records(page).first()).toContainText('29 Feb 2024')

  const pages = page.getByRole('navigation', { name: 'Pages of records' })
  await expect(pages.getByRole('button', { name: /^Page / })).toHaveCount(5)
  await pages.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('Showing 51–100')).toBeVisible()
  await heading(page, 'Ticker').getByRole('button').click()
  await expect(heading(page, 'Ticker')).toHaveAttribute('aria-sort', 'ascending')
  await expect(page.getByText('Showing 1–50')).toBeVisible()
  await expect(records(page).first()).toContainText('SPY')
  await heading(page, 'Ticker').getByRole('button').click()
  await expect(heading(page, 'Ticker')).toHaveAttribute('aria-sort', 'descending')
  await expect(records(page).first()).toContainText('TLT')

  await page.getByPlaceholder('Search in results...').fill('volume')
  await expect(records(page).filter({ hasText: 'volume' })).toHaveCount(50)
  await expect(page.getByText('82 records')).toBeVisible()
  await page.getByPlaceholder('Search in results...').fill('')

  await expect(page.getByRole('button', { name: 'Save Filters' })).toBeDisabled()
  await pick(page, 'Tickers', 'TLT')
  await pick(page, 'Categories', 'close')
  await page.getByRole('button', { name: 'Save Filters' }).click()
  await expect(dialog(page).getByText('Save Current Query')).toBeVisible()
  await expect(dialog(page).getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
  await dialog(page).getByRole('textbox', { name: 'Query name' }).fill('Bond closes')
  await dialog(page).getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(page.getByText('Query saved successfully!')).toBeVisible()

  await page.reload()
  await page.getByRole('tab', { name: 'Browse Data' }).click()
  await page.getByRole('button', { name: 'Bond closes', exact: true }).click()
  await expect(page.getByText('41 records')).toBeVisible()
  await page.getByRole('combobox', { name: 'Layer' }).selectOption('silver')
  await expect(page.getByText('The filters have changed: press Browse Data')).toBeVisible()
  await page.getByRole('button', { name: 'Delete query Bond closes' }).click()
  await expect(dialog(page)).toContainText('cannot be undone')
  await dialog(page).getByRole('button', { name: 'Delete query' }).click()
  await expect(page.getByText('Query deleted successfully!')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Bond closes', exact: true })).toBeHidden()
})

test('a starter transform is applied to a selection [DATA-024, DATA-031, DATA-032, DATA-074, DATA-114, DATA-121, DATA-136, DATA-148]', async ({
  page,
  person: _person,
}) => {
  await collect(page)
  await openBrowse(page)
  await pick(page, 'Tickers', 'TLT')
  await page.getByRole('button', { name: 'Transform View' }).click()
  await expect(page.getByText('Please select at least one category for transform view')).toBeVisible()
  await pick(page, 'Categories', 'close')
  await page.getByRole('button', { name: 'Transform View' }).click()
  await expect(dialog(page).getByText('Transform & Analyze Data')).toBeVisible()
  const averages = dialog(page).getByRole('listitem').filter({ hasText: 'Moving Averages' }).first()
  await expect(averages.getByRole('listitem')).toHaveCount(4)
  await expect(averages).toContainText('+ 4 more')
  await dialog(page).getByRole('button', { name: 'Apply Returns' }).click()
  await expect(dialog(page).getByText('Transform applied successfully!')).toBeVisible()
  const table = dialog(page).getByRole('table', { name: 'Transform result' })
  await expect(table.getByRole('columnheader').filter({ hasText: 'return_1' }).first()).toBeVisible()
  await expect(table.locator('tbody tr')).toHaveCount(41)
  await dialog(page).getByRole('button', { name: 'Back to Transforms' }).click()
  await expect(dialog(page).getByRole('button', { name: 'Apply Returns' })).toBeVisible()

  await page.route('**/data/browse-with-transforms', (route) => route.fulfill({ status: 400 }))
  await dialog(page).getByRole('button', { name: 'Apply Returns' }).click()
  await expect(dialog(page).getByRole('alert')).toContainText('Failed to apply transform')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toBeHidden()
  await page.route('**/data/browse', (route) => route.fulfill({ status: 400 }))
  await page.getByRole('button', { name: 'Browse Data' }).click()
  await expect(page.getByText('Failed to browse data')).toBeVisible()
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
  await expect(records(page).first()).toContainText('11.25')
})
