import { expect, onTestFinished, test, vi } from 'vitest'
import { commands, page, userEvent } from 'vitest/browser'
import {
  expectAccessible,
  expectAddress,
  expectNoSidewaysScroll,
  expectTexts,
  fileFrom,
  inside,
  openScreen,
  reloadScreen,
  signIn,
  signInAsNew,
} from '../../../test-support/screen.tsx'
import { results, runBacktest } from './test-support/studio.ts'

test('Run with the defaults gives a full result that names its data [BT-001..BT-005, BT-052, BT-053, BT-059..BT-062, BT-070, BT-071, BT-073, BT-107]', async () => {
  await signIn()
  openScreen('/backtest')
  for (const tab of ['Strategy Setup', 'Backtest Config', 'Advanced']) {
    await expect.element(page.getByRole('tab', { name: tab })).toBeVisible()
  }
  await expect.element(results.getByText('No results yet')).toBeVisible()
  await runBacktest()
  for (const label of ['CAGR', 'Sharpe', 'Accuracy']) {
    await expect.element(results.getByText(label, { exact: true }).first()).toBeVisible()
  }
  await expect.element(results.getByText('Not applicable', { exact: true })).toBeVisible()
  await expect.element(results.getByText('Synthetic sample data').first()).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'Asset Allocation' })).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'ML Configuration' })).not.toBeInTheDocument()

  await expectAccessible()
  await page.getByRole('button', { name: 'Data Sources' }).click()
  const modal = page.getByRole('dialog')
  await expect.element(modal.getByText('Features fetch')).toBeVisible()
  await expect.element(modal.getByText('Simulation prices fetch').first()).toBeVisible()
  await expect.element(modal.getByText(/\d{4} · daily$/).first()).toBeVisible()
  await expect.element(modal.getByText(/\d{4} · [\d,]+ rows$/).first()).toBeVisible()
  const fetched = modal.getByRole('table', { name: 'Simulation prices fetch' })
  await expectTexts(inside(fetched, 'th'), ['Provider', 'Tickers', 'Range', 'Rows'])
  await expect.element(fetched.getByRole('row').nth(1)).toMatchTextContent('SPY')
  await page.viewport(390, 844)
  const tooWide = () => fetched.element().scrollWidth - (fetched.element().parentElement?.clientWidth ?? 0)
  await expect.poll(tooWide).toBeLessThanOrEqual(0)
  await page.viewport(1440, 900)
  await userEvent.keyboard('{Escape}')
  await expect.element(modal).not.toBeInTheDocument()

  const rows = page.getByRole('table', { name: 'Full Results' })
  await expectTexts(inside(rows, 'th'), ['Date', 'Value', 'Signal'])

  const file = await fileFrom(() => page.getByRole('button', { name: 'CSV', exact: true }).click())
  expect(file.name).toMatch(/^backtest_results_\d{4}-\d{2}-\d{2}\.csv$/)
  const [header, first] = file.text.split('\r\n')
  expect(header).toBe('Date,Value,Signal,Source')
  expect(first).toMatch(/^\d{4}-\d{2}-\d{2},[\d.]+,N\/A,Synthetic sample data$/)
})

test('a long answer is read on a thread of its own, and the page has all of its rows', async () => {
  await signIn()
  openScreen('/backtest')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await page.getByLabelText('Start date').fill('2022-03-01')
  await page.getByLabelText('End date').fill('2022-04-08')
  await page.getByRole('combobox', { name: 'Data granularity' }).selectOptions('minute')
  const started: string[] = []
  class WatchedWorker extends Worker {
    constructor(url: URL | string, options?: WorkerOptions) {
      super(url, options)
      started.push(String(url))
    }
  }
  vi.stubGlobal('Worker', WatchedWorker)
  onTestFinished(() => void vi.unstubAllGlobals())
  await runBacktest()
  expect(started).toContainEqual(expect.stringContaining('answer-worker'))
  await expect.element(page.getByText(/^1\d,\d{3} rows, newest first$/)).toBeVisible()
  const rows = page.getByRole('table', { name: 'Full Results' }).getByRole('row')
  await expect.element(rows.nth(1)).toMatchTextContent('8 Apr 2022')

  const { text } = await fileFrom(() => page.getByRole('button', { name: 'CSV', exact: true }).click())
  expect(text.split('\r\n').length).toBeGreaterThan(10_000)
})

test('a phone shows setup or results, and never scrolls sideways', async () => {
  await signIn()
  await page.viewport(390, 844)
  openScreen('/backtest')
  await expect.element(results).not.toBeInTheDocument()
  await runBacktest()
  await expect.element(page.getByRole('tab', { name: 'Strategy Setup' })).not.toBeInTheDocument()
  await expectNoSidewaysScroll()
  expect(document.documentElement.scrollHeight).toBeLessThan(8 * 844)

  const sections = page.getByRole('navigation', { name: 'Sections of the result' })
  await sections.getByRole('link', { name: 'Risk' }).click()
  await expectAddress(/[?&]section=risk/)
  await expect.element(page.getByRole('region', { name: 'Risk figures' })).toBeInViewport()
  await expect.element(sections.getByRole('link', { name: 'Risk' })).toHaveAttribute('aria-current', 'location')
  reloadScreen()
  await expect.element(page.getByRole('region', { name: 'Risk figures' })).toBeInViewport()

  await page.getByRole('button', { name: 'Show Full Results', exact: true }).click()
  await page.getByRole('button', { name: /^Show all [\d,]+ rows$/ }).click()
  await expect.element(page.getByRole('table', { name: 'Full Results' }).getByRole('row')).toHaveLength(26)
})

test('a result is explained, compared, exported and printed as a report', async () => {
  await signInAsNew()
  openScreen('/backtest')
  await page.getByLabelText('Strategy name').fill('Plain')
  await page.getByRole('tab', { name: 'Backtest Config' }).click()
  await page.getByLabelText('Save backtest').click()
  await page.getByLabelText('Backtest name (optional)').fill('Saved')
  await runBacktest()

  await page.getByRole('button', { name: 'How is CAGR computed?' }).first().click()
  await expect
    .element(page.getByText('raised to the power of 365.25 divided by the number of days in the period'))
    .toBeVisible()
  await userEvent.keyboard('{Escape}')

  await page
    .getByLabelText('Add a backtest to the comparison')
    .selectOptions(page.getByLabelText('Add a backtest to the comparison').getByRole('option').nth(1))
  await expect.element(page.getByRole('table', { name: 'Compared backtests' }).getByRole('row')).toHaveLength(3)
  await expect.element(page.getByText(/^Compared over .+ – .+, the days that all of them have\.$/)).toBeVisible()

  await page.getByRole('button', { name: 'More' }).click()
  const file = await fileFrom(() => page.getByRole('menuitem', { name: 'JSON' }).click())
  expect(file.name).toMatch(/^backtest_results_\d{4}-\d{2}-\d{2}\.json$/)

  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Report' }).click()
  await expect.element(page.getByRole('button', { name: 'Print' })).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'Rolling Sharpe' })).toBeVisible()
  await expectAccessible()
  await commands.emulateMedia({ media: 'print' })
  await expect.element(page.getByRole('navigation').first()).not.toBeInTheDocument()
  await commands.emulateMedia({ media: 'screen' })
  history.back()
  await expect.element(page.getByRole('button', { name: 'Run backtest' })).toBeVisible()
  await expect.element(results.getByRole('region', { name: 'Monthly returns', exact: true })).toBeVisible()
})
