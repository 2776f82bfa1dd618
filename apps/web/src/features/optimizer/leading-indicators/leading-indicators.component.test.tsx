import { getCorrelations } from '@tradewright/contract/leading-indicators'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectTexts,
  fileFrom,
  madeCalls,
  openScreen,
  reloadScreen,
  signIn,
  standIn,
} from '../../../../test-support/screen.tsx'
import { on, refuse } from '../../../../test-support/served.ts'

const firstRow = () => page.getByRole('table', { name: 'Correlations' }).getByRole('row').nth(1)

async function open(): Promise<void> {
  openScreen('/optimizer')
  await page.getByRole('tab', { name: 'Leading Indicators' }).click()
}

/** Waits for the call that a filter makes, and gives its query. */
async function asked(filter: () => Promise<unknown>): Promise<URLSearchParams> {
  const calls = () => madeCalls('GET', '/api/leading-indicators/correlations/SPY')
  const before = calls().length
  await filter()
  await expect.poll(() => calls().length).toBeGreaterThan(before)
  return new URLSearchParams(calls().at(-1)?.path.split('?')[1])
}

test('every filter asks anew, and rows can be sorted, saved and added as features [LEAD-001..003, LEAD-006..008, LEAD-011..013, LEAD-022..024]', async () => {
  await signIn()
  await open()
  const ticker = page.getByRole('combobox', { name: 'Ticker', exact: true })
  await expect.poll(() => ticker.element().querySelector('optgroup')).not.toBeNull()
  const first = await asked(() => ticker.selectOptions('SPY'))
  expect(Object.fromEntries(first)).toEqual({ min_correlation: '0.3', period_days: '90', limit: '100' })

  const period = page.getByRole('combobox', { name: 'Analysis period' })
  await expectTexts(period.getByRole('option'), ['30 days', '90 days', '180 days', '365 days'])
  const lag = page.getByRole('combobox', { name: 'Lag' })
  await expectTexts(lag.getByRole('option'), ['All lags', '1 day', '2 days', '3 days', '5 days', '10 days'])
  for (const days of ['30', '90', '30']) {
    expect((await asked(() => period.selectOptions(days))).get('period_days')).toBe(days)
  }
  expect((await asked(() => lag.selectOptions('5'))).get('lag_days')).toBe('5')
  const slider = page.getByRole('slider', { name: 'Minimum correlation' })
  expect((await asked(() => userEvent.type(slider, '{ArrowLeft}'))).get('min_correlation')).toBe('0.2')
  await expect.poll(() => document.querySelector('[data-stale]')?.getAttribute('data-stale')).toBe('false')

  await expect.element(firstRow()).toHaveAttribute('data-band', expect.stringMatching(/weak|medium|strong/))
  const correlation = page
    .getByRole('table', { name: 'Correlations' })
    .getByRole('button', { name: 'Correlation', exact: true })
  const sorted = () => correlation.element().closest('th')?.ariaSort
  await expect.poll(sorted).toBe('descending')
  const strongest = firstRow().element().textContent
  await correlation.click()
  await expect.poll(sorted).toBe('ascending')
  await expect.element(firstRow()).not.toHaveTextContent(strongest ?? '')
  await correlation.click()
  await expect.element(firstRow()).toHaveTextContent(strongest ?? '')
  expect(page.getByRole('table', { name: 'Heat map' }).element().querySelector('[data-band]')).toBeVisible()
  reloadScreen()
  await expect.element(firstRow()).toHaveTextContent(strongest ?? '')
  await expect.element(ticker).toHaveValue('SPY')
  await expect.element(lag).toHaveValue('5')
  await page.getByText('How are these computed?').click()
  await expect.element(page.getByText('Benjamini and Hochberg')).toBeVisible()
  await expectAccessible()

  const file = await fileFrom(() => page.getByRole('button', { name: 'CSV', exact: true }).click())
  expect(file.name).toMatch(/^leading_indicators_SPY_\d{4}-\d{2}-\d{2}\.csv$/)
  expect(file.text).toMatch(/^cross_ticker,cross_metric,lag_days,correlation_value,/)

  await page
    .getByRole('button', { name: /^Add .* to the Optimizer$/ })
    .first()
    .click()
  await page.getByRole('tab', { name: 'Feature Optimization' }).click()
  await expect.element(page.getByRole('button', { name: /^Parameter ranges of / })).toHaveLength(1)
  await expect.element(page.getByLabelText('Related assets')).not.toHaveValue('')
  history.back()
  await expect.element(ticker).toHaveValue('SPY')
})

test('nothing found and nothing fetched are told apart [LEAD-016..021]', async () => {
  await signIn()
  await open()
  const empty = {
    success: true as const,
    ticker: 'SPY',
    correlations: [],
    period: { start_date: '2026-01-02', end_date: '2026-03-31' },
    tested: 200,
    expected_false_hits: 10,
    synthetic: true,
    notes: [],
  }
  standIn([on(getCorrelations, () => empty)])
  const ticker = page.getByRole('combobox', { name: 'Ticker', exact: true })
  await ticker.selectOptions('SPY')
  await expect.element(page.getByText('No correlations found with the current filters.')).toBeVisible()
  await expect.element(page.getByText('Lower the minimum correlation or pick another analysis period.')).toBeVisible()

  standIn([on(getCorrelations, () => refuse('There is no data for SPY.', { status: 404 }))])
  const alert = page.getByRole('alert')
  await page.getByRole('combobox', { name: 'Lag' }).selectOptions('1')
  await expect.element(alert).toMatchTextContent('There is no data for SPY.')
  await expect.element(alert).toMatchTextContent("Make sure you've run the data ingestion scripts for this ticker.")
  standIn([on(getCorrelations, () => refuse('', { status: 500 }))])
  await page.getByRole('combobox', { name: 'Lag' }).selectOptions('2')
  await expect.element(alert).toMatchTextContent('Failed to fetch correlations')
  standIn([
    on(getCorrelations, () => {
      throw new TypeError('no network')
    }),
  ])
  await page.getByRole('combobox', { name: 'Lag' }).selectOptions('3')
  await expect.element(alert).toMatchTextContent('Error fetching correlations')
})

test('a phone shows the key columns and never scrolls sideways', async () => {
  await signIn()
  await page.viewport(390, 844)
  openScreen('/optimizer?tab=leading-indicators')
  await page.getByRole('combobox', { name: 'Ticker', exact: true }).selectOptions('SPY')
  await expect.element(firstRow()).toBeVisible()
  await expectNoSidewaysScroll()
  await expectAccessible()
})
