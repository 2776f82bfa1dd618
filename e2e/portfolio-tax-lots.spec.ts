import type { Statement, TaxLots } from '../packages/contract/src/tax-lots.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts'
import { account, portfolio, stubPortfolio } from './brokerage-stub.ts'
import { expect, type Page, test } from './story.ts'

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const rows = (page: Page, name: string) => page.getByRole('table', { name, exact: true }).locator('tbody tr')

const term = (gain: number, disallowed = 0) => ({ proceeds: 2_400, basis: 2_400 - gain + disallowed, disallowed, gain })

/** The first wash-sale example of Publication 550, and a long-term gain beside it. */
const tax = (values: Partial<TaxLots> = {}): TaxLots => ({
  method: 'fifo',
  is_complete: true,
  starts_on: '2024-02-01',
  lots: [
    {
      id: 'p1',
      purchase_id: 'p1',
      symbol: 'SPY',
      qty: 100,
      opened_on: '2025-09-18',
      held_since: '2025-03-19',
      basis: 1_050,
      wash_adjustment: 250,
      market_value: 900,
      unrealized: -150,
      term: 'long',
      origin: 'trade',
    },
    {
      id: 'p2',
      purchase_id: 'p2',
      symbol: 'TLT',
      qty: 300,
      opened_on: '2024-02-01',
      held_since: '2024-02-01',
      basis: 28_230,
      wash_adjustment: 0,
      market_value: 26_406,
      unrealized: -1_824,
      term: 'long',
      origin: 'before',
    },
  ],
  lots_count: 2,
  years: [
    { year: 2025, short: term(0, 250), long: term(30), total: term(30, 250), unknown_sales: 0 },
    { year: 2024, short: term(-120.5), long: term(0), total: term(-120.5), unknown_sales: 0 },
  ],
  year: 2025,
  sales: [
    {
      sale_id: 's2',
      symbol: 'SPY',
      qty: 100,
      opened_on: '2025-03-03',
      held_since: '2025-03-03',
      term: 'short',
      sold_on: '2025-09-02',
      proceeds: 750,
      basis: 1_000,
      disallowed: 250,
      gain: 0,
      origin: 'trade',
      washes: [{ bought_on: '2025-09-18', qty: 100, disallowed: 250 }],
    },
    {
      sale_id: 's1',
      symbol: 'SPY',
      qty: 10,
      opened_on: '2024-01-08',
      held_since: '2024-01-08',
      term: 'long',
      sold_on: '2025-02-10',
      proceeds: 120,
      basis: 90,
      disallowed: 0,
      gain: 30,
      origin: 'trade',
      washes: [],
    },
  ],
  sales_count: 2,
  unexplained: [],
  other_fees: 0,
  ...values,
})

async function stubLots(page: Page, answer: () => TaxLots): Promise<void> {
  await page.route('**/api/alpaca/portfolio/lots?*', (route) =>
    route.fulfill({ json: { success: true, tax: answer() } }),
  )
}

const STATEMENT: Statement = {
  account_name: 'Main',
  broker: 'Alpaca',
  paper_trading: false,
  month: '2026-10',
  from: '2026-09-30',
  to: '2026-10-30',
  as_of: null,
  opening: 120_000,
  deposits: 5_000,
  withdrawals: -1_000,
  dividends: 25.11,
  interest: 3.4,
  fees: -0.07,
  other: 0,
  market: 1_834.22,
  closing: 125_862.66,
  profit: 1_862.66,
  realised: term(30, 250),
  positions: [
    { symbol: 'SPY', qty: 120.5, basis: 61_736.97, price: 668.12, value: 80_508.46 },
    { symbol: 'TLT', qty: 300, basis: 28_230, price: 88.02, value: 26_406 },
  ],
  cash: 18_948.3,
  positions_value: 106_914.46,
  difference: -0.1,
  trades: [
    { date: '2026-10-14', side: 'buy', symbol: 'SPY', qty: 10, price: 660.2, amount: 6_602 },
    { date: '2026-10-21', side: 'sell', symbol: 'TLT', qty: 20, price: 88.5, amount: 1_770 },
  ],
  trades_count: 2,
  synthetic_tickers: [],
  flows: [
    { date: '2026-10-12', type: 'CSD', description: 'Deposit', amount: 5_000 },
    { date: '2026-10-20', type: 'CSW', description: 'Withdrawal', amount: -1_000 },
    { date: '2026-10-15', type: 'DIV', description: 'Dividend SPY', amount: 25.11 },
  ],
}

test('lots, gains by year and wash sales are on the portfolio page, the method is the user’s', async ({
  signedIn: page,
}) => {
  let method: TaxLots['method'] = 'fifo'
  await stubPortfolio(page, [account()], () => portfolio())
  await stubLots(page, () => tax({ method }))
  await page.route('**/api/alpaca/portfolio/lots/method', (route) => {
    method = (route.request().postDataJSON() as { method: TaxLots['method'] }).method
    return route.fulfill({ json: { success: true } })
  })
  await page.goto('/portfolio-performance')
  const lots = card(page, 'Tax lots and realised gains')
  await expect(lots.getByText('Not tax advice: your broker’s Form 1099-B is what counts.')).toBeVisible()
  await lots.getByRole('button', { name: 'Show tax lots' }).click()
  await expect(rows(page, 'Realised gains by year')).toHaveCount(2)
  await expect(rows(page, 'Realised gains by year').first()).toContainText('without $250.00 of wash sales')
  await expect(rows(page, 'Sales of 2025').first()).toContainText('Wash sale')
  await expect(rows(page, 'Sales of 2025').first()).toContainText('$250.00 of the loss moved to shares bought')
  await expect(rows(page, 'Open lots').first()).toContainText('$1,050.00')
  await expect(rows(page, 'Open lots').nth(1)).toContainText('broker’s average')
  await expect(lots.getByText('TLT: held before that.')).toBeVisible()
  await expectAccessible(page)
  await lots.getByLabel('Which shares a sale takes').selectOption('specific')
  await expect.poll(() => method).toBe('specific')
  await expect(rows(page, 'Sales of 2025').first().getByRole('button')).toHaveText('Choose')
})

