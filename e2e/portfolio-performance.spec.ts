import { CAGR_METHOD_TEXTS } from '../packages/contract/src/portfolio.ts'
import { STAND_IN_KEYS } from '../apps/server/test-support/stand-ins/alpaca/alpaca.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts'
import { account, portfolio, refusal, stubPortfolio } from './brokerage-stub.ts'
import { expect, type Page, test } from './story.ts'

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const rows = (page: Page, name: string) => page.getByRole('table', { name, exact: true }).locator('tbody tr')
const choose = (page: Page, filter: string) =>
  page.getByRole('radiogroup', { name: 'Period' }).getByText(filter, { exact: true }).click()

test('a new user sees a portfolio after one press [PORT-009, PORT-010]', async ({ page, person: _person }) => {
  await page.goto('/portfolio-performance')
  await expect(page.getByRole('heading', { name: 'Alpaca Account Not Connected' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Go to Settings' })).toHaveAttribute('href', '/settings#alpaca')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Use the built-in paper account' }).click()
  const summary = card(page, 'Paper Account')
  await expect(summary.getByText('$100.0K').first()).toBeVisible()
  await expect(summary.getByText('Built-in paper broker')).toBeVisible()
  await expect(rows(page, 'Recent transactions')).toHaveCount(1)
  await expect(page.getByText('The account holds cash only.')).toBeVisible()
})

test('an account at Alpaca is shown as the broker tells it, and asked again [PORT-003, PORT-031]', async ({
  page,
  person: _person,
}) => {
  const keys = { api_key: STAND_IN_KEYS.keyId, api_secret: STAND_IN_KEYS.secretKey }
  const added = await page.request.post('/api/alpaca/accounts', { data: { account_name: 'Main', ...keys } })
  expect(added.ok(), await added.text()).toBe(true)
  await page.goto('/portfolio-performance')
  await expect(card(page, 'Main').getByText('Alpaca', { exact: true })).toBeVisible()
  await expect(card(page, 'Main').getByText('$100,000.00').first()).toBeVisible()
  const asked = page.waitForResponse((answer) => answer.url().includes('force_refresh=true'))
  await page.getByRole('button', { name: 'Refresh Data' }).click()
  expect((await asked).ok()).toBe(true)
  await expect(page.getByRole('button', { name: 'Refresh Data' })).toBeEnabled()
  await expect(page.getByText('Updated just now')).toBeVisible()
  await expect(page.getByRole('alert')).toBeHidden()
})

test('the account is shown in figures, holdings, charts and lists [PORT-002, PORT-004..008, PORT-013, PORT-014, PORT-040..042]', async ({
  signedIn: page,
}) => {
  await stubPortfolio(page, [account()], () => portfolio())
  await page.route('**/api/alpaca/portfolio/activities?*', (route) => {
    const { transactions } = portfolio()
    const answer = { trades: [], transactions: transactions.slice(20, 40), total: 45, page: 2, page_size: 20 }
    return route.fulfill({ json: { success: true, ...answer, activities_complete: true } })
  })
  await page.goto('/portfolio-performance')
  const summary = card(page, 'Main')
  for (const text of ['Equity', '$128.4K', '$128,412.36', '+22.29%', '−$412.50', '−0.32%', '$2.3M', '$21.9K']) {
    await expect(summary.getByText(text, { exact: true })).toBeVisible()
  }
  const performance = card(page, 'True performance')
  await expect(performance.getByText('+10.34%')).toBeVisible()
  await expect(performance.getByText(CAGR_METHOD_TEXTS.true_time_weighted_return)).toBeVisible()
  for (const text of ['+13.12%', '+4.12%', '+11.02%']) await expect(performance.getByText(text)).toBeVisible()
  await expect(performance.locator('canvas').first()).toBeVisible()
  await expect(card(page, 'Account value').locator('canvas').first()).toBeVisible()
  await expect(rows(page, 'Holdings')).toHaveCount(3)
  await expect(rows(page, 'Holdings').first()).toContainText('$80,508.46')
  await expect(rows(page, 'Trade history')).toHaveCount(12)
  await expect(rows(page, 'Portfolio history')).toHaveCount(50)
  await expect(rows(page, 'Recent transactions')).toHaveCount(20)
  await page
    .getByRole('navigation', { name: 'Pages of recent transactions' })
    .getByRole('button', { name: 'Next' })
    .click()
  await expect(rows(page, 'Recent transactions').first()).toContainText('Dividend')
  await expect(page.getByText('21–40 of 45')).toBeVisible()
})

test('each filter asks for its period, custom dates only with Apply [PORT-006, PORT-011, PORT-012, PORT-023, PORT-027]', async ({
  signedIn: page,
}) => {
  const asked = await stubPortfolio(page, [account()], (query) =>
    portfolio({ net_contributions: 1_000 + 'all ytd 1y 2y 3y custom'.indexOf(query.get('filter_type') ?? '') }),
  )
  await page.goto('/portfolio-performance')
  const performance = card(page, 'True performance')
  await expect(performance.getByText('$1,000.00', { exact: true })).toBeVisible()
  await expect(performance.getByText('Filtered')).toBeHidden()
  for (const [filter, label] of [
    ['ytd', 'YTD'],
    ['1y', '1Y'],
    ['2y', '2Y'],
    ['3y', '3Y'],
  ] as const) {
    await choose(page, label)
    await expect(performance.getByText('Filtered')).toBeVisible()
    await expect.poll(() => asked.at(-1)?.get('filter_type')).toBe(filter)
  }
  await choose(page, 'Custom')
  await expect(page.getByRole('button', { name: 'Apply' })).toBeDisabled()
  await page.getByLabel('Start date').fill('2026-01-02')
  await page.getByLabel('End date').fill('2026-06-30')
  expect(asked.at(-1)?.get('filter_type')).toBe('3y')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect
    .poll(() => asked.at(-1)?.toString())
    .toContain('filter_type=custom&start_date=2026-01-02&end_date=2026-06-30')
  await choose(page, 'All')
  await expect(performance.getByText('Filtered')).toBeHidden()
})

test('the default account comes first, and another one is loaded when it is chosen [PORT-024, PORT-025, PORT-028]', async ({
  signedIn: page,
}) => {
  const accounts = [account({ is_default: false }), account({ id: 2, account_name: 'Retirement' })]
  const asked = await stubPortfolio(page, accounts, (query) => {
    const { id, account_name } = accounts.find((each) => String(each.id) === query.get('account_id')) ?? account()
    return portfolio({ account: { ...portfolio().account, id, account_name } }, 30)
  })
  await page.goto('/portfolio-performance')
  await expect(card(page, 'Retirement')).toBeVisible()
  expect(asked.map((query) => query.get('account_id'))).not.toContain('1')
  await page.evaluate(() => localStorage.setItem('authToken', 'a-token'))
  const request = page.waitForRequest('**/api/alpaca/portfolio?account_id=1*')
  await page.getByRole('combobox', { name: 'Account' }).selectOption({ label: 'Main · Paper' })
  expect((await request).headers()['authorization']).toBe('Bearer a-token')
  await expect(card(page, 'Main')).toBeVisible()
  await page.reload()
  await expect(card(page, 'Main')).toBeVisible()
  await page.goBack()
  await expect(card(page, 'Retirement')).toBeVisible()
  await expectAccessible(page)
})

test('Refresh Data asks the broker; when that fails, what was there stays [PORT-003, PORT-032, PORT-036, PORT-037]', async ({
  signedIn: page,
}) => {
  let answer: 'first' | 'refused' | 'silent' | 'second' = 'first'
  const asked = await stubPortfolio(page, [account()], () => {
    if (answer === 'refused') return refusal(502, 'Alpaca does not answer.')
    if (answer === 'silent') return refusal(400, null)
    return portfolio({ equity: answer === 'first' ? 500 : 600, age_seconds: answer === 'first' ? 400 : 0 })
  })
  await page.goto('/portfolio-performance')
  await expect(page.getByText('Updated 6 minutes ago')).toBeVisible()
  for (const [next, sentence] of [
    ['refused', 'Alpaca does not answer.'],
    ['silent', 'Failed to load portfolio data'],
  ] as const) {
    answer = next
    await page.getByRole('button', { name: 'Refresh Data' }).click()
    await expect(page.getByRole('alert')).toContainText(sentence)
    await expect(card(page, 'Main').getByText('$500.00').first()).toBeVisible()
    await expect(page.getByText('Updated 6 minutes ago')).toBeVisible()
  }
  expect(asked.at(-1)?.get('force_refresh')).toBe('true')
  answer = 'second'
  await page.getByRole('button', { name: 'Refresh Data' }).click()
  await expect(card(page, 'Main').getByText('$600.00').first()).toBeVisible()
  await expect(page.getByText('Updated just now')).toBeVisible()
  await expect(page.getByRole('alert')).toBeHidden()
})

test('a spinner turns until the first answer; the next visit shows at once what was kept [PORT-001, PORT-026]', async ({
  signedIn: page,
}) => {
  await stubPortfolio(page, [account()], () => portfolio({ equity: 500 }))
  let release: () => void = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const hold = () => page.route('**/api/alpaca/portfolio?*', async (route) => held.then(() => route.fallback()))
  await hold()
  await page.goto('/portfolio-performance')
  await expect(page.getByRole('main').getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible()
  release()
  await expect(card(page, 'Main')).toBeVisible()
  expect(await page.evaluate(() => Object.keys(localStorage).some((key) => key.startsWith('answer portfolio')))).toBe(
    true,
  )
  await page.route('**/api/alpaca/portfolio?*', () => {})
  await page.reload()
  await expect(card(page, 'Main').getByText('$500.00').first()).toBeVisible()
})

test('an account that fails keeps its selector, and the way to Settings [PORT-036]', async ({ signedIn: page }) => {
  const accounts = [account({ status: 'rejected', status_reason: 'Alpaca refused the keys.' })]
  await stubPortfolio(page, accounts, () => refusal(409, 'The brokerage account "Main" cannot be used.'))
  await page.goto('/portfolio-performance')
  await expect(page.getByRole('alert')).toContainText('The brokerage account "Main" cannot be used.')
  await expect(page.getByRole('combobox', { name: 'Account' })).toBeVisible()
  await page.getByRole('alert').getByRole('link', { name: 'Settings' }).click()
  await expect(page).toHaveURL('/settings#alpaca')
})

const NOTHING_YET = {
  equity: -1_250_000.5,
  overall_return_percent: null,
  daily_pnl: null,
  daily_pnl_percent: null,
  positions: [],
  transactions: [],
  transactions_count: 0,
  trades: [],
  trades_count: 0,
  growth: [],
  cagr_excluding_contributions: null,
  total_return: null,
  money_weighted_return: null,
  is_annualised: false,
  spy_cagr: null,
  tqqq_cagr: null,
  cagr_calculation_method: 'insufficient_data',
  warning: 'Alpaca could not be asked: it is down.',
  notes: { overall_return_percent: 'Nothing was ever paid in.' },
}

for (const days of [0, 1]) {
  test(`an account with ${days} days of history reads well, without a number that is none [PORT-021, PORT-042]`, async ({
    signedIn: page,
  }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.emulateMedia({ colorScheme: 'dark' })
    await stubPortfolio(page, [account()], () => portfolio(NOTHING_YET, days))
    await page.goto('/portfolio-performance')
    await expect(card(page, 'Main').getByText('−$1.3M')).toBeVisible()
    await expect(page.getByText('Alpaca could not be asked: it is down.')).toBeVisible()
    await expect(page.getByText('Nothing was ever paid in.')).toBeVisible()
    await expect(page.getByText(CAGR_METHOD_TEXTS.insufficient_data)).toBeVisible()
    await expect(
      page.getByText(days ? 'Only one day is available so far' : 'There are no account values').first(),
    ).toBeVisible()
    await expect(page.getByRole('main')).not.toContainText(/NaN|Infinity|undefined|null/)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page)
  })
}

test('ten years of an account stay on a phone [PORT-038]', async ({ signedIn: page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await stubPortfolio(page, [account()], () => portfolio({ cagr_calculation_method: 'something_new' }, 3_650))
  await page.goto('/portfolio-performance')
  await expect(page.getByText('Calculation method unavailable')).toBeVisible()
  await expect(card(page, 'Account value').locator('canvas').first()).toBeVisible()
  await expectNoSidewaysScroll(page)
})
