import { CAGR_METHOD_TEXTS, getPortfolio, listActivities } from '@tradewright/contract/portfolio'
import { expect, test } from 'vitest'
import { commands, page } from 'vitest/browser'
import { account, portfolio, portfolioCalls, STAND_IN_KEYS } from '../../../test-support/brokerage.ts'
import {
  expectAccessible,
  expectAddress,
  expectNoSidewaysScroll,
  madeCalls,
  openScreen,
  postToServer,
  reloadScreen,
  signIn,
  signInAsNew,
  standIn,
} from '../../../test-support/screen.tsx'
import { on, refuse } from '../../../test-support/served.ts'

const success = true as const
const card = (name: string) => page.getByRole('region', { name, exact: true })
const rows = (name: string) =>
  page.getByRole('table', { name, exact: true }).getByRole('rowgroup').nth(1).getByRole('row')
const chart = (name: string) => card(name).element().querySelector('canvas')
const asked = () => madeCalls('GET', '/api/alpaca/portfolio').map(({ path }) => new URLSearchParams(path.split('?')[1]))
const standInPortfolio = (...stood: Parameters<typeof portfolioCalls>) => standIn(portfolioCalls(...stood))
const choose = (filter: string) =>
  page.getByRole('radiogroup', { name: 'Period' }).getByText(filter, { exact: true }).click()

