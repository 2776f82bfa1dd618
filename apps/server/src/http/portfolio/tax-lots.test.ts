import type { Statement, TaxLots } from '@tradewright/contract/tax-lots'
import { Decimal } from '@tradewright/core/decimal'
import { describe, expect, it, vi } from 'vitest'
import { caller } from '../../../test-support/caller.ts'
import { withPortfolio } from '../../../test-support/portfolio-world.ts'
import { activityId } from '../../../test-support/stand-ins/alpaca/activities.ts'

const world = withPortfolio()
let executions = 0

/** An execution of the past; the account holds what is said last. */
function executed(date: string, side: 'buy' | 'sell', qty: string, price: string): string {
  const at = `${date}T15:00:00Z`
  const id = activityId(at, 9_000 + ++executions)
  const order = { order_id: `00000000-0000-4000-9000-${String(executions).padStart(12, '0')}`, order_status: 'filled' }
  const fill = { transaction_time: at, symbol: 'SPY', side, qty, price, type: 'fill', cum_qty: qty, leaves_qty: '0' }
  world.alpaca.account.load([{ id, activity_type: 'FILL', ...fill, ...order }])
  return id
}

function holds(qty: string, average: string, price: string): void {
  const { account } = world.alpaca
  account.prices.set('SPY', Decimal.parse(price))
  account.positions.set('SPY', { qty: Decimal.parse(qty), cost: Decimal.parse(qty).times(Decimal.parse(average)) })
}

/** Publication 550, Example 1, with a gain of the year before. */
function washedAccount(): void {
  executed('2024-01-08', 'buy', '10', '9')
  executed('2025-02-10', 'sell', '10', '12')
  executed('2025-03-03', 'buy', '100', '10')
  executed('2025-09-02', 'sell', '100', '7.5')
  executed('2025-09-18', 'buy', '100', '8')
  holds('100', '8', '9')
}