test('a sale takes the lots that are chosen for it', async ({ signedIn: page }) => {
  let saved: unknown
  await stubPortfolio(page, [account()], () => portfolio())
  await stubLots(page, () => tax({ method: 'specific' }))
  await page.route('**/api/alpaca/portfolio/lots/sale*', (route) => {
    if (route.request().method() === 'PUT') {
      saved = route.request().postDataJSON()
      return route.fulfill({ json: { success: true } })
    }
    const offered = [
      { purchase_id: 'p0', opened_on: '2025-03-03', qty: '100', basis: 1_000, chosen: '0' },
      { purchase_id: 'p1', opened_on: '2025-04-01', qty: '60.5', basis: 700, chosen: '0' },
    ]
    return route.fulfill({ json: { success: true, symbol: 'SPY', qty: 100, lots: offered } })
  })
  await page.goto('/portfolio-performance')
  await page.getByRole('button', { name: 'Show tax lots' }).click()
  await rows(page, 'Sales of 2025').first().getByRole('button').click()
  const dialog = page.getByRole('dialog', { name: 'Lots of the sale of 100 SPY' })
  await dialog.getByRole('textbox').nth(1).fill('60.5')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save lots' }).click()
  await expect(dialog).toBeHidden()
  expect(saved).toEqual({ account_id: 1, sale_id: 's2', lots: [{ purchase_id: 'p1', qty: '60.5' }] })
})

test('lots wait until every trade is known', async ({ signedIn: page }) => {
  await stubPortfolio(page, [account()], () => portfolio())
  await stubLots(page, () => tax({ is_complete: false, lots: [], years: [], sales: [], year: null }))
  await page.goto('/portfolio-performance')
  await page.getByRole('button', { name: 'Show tax lots' }).click()
  await expect(page.getByText('Lots appear when all of them are known.')).toBeVisible()
})

test('a statement opens from the page, and prints black on white without controls', async ({ signedIn: page }) => {
  await stubPortfolio(page, [account()], () => portfolio())
  await page.route('**/api/alpaca/portfolio/statement?*', (route) =>
    route.fulfill({ json: { success: true, statement: STATEMENT } }),
  )
  await page.goto('/portfolio-performance')
  const files = card(page, 'Statements and files')
  await expect(files.getByRole('link', { name: 'Tax lots as CSV' })).toHaveAttribute(
    'href',
    '/api/alpaca/portfolio/export?account_id=1&kind=lots',
  )
  await files.getByRole('link', { name: 'Open statement' }).click()
  await expect(page.getByRole('heading', { name: 'Statement Oct ’26' })).toBeVisible()
  await expect(card(page, 'Value').getByRole('row', { name: 'Closing value' })).toContainText('$125,862.66')
  await expect(rows(page, 'Trades')).toHaveCount(2)
  await expectAccessible(page)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(page.getByRole('button', { name: 'Print' })).toBeHidden()
  await expect(page.getByRole('navigation')).toHaveCount(0)
  const colours = await card(page, 'Value').evaluate((element) => getComputedStyle(element).backgroundColor)
  expect(colours).toBe('rgb(255, 255, 255)')
  await page.emulateMedia({ media: 'screen' })
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page)
})

test('a comparison without real prices says so, and shows made-up ones to those who ask [PORT-014]', async ({
  signedIn: page,
}) => {
  const missing = ['SPY', 'TQQQ'].map((symbol) => ({ symbol, reason: 'Yahoo Finance could not be reached.' }))
  const asked = await stubPortfolio(page, [account()], (query) =>
    query.get('synthetic_benchmarks') === 'true'
      ? portfolio({ benchmarks_synthetic: true })
      : portfolio({ spy_cagr: null, tqqq_cagr: null, benchmarks_missing: missing }),
  )
  await page.goto('/portfolio-performance')
  const performance = card(page, 'True performance')
  await expect(performance.getByText('No real prices of SPY and TQQQ on these dates.')).toBeVisible()
  await expect(performance.getByRole('link', { name: 'Data Collector' })).toHaveAttribute('href', '/data-collector')
  await expectAccessible(page)
  await performance.getByRole('button', { name: 'Compare with synthetic prices' }).click()
  await expect(performance.getByText('because you asked for them')).toBeVisible()
  await performance.getByRole('button', { name: 'Real prices only' }).click()
  await expect(performance.getByText('No real prices of SPY and TQQQ on these dates.')).toBeVisible()
  expect(asked.filter((query) => query.get('synthetic_benchmarks') === 'true').length).toBeGreaterThan(0)
})

for (const colorScheme of ['light', 'dark'] as const) {
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    test(`lots stay on a screen of ${width} pixels, ${colorScheme}`, async ({ signedIn: page }) => {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      await stubPortfolio(page, [account()], () =>
        portfolio({ spy_cagr: null, benchmarks_missing: [{ symbol: 'SPY', reason: 'Yahoo could not be reached.' }] }),
      )
      await stubLots(page, () => tax({ method: 'specific' }))
      await page.goto('/portfolio-performance')
      await page.getByRole('button', { name: 'Show tax lots' }).click()
      await expect(rows(page, 'Open lots')).toHaveCount(2)
      await expectNoSidewaysScroll(page)
    })
  }
}