test('a new user sees a portfolio after one press [PORT-009, PORT-010]', async () => {
  await signInAsNew()
  openScreen('/portfolio-performance')
  await expect.element(page.getByRole('heading', { name: 'Alpaca Account Not Connected' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Go to Settings' })).toHaveAttribute('href', '/settings#alpaca')
  await expectAccessible()
  await page.getByRole('button', { name: 'Use the built-in paper account' }).click()
  const summary = card('Paper Account')
  await expect.element(summary.getByText('$100.0K').first()).toBeVisible()
  await expect.element(summary.getByText('Built-in paper broker')).toBeVisible()
  await expect.element(rows('Recent transactions')).toHaveLength(1)
  await expect.element(page.getByText('The account holds cash only.')).toBeVisible()
})

test('an account at Alpaca is shown as the broker tells it, and asked again [PORT-003, PORT-031]', async () => {
  await signInAsNew()
  const keys = { api_key: STAND_IN_KEYS.keyId, api_secret: STAND_IN_KEYS.secretKey }
  await postToServer('/api/alpaca/accounts', { account_name: 'Main', ...keys })
  openScreen('/portfolio-performance')
  await expect.element(card('Main').getByText('Alpaca', { exact: true })).toBeVisible()
  await expect.element(card('Main').getByText('$100,000.00').first()).toBeVisible()
  await page.getByRole('button', { name: 'Refresh Data' }).click()
  await expect.poll(() => asked().at(-1)?.get('force_refresh')).toBe('true')
  await expect.element(page.getByRole('button', { name: 'Refresh Data' })).toBeEnabled()
  await expect.element(page.getByText('Updated just now')).toBeVisible()
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})

test('the account is shown in figures, holdings, charts and lists [PORT-002, PORT-004..008, PORT-013, PORT-014, PORT-040..042]', async () => {
  await signIn()
  standInPortfolio([account()], () => portfolio())
  standIn([
    on(listActivities, () => {
      const transactions = portfolio().transactions.slice(20, 40)
      const pageOf = { trades: [], transactions, total: 45, page: 2, page_size: 20 }
      return { success, ...pageOf, activities_complete: true }
    }),
  ])
  openScreen('/portfolio-performance')
  const summary = card('Main')
  for (const text of ['Equity', '$128.4K', '$128,412.36', '+22.29%', '−$412.50', '−0.32%', '$2.3M', '$21.9K']) {
    await expect.element(summary.getByText(text, { exact: true })).toBeVisible()
  }
  const performance = card('True performance')
  await expect.element(performance.getByText('+10.34%')).toBeVisible()
  await expect.element(performance.getByText(CAGR_METHOD_TEXTS.true_time_weighted_return)).toBeVisible()
  for (const text of ['+13.12%', '+4.12%', '+11.02%']) await expect.element(performance.getByText(text)).toBeVisible()
  await expect.poll(() => chart('True performance')).toBeVisible()
  await expect.poll(() => chart('Account value')).toBeVisible()
  await expect.element(rows('Holdings')).toHaveLength(3)
  await expect.element(rows('Holdings').first()).toMatchTextContent('$80,508.46')
  await expect.element(rows('Trade history')).toHaveLength(12)
  await expect.element(rows('Portfolio history')).toHaveLength(50)
  await expect.element(rows('Recent transactions')).toHaveLength(20)
  await page
    .getByRole('navigation', { name: 'Pages of recent transactions' })
    .getByRole('button', { name: 'Next' })
    .click()
  await expect.element(rows('Recent transactions').first()).toMatchTextContent('Dividend')
  await expect.element(page.getByText('21–40 of 45')).toBeVisible()
})

test('each filter asks for its period, custom dates only with Apply [PORT-006, PORT-011, PORT-012, PORT-023, PORT-027]', async () => {
  await signIn()
  standInPortfolio([account()], (query) =>
    portfolio({ net_contributions: 1_000 + 'all ytd 1y 2y 3y custom'.indexOf(query.get('filter_type') ?? '') }),
  )
  openScreen('/portfolio-performance')
  const performance = card('True performance')
  await expect.element(performance.getByText('$1,000.00', { exact: true })).toBeVisible()
  await expect.element(performance.getByText('Filtered')).not.toBeInTheDocument()
  for (const [filter, label] of [
    ['ytd', 'YTD'],
    ['1y', '1Y'],
    ['2y', '2Y'],
    ['3y', '3Y'],
  ] as const) {
    await choose(label)
    await expect.element(performance.getByText('Filtered')).toBeVisible()
    await expect.poll(() => asked().at(-1)?.get('filter_type')).toBe(filter)
  }
  await choose('Custom')
  await expect.element(page.getByRole('button', { name: 'Apply' })).toBeDisabled()
  await page.getByLabelText('Start date').fill('2026-01-02')
  await page.getByLabelText('End date').fill('2026-06-30')
  expect(asked().at(-1)?.get('filter_type')).toBe('3y')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect
    .poll(() => asked().at(-1)?.toString())
    .toContain('filter_type=custom&start_date=2026-01-02&end_date=2026-06-30')
  await choose('All')
  await expect.element(performance.getByText('Filtered')).not.toBeInTheDocument()
})

test('the default account comes first, and another one is loaded when it is chosen [PORT-024, PORT-025, PORT-028]', async () => {
  await signIn()
  const accounts = [account({ is_default: false }), account({ id: 2, account_name: 'Retirement' })]
  standInPortfolio(accounts, (query) => {
    const { id, account_name } = accounts.find((each) => String(each.id) === query.get('account_id')) ?? account()
    return portfolio({ account: { ...portfolio().account, id, account_name } }, 30)
  })
  openScreen('/portfolio-performance')
  await expect.element(card('Retirement')).toBeVisible()
  expect(asked().map((query) => query.get('account_id'))).not.toContain('1')
  localStorage.setItem('authToken', 'a-token')
  await page.getByRole('combobox', { name: 'Account' }).selectOptions('Main · Paper')
  await expect.element(card('Main')).toBeVisible()
  const first = madeCalls('GET', '/api/alpaca/portfolio').find(({ path }) => path.includes('account_id=1'))
  expect(first?.headers.get('authorization')).toBe('Bearer a-token')
  reloadScreen()
  await expect.element(card('Main')).toBeVisible()
  history.back()
  await expect.element(card('Retirement')).toBeVisible()
  await expectAccessible()
})

test('Refresh Data asks the broker; when that fails, what was there stays [PORT-003, PORT-032, PORT-036, PORT-037]', async () => {
  await signIn()
  let answer: 'first' | 'refused' | 'silent' | 'second' = 'first'
  standInPortfolio([account()], () => {
    if (answer === 'refused') return refuse('Alpaca does not answer.', { status: 502 })
    if (answer === 'silent') return refuse('')
    return portfolio({ equity: answer === 'first' ? 500 : 600, age_seconds: answer === 'first' ? 400 : 0 })
  })
  openScreen('/portfolio-performance')
  await expect.element(page.getByText('Updated 6 minutes ago')).toBeVisible()
  for (const [next, sentence] of [
    ['refused', 'Alpaca does not answer.'],
    ['silent', 'Failed to load portfolio data'],
  ] as const) {
    answer = next
    await page.getByRole('button', { name: 'Refresh Data' }).click()
    await expect.element(page.getByRole('alert')).toMatchTextContent(sentence)
    await expect.element(card('Main').getByText('$500.00').first()).toBeVisible()
    await expect.element(page.getByText('Updated 6 minutes ago')).toBeVisible()
  }
  expect(asked().at(-1)?.get('force_refresh')).toBe('true')
  answer = 'second'
  await page.getByRole('button', { name: 'Refresh Data' }).click()
  await expect.element(card('Main').getByText('$600.00').first()).toBeVisible()
  await expect.element(page.getByText('Updated just now')).toBeVisible()
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})

test('a spinner turns until the first answer; the next visit shows at once what was kept [PORT-001, PORT-026]', async () => {
  await signIn()
  standInPortfolio([account()], () => portfolio({ equity: 500 }))
  const held = Promise.withResolvers<void>()
  const answer = async () => {
    await held.promise
    return { success, portfolio: portfolio({ equity: 500 }) }
  }
  standIn([on(getPortfolio, answer)])
  openScreen('/portfolio-performance')
  await expect.element(page.getByRole('main').getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible()
  held.resolve()
  await expect.element(card('Main')).toBeVisible()
  expect(Object.keys(localStorage).some((key) => key.startsWith('answer portfolio'))).toBe(true)
  standIn([on(getPortfolio, () => new Promise(() => {}))])
  reloadScreen()
  await expect.element(card('Main').getByText('$500.00').first()).toBeVisible()
})

test('an account that fails keeps its selector, and the way to Settings [PORT-036]', async () => {
  await signIn()
  const accounts = [account({ status: 'rejected', status_reason: 'Alpaca refused the keys.' })]
  standInPortfolio(accounts, () => refuse('The brokerage account "Main" cannot be used.', { status: 409 }))
  openScreen('/portfolio-performance')
  await expect.element(page.getByRole('alert')).toMatchTextContent('The brokerage account "Main" cannot be used.')
  await expect.element(page.getByRole('combobox', { name: 'Account' })).toBeVisible()
  await page.getByRole('alert').getByRole('link', { name: 'Settings' }).click()
  await expectAddress('/settings')
  expect(location.hash).toBe('#alpaca')
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
  test(`an account with ${days} days of history reads well, without a number that is none [PORT-021, PORT-042]`, async () => {
    await signIn()
    await page.viewport(390, 844)
    await commands.emulateMedia({ colorScheme: 'dark' })
    standInPortfolio([account()], () => portfolio(NOTHING_YET, days))
    openScreen('/portfolio-performance')
    await expect.element(card('Main').getByText('−$1.3M')).toBeVisible()
    await expect.element(page.getByText('Alpaca could not be asked: it is down.')).toBeVisible()
    await expect.element(page.getByText('Nothing was ever paid in.')).toBeVisible()
    await expect.element(page.getByText(CAGR_METHOD_TEXTS.insufficient_data)).toBeVisible()
    await expect
      .element(page.getByText(days ? 'Only one day is available so far' : 'There are no account values').first())
      .toBeVisible()
    await expect.element(page.getByRole('main')).not.toMatchTextContent(/NaN|Infinity|undefined|null/)
    await expectNoSidewaysScroll()
    await expectAccessible()
  })
}

test('ten years of an account stay on a phone [PORT-038]', async () => {
  await signIn()
  await page.viewport(390, 844)
  standInPortfolio([account()], () => portfolio({ cagr_calculation_method: 'something_new' }, 3_650))
  openScreen('/portfolio-performance')
  await expect.element(page.getByText('Calculation method unavailable')).toBeVisible()
  await expect.poll(() => chart('Account value')).toBeVisible()
  await expectNoSidewaysScroll()
})
