import { readFileSync } from 'node:fs'
import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts'
import { expect, type Page, test } from './story.ts'

const rows = (page: Page) => page.getByRole('table', { name: 'Correlations' }).locator('tbody tr')

async function open(page: Page): Promise<void> {
  await page.goto('/optimizer')
  await page.getByRole('tab', { name: 'Leading Indicators' }).click()
}

/** Waits for the call that a filter makes, and gives its query. */
async function asked(page: Page, filter: () => Promise<unknown>): Promise<URLSearchParams> {
  const call = page.waitForResponse(/\/api\/leading-indicators\/correlations\//)
  await filter()
  return new URL((await call).url()).searchParams
}

test('every filter asks anew, and rows can be sorted, saved and added as features [LEAD-001..003, LEAD-006..008, LEAD-011..013, LEAD-022..024]', async ({
  signedIn: page,
}) => {
  test.slow()
  await open(page)
  const ticker = page.getByRole('combobox', { name: 'Ticker', exact: true })
  await expect(ticker.locator('optgroup').first()).toBeAttached()
  const first = await asked(page, () => ticker.selectOption('SPY'))
  expect(Object.fromEntries(first)).toEqual({ min_correlation: '0.3', period_days: '90', limit: '100' })

  const period = page.getByRole('combobox', { name: 'Analysis period' })
  await expect(period.locator('option')).toHaveText(['30 days', '90 days', '180 days', '365 days'])
  const lag = page.getByRole('combobox', { name: 'Lag' })
  await expect(lag.locator('option')).toHaveText(['All lags', '1 day', '2 days', '3 days', '5 days', '10 days'])
  for (const days of ['30', '90', '30']) {
    expect((await asked(page, () => period.selectOption(days))).get('period_days')).toBe(days)
  }
  expect((await asked(page, () => lag.selectOption('5'))).get('lag_days')).toBe('5')
  const slider = page.getByRole('slider', { name: 'Minimum correlation' })
  expect((await asked(page, () => slider.press('ArrowLeft'))).get('min_correlation')).toBe('0.2')
  await expect(page.locator('[data-stale]')).toHaveAttribute('data-stale', 'false')

  await expect(rows(page).first()).toHaveAttribute('data-band', /weak|medium|strong/)
  const correlation = page.getByRole('columnheader', { name: 'Correlation', exact: true })
  await expect(correlation).toHaveAttribute('aria-sort', 'descending')
  const strongest = await rows(page).first().textContent()
  await correlation.getByRole('button').click()
  await expect(correlation).toHaveAttribute('aria-sort', 'ascending')
  await expect(rows(page).first()).not.toHaveText(strongest ?? '')
  await correlation.getByRole('button').click()
  await expect(rows(page).first()).toHaveText(strongest ?? '')
  await expect(page.getByRole('table', { name: 'Heat map' }).locator('[data-band]').first()).toBeVisible()
  await page.reload()
  await expect(rows(page).first()).toHaveText(strongest ?? '')
  await expect(ticker).toHaveValue('SPY')
  await expect(lag).toHaveValue('5')
  await page.getByText('How are these computed?').click()
  await expect(page.getByText('Benjamini and Hochberg')).toBeVisible()
  await expectAccessible(page)

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV', exact: true }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^leading_indicators_SPY_\d{4}-\d{2}-\d{2}\.csv$/)
  expect(readFileSync(await file.path(), 'utf8')).toMatch(/^cross_ticker,cross_metric,lag_days,correlation_value,/)

  await page
    .getByRole('button', { name: /^Add .* to the Optimizer$/ })
    .first()
    .click()
  await page.getByRole('tab', { name: 'Feature Optimization' }).click()
  await expect(page.getByRole('button', { name: /^Parameter ranges of / })).toHaveCount(1)
  await expect(page.getByLabel('Related assets')).not.toHaveValue('')
  await page.goBack()
  await expect(ticker).toHaveValue('SPY')
})

test('nothing found and nothing fetched are told apart [LEAD-016..021]', async ({ signedIn: page }) => {
  await open(page)
  const path = '**/api/leading-indicators/correlations/**'
  const empty = {
    success: true,
    ticker: 'SPY',
    correlations: [],
    period: { start_date: '2026-01-02', end_date: '2026-03-31' },
    tested: 200,
    expected_false_hits: 10,
    synthetic: true,
    notes: [],
  }
  await page.route(path, (route) => route.fulfill({ json: empty }))
  const ticker = page.getByRole('combobox', { name: 'Ticker', exact: true })
  await ticker.selectOption('SPY')
  await expect(page.getByText('No correlations found with the current filters.')).toBeVisible()
  await expect(page.getByText('Lower the minimum correlation or pick another analysis period.')).toBeVisible()

  await page.unroute(path)
  await page.route(path, (route) => route.fulfill({ status: 404, json: { error: 'There is no data for SPY.' } }))
  const alert = page.getByRole('alert')
  await page.getByRole('combobox', { name: 'Lag' }).selectOption('1')
  await expect(alert).toContainText('There is no data for SPY.')
  await expect(alert).toContainText("Make sure you've run the data ingestion scripts for this ticker.")
  await page.unroute(path)
  await page.route(path, (route) => route.fulfill({ status: 500, body: '' }))
  await page.getByRole('combobox', { name: 'Lag' }).selectOption('2')
  await expect(alert).toContainText('Failed to fetch correlations')
  await page.unroute(path)
  await page.route(path, (route) => route.abort())
  await page.getByRole('combobox', { name: 'Lag' }).selectOption('3')
  await expect(alert).toContainText('Error fetching correlations')
})

test('a phone shows the key columns and never scrolls sideways', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/optimizer?tab=leading-indicators')
  await page.getByRole('combobox', { name: 'Ticker', exact: true }).selectOption('SPY')
  await expect(rows(page).first()).toBeVisible()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
})
