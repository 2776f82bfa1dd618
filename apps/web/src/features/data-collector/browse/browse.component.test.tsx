import { browseData, browseWithTransforms } from '@tradewright/contract/collected-data'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { collect } from '../../../../test-support/collected-market.ts'
import { inside, openScreen, reloadScreen, signInAsNew, standIn } from '../../../../test-support/screen.tsx'
import { on, refuse } from '../../../../test-support/served.ts'

const dialog = () => page.getByRole('dialog')
const records = inside(page.getByRole('table', { name: 'Records' }), 'tbody tr')
const texts = () => records.elements().map(({ textContent }) => textContent)
const heading = (name: string) => page.getByRole('table', { name: 'Records' }).getByRole('button', { name })
const sorted = (name: string) => heading(name).query()?.closest('th')?.ariaSort

async function openBrowse(): Promise<void> {
  openScreen('/data-collector')
  await page.getByRole('tab', { name: 'Browse Data' }).click()
}

async function pick(label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('option', { name: option, exact: true })).not.toBeInTheDocument()
}

test('collected data are browsed with sort, search and pages, and a query is saved, applied and deleted [DATA-021..028, DATA-030, DATA-052..055, DATA-071, DATA-072, DATA-078, DATA-134, DATA-135]', async () => {
  await signInAsNew()
  await collect()
  await openBrowse()
  await expect.element(page.getByRole('combobox', { name: 'Layer' })).toHaveValue('gold')
  await page.getByRole('button', { name: 'Browse Data' }).click()
  await expect.poll(texts).toHaveLength(50)
  await expect.element(page.getByText('Showing 1–50')).toBeVisible()
  await expect.element(page.getByText('Synthetic sample data')).toBeVisible()
  await expect.poll(() => sorted('Timestamp')).toBe('descending')
  await expect.poll(() => texts()[0]).toContain('29 Feb 2024')

  const pages = page.getByRole('navigation', { name: 'Pages of records' })
  await expect.element(pages.getByRole('button', { name: /^Page / })).toHaveLength(5)
  await pages.getByRole('button', { name: 'Next' }).click()
  await expect.element(page.getByText('Showing 51–100')).toBeVisible()
  await heading('Ticker').click()
  await expect.poll(() => sorted('Ticker')).toBe('ascending')
  await expect.element(page.getByText('Showing 1–50')).toBeVisible()
  await expect.poll(() => texts()[0]).toContain('SPY')
  await heading('Ticker').click()
  await expect.poll(() => sorted('Ticker')).toBe('descending')
  await expect.poll(() => texts()[0]).toContain('TLT')

  await page.getByPlaceholder('Search in results...').fill('volume')
  await expect.poll(() => texts().filter((text) => text.includes('volume'))).toHaveLength(50)
  await expect.element(page.getByText('82 records')).toBeVisible()
  await page.getByPlaceholder('Search in results...').fill('')

  await expect.element(page.getByRole('button', { name: 'Save Filters' })).toBeDisabled()
  await pick('Tickers', 'TLT')
  await pick('Categories', 'close')
  await page.getByRole('button', { name: 'Save Filters' }).click()
  await expect.element(dialog().getByText('Save Current Query')).toBeVisible()
  await expect.element(dialog().getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
  await dialog().getByRole('textbox', { name: 'Query name' }).fill('Bond closes')
  await dialog().getByRole('button', { name: 'Save', exact: true }).click()
  await expect.element(dialog()).not.toBeInTheDocument()
  await expect.element(page.getByText('Query saved successfully!')).toBeVisible()

  reloadScreen()
  await page.getByRole('tab', { name: 'Browse Data' }).click()
  await page.getByRole('button', { name: 'Bond closes', exact: true }).click()
  await expect.element(page.getByText('41 records')).toBeVisible()
  await page.getByRole('combobox', { name: 'Layer' }).selectOptions('silver')
  await expect.element(page.getByText('The filters have changed: press Browse Data')).toBeVisible()
  await page.getByRole('button', { name: 'Delete query Bond closes' }).click()
  await expect.element(dialog()).toMatchTextContent('cannot be undone')
  await dialog().getByRole('button', { name: 'Delete query' }).click()
  await expect.element(page.getByText('Query deleted successfully!')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Bond closes', exact: true })).not.toBeInTheDocument()
})

test('a starter transform is applied to a selection [DATA-024, DATA-031, DATA-032, DATA-074, DATA-114, DATA-121, DATA-136, DATA-148]', async () => {
  await signInAsNew()
  await collect()
  await openBrowse()
  await pick('Tickers', 'TLT')
  await page.getByRole('button', { name: 'Transform View' }).click()
  await expect.element(page.getByText('Please select at least one category for transform view')).toBeVisible()
  await pick('Categories', 'close')
  await page.getByRole('button', { name: 'Transform View' }).click()
  await expect.element(dialog().getByText('Transform & Analyze Data')).toBeVisible()
  const averages = dialog().getByRole('listitem').filter({ hasText: 'Moving Averages' }).first()
  await expect.element(averages.getByRole('listitem')).toHaveLength(4)
  await expect.element(averages).toMatchTextContent('+ 4 more')
  await dialog().getByRole('button', { name: 'Apply Returns' }).click()
  await expect.element(dialog().getByText('Transform applied successfully!')).toBeVisible()
  const table = dialog().getByRole('table', { name: 'Transform result' })
  await expect
    .poll(() =>
      inside(table, 'th')
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toContain('return_1')
  await expect.poll(() => inside(table, 'tbody tr').elements()).toHaveLength(41)
  await dialog().getByRole('button', { name: 'Back to Transforms' }).click()
  await expect.element(dialog().getByRole('button', { name: 'Apply Returns' })).toBeVisible()

  standIn([on(browseWithTransforms, () => refuse(''))])
  await dialog().getByRole('button', { name: 'Apply Returns' }).click()
  await expect.element(dialog().getByRole('alert')).toMatchTextContent('Failed to apply transform')
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog()).not.toBeInTheDocument()
  standIn([on(browseData, () => refuse(''))])
  await page.getByRole('button', { name: 'Browse Data' }).click()
  await expect.element(page.getByText('Failed to browse data')).toBeVisible()
})

test('a CSV file is imported, with a column told what it is', async () => {
  await signInAsNew()
  openScreen('/data-collector')
  await page.getByRole('button', { name: 'Import CSV' }).click()
  const text = 'date,settle\n2024-01-02,10.5\n2024-01-03,11.25\n'
  await dialog()
    .getByLabelText('File')
    .upload(new File([text], 'MYFUND.csv', { type: 'text/csv' }))
  await expect.element(dialog().getByRole('textbox', { name: 'Ticker' })).toHaveValue('MYFUND')
  await dialog().getByText('Columns: date, settle').click()
  await dialog().getByRole('combobox', { name: 'settle' }).selectOptions('close')
  await dialog().getByRole('button', { name: 'Import', exact: true }).click()
  await expect.element(dialog()).not.toBeInTheDocument()
  await expect.element(page.getByText('Imported 2 rows of MYFUND.')).toBeVisible()
  await page.getByRole('tab', { name: 'Browse Data' }).click()
  await page.getByRole('button', { name: 'Browse Data' }).click()
  await expect.poll(() => texts()[0]).toContain('11.25')
})