const taxOf = async (query = '') => {
  const answer = await world.user.get(`/api/alpaca/portfolio/lots?account_id=${world.accountId}${query}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<{ tax: TaxLots }>().tax
}

const complete = () =>
  vi.waitUntil(
    async () => {
      const tax = await taxOf()
      return tax.is_complete ? tax : undefined
    },
    { timeout: 60_000, interval: 100 },
  )

const file = async (kind: string) =>
  world.user.get(`/api/alpaca/portfolio/export?account_id=${world.accountId}&kind=${kind}`)

describe('tax lots of an account', () => {
  it('come from the broker’s executions, with gains by year and wash sales', async () => {
    washedAccount()
    await world.connect()
    const tax = await complete()
    expect(tax).toMatchObject({
      method: 'fifo',
      starts_on: '2024-01-08',
      lots: [{ symbol: 'SPY', qty: 100, basis: 1050, wash_adjustment: 250, unrealized: -150, opened_on: '2025-09-18' }],
      unexplained: [],
      other_fees: 0,
    })
    expect(tax.years).toMatchObject([{ year: 2025, short: { gain: 0, disallowed: 250 }, long: { gain: 30 } }])
    expect(tax.sales).toMatchObject([
      { sold_on: '2025-09-02', gain: 0, disallowed: 250, washes: [{ bought_on: '2025-09-18', qty: 100 }] },
      { sold_on: '2025-02-10', gain: 30, term: 'long' },
    ])
  })

  it('count shares that no execution brought at the broker’s average price', async () => {
    executed('2025-03-03', 'buy', '5', '10')
    holds('25', '6', '9')
    await world.connect()
    const { lots } = await complete()
    expect(lots).toMatchObject([
      { qty: 20, basis: 120, origin: 'before' },
      { qty: 5, basis: 50, origin: 'trade' },
    ])
  })

  it('follow the method of the account, and the lots that are chosen for a sale', async () => {
    const old = executed('2024-01-08', 'buy', '10', '9')
    executed('2024-02-08', 'buy', '10', '20')
    const sale = executed('2025-06-10', 'sell', '10', '15')
    holds('10', '20', '15')
    await world.connect()
    await complete()
    const gainBy = async (method: string) => {
      await world.user.put('/api/alpaca/portfolio/lots/method', { account_id: world.accountId, method })
      return (await taxOf()).years[0]!.total.gain
    }
    expect(await gainBy('fifo')).toBe(60)
    expect(await gainBy('lifo')).toBe(-50)
    expect(await gainBy('highest-cost')).toBe(-50)
    expect(await gainBy('specific')).toBe(60)
    const place = { account_id: world.accountId, sale_id: sale }
    const offered = await world.user.get(
      `/api/alpaca/portfolio/lots/sale?account_id=${world.accountId}&sale_id=${encodeURIComponent(sale)}`,
    )
    const { lots } = offered.json<{ lots: { purchase_id: string; qty: string }[] }>()
    expect(lots.map(({ qty }) => qty)).toEqual(['10', '10'])
    const choose = (chosen: object[]) => world.user.put('/api/alpaca/portfolio/lots/sale', { ...place, lots: chosen })
    const newer = lots[1]!.purchase_id
    expect((await choose([{ purchase_id: newer, qty: '4' }])).statusCode).toBe(200)
    expect((await taxOf()).years[0]!.total.gain).toBe(6 * 6 - 4 * 5)
    for (const [chosen, sentence] of [
      [[{ purchase_id: newer, qty: '11' }], 'The lot has only 10 shares.'],
      [[{ purchase_id: 'none', qty: '1' }], 'A lot that was chosen was not held at the time of the sale.'],
      [
        [
          { purchase_id: newer, qty: '6' },
          { purchase_id: old, qty: '6' },
        ],
        'Only 10 shares were sold.',
      ],
    ] as const) {
      const refused = await choose([...chosen])
      expect(refused.statusCode).toBe(400)
      expect(refused.json()).toMatchObject({ error: sentence })
    }
    expect((await taxOf()).years[0]!.total.gain).toBe(16)
    expect((await choose([])).statusCode).toBe(200)
    expect((await taxOf()).years[0]!.total.gain).toBe(60)
  })

  it('keep basis and time through corporate actions, and count nothing that the broker took back', async () => {
    executed('2024-01-08', 'buy', '10', '10')
    const { account } = world.alpaca
    account.act([
      { type: 'NC', symbol: 'SPY', qty: '-10' },
      { type: 'NC', symbol: 'MSFT', qty: '10' },
    ])
    account.act([
      { type: 'SPIN', symbol: 'AAPL', qty: '2', description: 'Target Symbol: AAPL, Initiating Symbol: MSFT' },
    ])
    account.act([{ type: 'SPLIT', symbol: 'MSFT', qty: '10' }])
    account.move('MSFT', '-10')
    account.book('DIV', '40', '2026-03-03', { symbol: 'MSFT' })
    for (const { id, activity_type: type } of account.activities) {
      if (type === 'SPLIT' || type === 'DIV') account.change(id, { status: 'canceled' })
    }
    for (const ticker of ['MSFT', 'AAPL']) account.prices.set(ticker, Decimal.parse('20'))
    account.positions.delete('SPY')
    world.historyFrom('2026-02-02', (i) => 100_000 + i)
    await world.connect()
    const { lots, unexplained } = await complete()
    expect(unexplained).toEqual([])
    expect(lots).toMatchObject([
      { symbol: 'AAPL', qty: 2, held_since: '2024-01-08', origin: 'unknown', unrealized: null },
      { symbol: 'MSFT', qty: 10, basis: 100, held_since: '2024-01-08', term: 'long', origin: 'trade' },
    ])
    const [, spunOff, kept] = (await file('lots')).body.split('\r\n')
    expect(spunOff).toMatch(/^AAPL,2,2024-01-08,2024-01-08,,0,unknown,/)
    expect(kept).toMatch(/^MSFT,10,2024-01-08,2024-01-08,100,0,trade,/)
    expect((await file('transactions')).body).not.toMatch(/,(DIV|SPLIT),/)
    const statement = await world.user.get(
      `/api/alpaca/portfolio/statement?account_id=${world.accountId}&month=2026-03`,
    )
    expect(statement.json<{ statement: Statement }>().statement).toMatchObject({
      dividends: 0,
      flows: [],
      positions: [
        { symbol: 'AAPL', qty: 2, basis: null },
        { symbol: 'MSFT', qty: 10, basis: 100 },
      ],
    })
  })

  it('are in the first file that is asked for, and stay there while the broker is away', async () => {
    washedAccount()
    await world.connect()
    world.alpaca.misbehave('broken')
    const none = await file('trades')
    expect(none.statusCode).toBe(503)
    expect(none.json<{ error: string }>().error).toMatch(/^Alpaca is not available right now/)
    world.alpaca.behave()
    const rows = ({ body }: { body: string }) => body.trim().split('\r\n').length - 1
    const first = await file('lots')
    expect([first.statusCode, rows(first)]).toEqual([200, 1])
    expect(first.headers['x-as-of']).toBe(world.clock.now().toISOString())
    expect(rows(await file('trades'))).toBe(5)

    executed('2026-03-04', 'buy', '1', '9')
    world.clock.advance(2 * 60_000)
    world.alpaca.misbehave('broken')
    const kept = await file('trades')
    expect([kept.statusCode, rows(kept)]).toEqual([200, 5])
    expect(kept.headers['x-as-of']).toBe(first.headers['x-as-of'])
    world.alpaca.behave()
    expect(rows(await file('trades'))).toBe(6)
  })

  it('belong to their user alone', async () => {
    await world.connect()
    const other = await caller(world.server)
    const query = `account_id=${world.accountId}`
    for (const path of ['lots?', 'lots/sale?sale_id=x&', 'statement?month=2025-09&', 'export?kind=trades&']) {
      expect((await other.get(`/api/alpaca/portfolio/${path}${query}`)).statusCode).toBe(404)
    }
    const method = await other.put('/api/alpaca/portfolio/lots/method', { account_id: world.accountId, method: 'lifo' })
    expect(method.statusCode).toBe(404)
    expect((await taxOf()).method).toBe('fifo')
  })
})

describe('files of an account', () => {
  it('are CSV with exact figures, and safe in a spreadsheet', async () => {
    washedAccount()
    world.alpaca.account.book('FEE', '-0.02', '2025-09-02', { description: '=HYPERLINK("http://x","a, b")' })
    await world.connect()
    await complete()
    const sales = await file('sales')
    expect(sales.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(sales.headers['content-disposition']).toMatch(/^attachment; filename="main-sales-2026-03-04\.csv"$/)
    const [header, first, second, end] = sales.body.split('\r\n')
    expect(header).toBe(
      'Symbol,Quantity,Acquired on,Held since,Sold on,Proceeds,Basis,Wash sale disallowed,Gain,Term,Basis from,Sale,Lot',
    )
    expect(first).toMatch(/^SPY,10,2024-01-08,2024-01-08,2025-02-10,120,90,0,30,long,trade,/)
    expect(second).toMatch(/^SPY,100,2025-03-03,2025-03-03,2025-09-02,749\.98,1000,250\.02,0,short,trade,/)
    expect(end).toBe('')
    expect((await file('transactions')).body).toContain(`2025-09-02,FEE,"'=HYPERLINK(""http://x"",""a, b"")",,,-0.02,`)
    expect((await file('lots')).body.split('\r\n')[1]).toMatch(/^SPY,100,2025-09-18,2025-03-19,1050.02,250.02,trade,/)
    expect((await file('trades')).body.split('\r\n')).toHaveLength(7)
    for (const kind of ['orders', 'ledger']) expect((await file(kind)).body.split('\r\n')).toHaveLength(2)
    expect((await file('passwords')).statusCode).toBe(400)
  })
})

describe('the statement of a month', () => {
  const statement = async (month: string) => {
    const path = `/api/alpaca/portfolio/statement?account_id=${world.accountId}&month=${month}`
    const answer = await world.user.get(path)
    return { status: answer.statusCode, ...answer.json<{ statement: Statement; error?: string }>() }
  }

  it('begins where the one before ended, and adds up', async () => {
    world.historyFrom('2025-12-01', (i) => 100_000 + 13.37 * i)
    const { account } = world.alpaca
    account.book('CSD', '100000', '2025-12-01')
    account.book('CSD', '5000', '2026-01-12')
    account.book('CSW', '-1000', '2026-01-20')
    account.book('DIV', '25.11', '2026-01-15', { symbol: 'SPY' })
    account.book('FEE', '-0.07', '2026-01-21')
    executed('2026-01-14', 'buy', '10', '90')
    holds('10', '90', '100')
    await world.connect()
    await complete()
    const months = await Promise.all(['2025-12', '2026-01', '2026-02', '2026-03'].map(statement))
    for (const [i, { status, statement: each }] of months.entries()) {
      expect(status).toBe(200)
      const lines = ['deposits', 'withdrawals', 'dividends', 'interest', 'fees', 'other', 'market'] as const
      const cents = (value: number) => Math.round(value * 100)
      const sum = lines.reduce((total, line) => total + cents(each[line]), cents(each.opening))
      expect(sum).toBe(cents(each.closing))
      expect(cents(each.profit)).toBe(
        cents(each.closing) - cents(each.opening) - cents(each.deposits + each.withdrawals),
      )
      if (each.difference !== null) {
        expect(cents(each.cash) + cents(each.positions_value!) + cents(each.difference)).toBe(cents(each.closing))
      }
      const next = months[i + 1]?.statement
      if (next) expect(next).toMatchObject({ from: each.to, opening: each.closing })
    }
    expect(months[0]!.statement).toMatchObject({ from: null, opening: 0, deposits: 100_000, trades_count: 0 })
    expect(months[1]!.statement).toMatchObject({
      deposits: 5000,
      withdrawals: -1000,
      dividends: 25.11,
      fees: -0.07,
      trades: [{ date: '2026-01-14', symbol: 'SPY', qty: 10, amount: 900 }],
      positions: [{ symbol: 'SPY', qty: 10, basis: 900 }],
      as_of: null,
    })
    const now = months[3]!.statement
    expect(now.positions).toMatchObject([{ symbol: 'SPY', qty: 10, price: 100, value: 1000 }])
    expect(now.as_of).not.toBeNull()
    const none = await statement('2019-05')
    expect(none).toMatchObject({ status: 404, error: 'There are no account values in this month.' })
    expect((await statement('2026-13')).status).toBe(400)
  })
})
