import {
  getSaleLots,
  getStatement,
  getTaxLots,
  setLotMethod,
  setSaleLots,
  type Statement,
  type TaxLots,
} from '@tradewright/contract/tax-lots'
import { expect, test } from 'vitest'
import { commands, page } from 'vitest/browser'
import { account, portfolio, portfolioCalls } from '../../../../test-support/brokerage.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  look,
  LOOKS,
  madeCalls,
  openScreen,
  signIn,
  standIn,
} from '../../../../test-support/screen.tsx'
import { on } from '../../../../test-support/served.ts'

const success = true as const
const card = (name: string) => page.getByRole('region', { name, exact: true })
const rows = (name: string) =>
  page.getByRole('table', { name, exact: true }).getByRole('rowgroup').nth(1).getByRole('row')

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

const standInPortfolio = (...stood: Parameters<typeof portfolioCalls>) => standIn(portfolioCalls(...stood))
const lotsOf = (answer: () => TaxLots) => on(getTaxLots, () => ({ success, tax: answer() }))

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

test('lots, gains by year and wash sales are on the portfolio page, the method is the user’s', async () => {
  await signIn()
  let method: TaxLots['method'] = 'fifo'
  standInPortfolio([account()], () => portfolio())
  standIn([lotsOf(() => tax({ method }))])
  standIn([
    on(setLotMethod, ({ body }) => {
      method = body['method'] as TaxLots['method']
      return { success }
    }),
  ])
  openScreen('/portfolio-performance')
  const lots = card('Tax lots and realised gains')
  await expect.element(lots.getByText('Not tax advice: your broker’s Form 1099-B is what counts.')).toBeVisible()
  await lots.getByRole('button', { name: 'Show tax lots' }).click()
  await expect.element(rows('Realised gains by year')).toHaveLength(2)
  await expect.element(rows('Realised gains by year').first()).toMatchTextContent('without $250.00 of wash sales')
  await expect.element(rows('Sales of 2025').first()).toMatchTextContent('Wash sale')
  await expect.element(rows('Sales of 2025').first()).toMatchTextContent('$250.00 of the loss moved to shares bought')
  await expect.element(rows('Open lots').first()).toMatchTextContent('$1,050.00')
  await expect.element(rows('Open lots').nth(1)).toMatchTextContent('broker’s average')
  await expect.element(lots.getByText('TLT: held before that.')).toBeVisible()
  await expectAccessible()
  await lots.getByLabelText('Which shares a sale takes').selectOptions('specific')
  await expect.poll(() => method).toBe('specific')
  await expect.element(rows('Sales of 2025').first().getByRole('button')).toHaveTextContent('Choose')
})

test('a sale takes the lots that are chosen for it', async () => {
  await signIn()
  standInPortfolio([account()], () => portfolio())
  standIn([lotsOf(() => tax({ method: 'specific' }))])
  const offered = [
    { purchase_id: 'p0', opened_on: '2025-03-03', qty: '100', basis: 1_000, chosen: '0' },
    { purchase_id: 'p1', opened_on: '2025-04-01', qty: '60.5', basis: 700, chosen: '0' },
  ]
  standIn([
    on(getSaleLots, () => ({ success, symbol: 'SPY', qty: 100, lots: offered })),
    on(setSaleLots, () => ({ success })),
  ])
  openScreen('/portfolio-performance')
  await page.getByRole('button', { name: 'Show tax lots' }).click()
  await rows('Sales of 2025').first().getByRole('button').click()
  const dialog = page.getByRole('dialog', { name: 'Lots of the sale of 100 SPY' })
  await dialog.getByRole('textbox').nth(1).fill('60.5')
  await expectAccessible()
  await dialog.getByRole('button', { name: 'Save lots' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(madeCalls('PUT', '/api/alpaca/portfolio/lots/sale').map(({ body }) => body)).toEqual([
    { account_id: 1, sale_id: 's2', lots: [{ purchase_id: 'p1', qty: '60.5' }] },
  ])
})

test('lots wait until every trade is known', async () => {
  await signIn()
  standInPortfolio([account()], () => portfolio())
  standIn([lotsOf(() => tax({ is_complete: false, lots: [], years: [], sales: [], year: null }))])
  openScreen('/portfolio-performance')
  await page.getByRole('button', { name: 'Show tax lots' }).click()
  await expect.element(page.getByText('Lots appear when all of them are known.')).toBeVisible()
})

test('a statement opens from the page, and prints black on white without controls', async () => {
  await signIn()
  standInPortfolio([account()], () => portfolio())
  standIn([on(getStatement, () => ({ success, statement: STATEMENT }))])
  openScreen('/portfolio-performance')
  const files = card('Statements and files')
  await expect
    .element(files.getByRole('link', { name: 'Tax lots as CSV' }))
    .toHaveAttribute('href', '/api/alpaca/portfolio/export?account_id=1&kind=lots')
  await files.getByRole('link', { name: 'Open statement' }).click()
  await expect.element(page.getByRole('heading', { name: 'Statement Oct ’26' })).toBeVisible()
  await expect.element(card('Value').getByRole('row', { name: 'Closing value' })).toMatchTextContent('$125,862.66')
  await expect.element(rows('Trades')).toHaveLength(2)
  await expectAccessible()
  await commands.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect.element(page.getByRole('button', { name: 'Print' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('navigation')).toHaveLength(0)
  expect(getComputedStyle(card('Value').element()).backgroundColor).toBe('rgb(255, 255, 255)')
  await commands.emulateMedia({ media: 'screen' })
  await page.viewport(390, 844)
  await expectNoSidewaysScroll()
})

test('a comparison without real prices says so, and shows made-up ones to those who ask [PORT-014]', async () => {
  await signIn()
  const missing = ['SPY', 'TQQQ'].map((symbol) => ({ symbol, reason: 'Yahoo Finance could not be reached.' }))
  standInPortfolio([account()], (query) =>
    query.get('synthetic_benchmarks') === 'true'
      ? portfolio({ benchmarks_synthetic: true })
      : portfolio({ spy_cagr: null, tqqq_cagr: null, benchmarks_missing: missing }),
  )
  openScreen('/portfolio-performance')
  const performance = card('True performance')
  await expect.element(performance.getByText('No real prices of SPY and TQQQ on these dates.')).toBeVisible()
  await expect
    .element(performance.getByRole('link', { name: 'Data Collector' }))
    .toHaveAttribute('href', '/data-collector')
  await expectAccessible()
  await performance.getByRole('button', { name: 'Compare with synthetic prices' }).click()
  await expect.element(performance.getByText('because you asked for them')).toBeVisible()
  await performance.getByRole('button', { name: 'Real prices only' }).click()
  await expect.element(performance.getByText('No real prices of SPY and TQQQ on these dates.')).toBeVisible()
  const asked = madeCalls('GET', '/api/alpaca/portfolio')
  expect(asked.some(({ path }) => path.includes('synthetic_benchmarks=true'))).toBe(true)
})

test.each(LOOKS)('lots stay on a screen of $viewport.width pixels, $colorScheme', async (wanted) => {
  await signIn()
  await look(wanted)
  standInPortfolio([account()], () =>
    portfolio({ spy_cagr: null, benchmarks_missing: [{ symbol: 'SPY', reason: 'Yahoo could not be reached.' }] }),
  )
  standIn([lotsOf(() => tax({ method: 'specific' }))])
  openScreen('/portfolio-performance')
  await page.getByRole('button', { name: 'Show tax lots' }).click()
  await expect.element(rows('Open lots')).toHaveLength(2)
  await expectNoSidewaysScroll()
})
