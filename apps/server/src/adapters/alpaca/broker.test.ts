import { Decimal } from '@tradewright/core/decimal'
import { dateOf, formatDate, MINUTE } from '@tradewright/core/time'
import type { OrderRequest } from '@tradewright/engine/trading/order'
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { brokerSuite } from '@tradewright/engine/trading/test-support/broker-suite'
import { type AlpacaStandIn, STAND_IN_KEYS, startAlpacaStandIn } from '../../../test-support/stand-ins/alpaca/alpaca.ts'
import { testSurroundings } from '../../../test-support/test-surroundings.ts'
import { alpacaBroker } from './broker.ts'
import { alpacaQuotes } from './quotes.ts'
import { alpacaClient, alpacaHttp, type AlpacaHttp } from './http.ts'

let standIn: AlpacaStandIn
let surroundings = testSurroundings()
let broker: ReturnType<typeof alpacaBroker>

async function open(options: Parameters<typeof startAlpacaStandIn>[1] = {}) {
  surroundings = testSurroundings()
  const { timing } = surroundings
  standIn = await startAlpacaStandIn(() => timing.now(), options)
  const client = alpacaClient(standIn.url, STAND_IN_KEYS, surroundings)
  broker = alpacaBroker({
    http: alpacaHttp(client, new AbortController().signal, surroundings.log),
    now: () => timing.now(),
    quotes: alpacaQuotes(standIn.url, STAND_IN_KEYS, surroundings, new AbortController().signal),
  })
}

beforeEach(() => open())
afterEach(async () => {
  await standIn.close()
  // Whatever a test did, it did it in Alpaca's words.
  expect(standIn.violations).toEqual([])
})

brokerSuite('the Alpaca adapter', async () => {
  const tradeAt = async (ticker: string, price: string) => {
    surroundings.timing.advance(1_000)
    standIn.account.trade(ticker, price)
  }
  return { broker, tradeAt }
})

const buy = (clientOrderId: string, more: Partial<OrderRequest> = {}): OrderRequest => ({
  clientOrderId,
  ticker: 'SPY',
  side: 'buy',
  size: { quantity: Decimal.parse('2') },
  execution: { type: 'market' },
  timeInForce: 'day',
  ...more,
})

describe('order types', () => {
  const bodies = () =>
    standIn.requests
      .filter(({ method }) => method === 'POST')
      .map(({ body }) => JSON.parse(body) as Record<string, unknown>)

  it('are sent in the documented words', async () => {
    const limit = { type: 'limit', limitPrice: Decimal.parse('404.25') } as const
    await broker.place(buy('mine-1', { execution: limit }))
    await broker.place(buy('mine-2', { timeInForce: 'cls' }))
    await broker.place(
      buy('mine-3', { ticker: 'ETH-USD', size: { quantity: Decimal.parse('0.02') }, execution: limit }),
    )
    const common = { symbol: 'SPY', side: 'buy', qty: '2' }
    expect(bodies()).toEqual([
      { ...common, client_order_id: 'mine-1', type: 'limit', time_in_force: 'day', limit_price: '404.25' },
      { ...common, client_order_id: 'mine-2', type: 'market', time_in_force: 'cls' },
      {
        client_order_id: 'mine-3',
        symbol: 'ETH/USD',
        side: 'buy',
        qty: '0.02',
        type: 'limit',
        time_in_force: 'gtc',
        limit_price: '404.25',
      },
    ])
  })

  it('that Alpaca does not take are refused in its words', async () => {
    const fraction = { size: { quantity: Decimal.parse('1.5') } }
    const limit = { type: 'limit', limitPrice: Decimal.parse('404') } as const
    const kept = { ...fraction, execution: limit, timeInForce: 'gtc' as const }
    await expect(broker.place(buy('mine-1', kept))).rejects.toThrow(/fractional/)
    await expect(broker.place(buy('mine-2', { ...fraction, timeInForce: 'cls' }))).rejects.toThrow(/fractional/)
    await expect(broker.place(buy('mine-3', { timeInForce: 'opg' }))).rejects.toThrow(/opg orders are not accepted/)
  })

  it('have the latest quote of stocks and coins', async () => {
    standIn.account.prices.set('SPY', Decimal.parse('400')).set('BTC/USD', Decimal.parse('60000'))
    expect(await broker.quote!('SPY')).toEqual({
      bid: Decimal.parse('400'),
      ask: Decimal.parse('400'),
      at: surroundings.timing.now(),
    })
    expect(String((await broker.quote!('BTC-USD'))?.ask)).toBe('60000')
    expect(await broker.quote!('TLT')).toBeUndefined()
    const asked = standIn.requests.filter(({ path }) => path.includes('quotes'))
    expect(asked.map(({ path, query }) => `${path}?${String(query)}`)).toEqual([
      '/v2/stocks/quotes/latest?symbols=SPY',
      '/v1beta3/crypto/us/latest/quotes?symbols=BTC%2FUSD',
      '/v2/stocks/quotes/latest?symbols=TLT',
    ])
  })
})

describe('an order whose answer is lost', () => {
  it.each(['lost-answer', 'lost-and-slow'] as const)(
    'is neither sent twice nor taken for failed: %s',
    async (fault) => {
      standIn.onStall = () => surroundings.timing.expireTimeouts()
      standIn.misbehave(fault, { times: 1, when: ({ method }) => method === 'POST' })
      await expect(broker.place(buy('mine-1'))).rejects.toMatchObject({ kind: 'unavailable' })
      expect(await broker.orderByClientId('mine-1')).toMatchObject({ state: 'accepted' })
      expect(standIn.account.orders).toHaveLength(1)
    },
  )

  it.each([
    ['down', 'unavailable'],
    ['broken', 'unavailable'],
    ['html', 'unavailable'],
    ['half-body', 'unavailable'],
    ['limited', 'limited'],
    ['unauthorised', 'denied'],
  ] as const)('fails as %s: %s', async (fault, kind) => {
    standIn.misbehave(fault, { when: ({ method }) => method === 'POST' })
    await expect(broker.place(buy('mine-1'))).rejects.toMatchObject({ kind })
    expect(standIn.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })
})

describe('what Alpaca refuses', () => {
  it('is told in its own words', async () => {
    standIn.account.prices.set('SPY', Decimal.parse('400'))
    const many = buy('mine-1', { size: { quantity: Decimal.parse('10000') } })
    await expect(broker.place(many)).rejects.toMatchObject({
      kind: 'invalid',
      message: 'The broker refused the order: insufficient buying power.',
    })
    const unknown = buy('mine-2', { ticker: 'ZZZZ' })
    await expect(broker.place(unknown)).rejects.toMatchObject({
      message: 'The broker refused the order: asset "ZZZZ" is not active.',
    })
    const short = buy('mine-3', { side: 'sell' })
    await expect(broker.place(short)).rejects.toThrow(/insufficient qty available/)
  })

  it('may be told after the order was taken', async () => {
    standIn.account.rejectNext = 'asset halted'
    const placed = await broker.place(buy('mine-1'))
    expect(placed).toMatchObject({ state: 'rejected', reason: 'asset halted' })
  })

  it('is the keys when they were revoked', async () => {
    standIn.account.areKeysRevoked = true
    await expect(broker.account()).rejects.toMatchObject({ kind: 'denied', code: 'broker.keys-refused' })
  })
})

describe('questions', () => {
  it('are asked again when Alpaca fails, and then given up with a sentence', async () => {
    standIn.misbehave('broken', { times: 2 })
    expect(String((await broker.account()).cash)).toBe('100000')
    standIn.misbehave('broken')
    await expect(broker.account()).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'Alpaca is not available right now: it has an internal error (HTTP 503).',
    })
    standIn.misbehave('html')
    await expect(broker.account()).rejects.toMatchObject({ kind: 'upstream' })
  })

  it('stay within 200 calls a minute', async () => {
    await standIn.close()
    await open({ callsPerMinute: 200 })
    for (let i = 0; i < 450; i++) await broker.clock()
    expect(standIn.requests).toHaveLength(450)
    expect(surroundings.timing.slept.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThanOrEqual(2 * MINUTE)
  })

  it('never show the keys in a log', async () => {
    standIn.misbehave('unauthorised')
    await expect(broker.account()).rejects.toThrow()
    const lines = surroundings.log.lines.join('\n')
    expect(lines).toContain('/v2/account')
    expect(lines).not.toContain(STAND_IN_KEYS.keyId)
    expect(lines).not.toContain(STAND_IN_KEYS.secretKey)
  })
})

describe('coins', () => {
  it('are ordered with a slash, good till cancelled, and held without one', async () => {
    standIn.account.trade('BTC/USD', '60000')
    await broker.place(buy('mine-1', { ticker: 'BTC-USD', size: { notional: Decimal.parse('600') } }))
    standIn.account.trade('BTC/USD', '60000')
    expect(standIn.account.orders[0]).toMatchObject({ symbol: 'BTC/USD', timeInForce: 'gtc' })
    const [position] = await broker.positions()
    expect([position?.ticker, String(position?.quantity)]).toEqual(['BTC-USD', '0.01'])
    expect(await broker.asset('BTC-USD')).toMatchObject({ isTradable: true, isMarginable: false })
  })
})

describe('many tickers', () => {
  it('are asked for in one call, and only those that exist are answered', async () => {
    const unknown = Array.from({ length: 400 }, (_, i) => `X${i}`)
    const before = standIn.requests.length
    const assets = await broker.assets!(['SPY', 'AAPL', 'BRK-B', ...unknown])
    expect([...assets.keys()].toSorted()).toEqual(['AAPL', 'BRK-B', 'SPY'])
    expect(assets.get('BRK-B')).toEqual(await broker.asset('BRK-B'))
    expect(standIn.requests.length - before).toBe(2)
  })
})

describe('executions', () => {
  it('are told with our id, part by part, each once', async () => {
    await broker.place(buy('mine-1'))
    standIn.account.fill('mine-1', '0.5', '400')
    surroundings.timing.advance(MINUTE)
    const since = surroundings.timing.now()
    standIn.account.fill('mine-1', '1.5', '401')
    standIn.quirks.duplicates = true
    standIn.quirks.partialPages = true
    const fills = await broker.fills(0)
    expect(fills.map(({ clientOrderId, quantity }) => [clientOrderId, String(quantity)])).toEqual([
      ['mine-1', '0.5'],
      ['mine-1', '1.5'],
    ])
    // The order was sent before, so its id is not in the list of recent ones.
    expect((await broker.fills(since)).map(({ clientOrderId }) => clientOrderId)).toEqual(['mine-1'])
    expect(await broker.orderByClientId('mine-1')).toMatchObject({ state: 'filled' })
  })
})

describe('activities', () => {
  it('leave nothing out when pages come short', async () => {
    standIn.quirks.partialPages = true
    for (let i = 1; i <= 90; i++) standIn.account.book('DIV', '1.5', '2026-03-02', { symbol: 'SPY' })
    standIn.account.book('CSD', '1000', '2026-03-03', { description: 'Deposit' })
    const seen = new Set<string>()
    let page: string | undefined
    do {
      const query = { kind: 'cash', order: 'newest-first' } as const
      const answer = await broker.activities({ ...query, ...(page !== undefined && { page }) })
      for (const { id } of answer.activities) seen.add(id)
      page = answer.next
    } while (page !== undefined)
    expect(seen.size).toBe(91)
    const { activities } = await broker.activities({ kind: 'external', order: 'oldest-first' })
    expect(activities).toMatchObject([{ type: 'CSD', day: dateOf('2026-03-03'), description: 'Deposit' }])
    standIn.account.book('ACATS', '0', '2026-03-04', { symbol: 'SPY', qty: '10', price: '400' })
    const transferred = (await broker.activities({ kind: 'external', order: 'newest-first' })).activities[0]
    expect(transferred).toMatchObject({ type: 'ACATS', netAmount: Decimal.parse('4000') })
  })
})

describe('the history', () => {
  it('keeps the days, knows nulls as unknown and sums external flows', async () => {
    standIn.account.history = ['2026-02-26', '2026-02-27', '2026-03-02', '2026-03-03'].map((date, i) => ({
      date,
      equity: 1000 + i,
    }))
    standIn.account.book('CSD', '500', '2026-03-02')
    standIn.account.book('DIV', '7', '2026-03-02')
    const days = await broker.equityHistory(dateOf('2026-02-27'))
    expect(days.map(({ day, externalFlow }) => [formatDate(day), String(externalFlow)])).toEqual([
      ['2026-02-27', '0'],
      ['2026-03-02', '500'],
      ['2026-03-03', '0'],
    ])
    standIn.quirks.nullNumbers = true
    const holed = await broker.equityHistory(dateOf('2026-02-26'))
    expect(holed.map(({ equity }) => equity && String(equity))).toEqual(['1000', undefined, '1002', '1003'])
    expect((await broker.account()).lastEquity).toBeUndefined()
  })
})

describe('lists with an element of an unexpected form', () => {
  /** Alpaca's own example of a spread of options, `MultilegOptionsOrderResponse`, in its main fields. */
  const spread = {
    id: 'c3b0a5f5-0000-4000-8000-00000000beef',
    client_order_id: 'spread',
    created_at: '2026-03-04T15:00:00Z',
    submitted_at: '2026-03-04T15:00:00Z',
    symbol: '',
    asset_class: '',
    qty: '1',
    filled_qty: '0',
    order_class: 'mleg',
    type: 'limit',
    side: '',
    time_in_force: 'day',
    limit_price: '0.6',
    status: 'new',
    legs: [],
  }

  it('show the other orders, and the log names what was left out, once as a warning', async () => {
    standIn.quirks.strangeElements.set('/v2/orders', [spread, null])
    standIn.account.prices.set('SPY', Decimal.parse('400'))
    await broker.place(buy('mine-1'))
    const open = () => broker.orders({ state: 'open' })
    expect((await open()).map(({ clientOrderId }) => clientOrderId)).toEqual(['mine-1'])
    await open()
    const told = surroundings.log.warnings.filter((line) => line.includes('left out of a list'))
    expect(told).toEqual([expect.stringContaining('side: Invalid option'), expect.stringContaining('expected object')])
  })

  it('show the other positions and activities, and page on', async () => {
    standIn.account.prices.set('SPY', Decimal.parse('400'))
    standIn.account.fillsAtOnce = true
    await broker.place(buy('mine-1'))
    standIn.quirks.strangeElements.set('/v2/positions', [{ symbol: 'SPY260320C00500000', qty: 'many' }])
    standIn.quirks.strangeElements.set('/v2/account/activities', [{ id: 'strange', activity_type: 5 }])
    expect((await broker.positions()).map(({ ticker }) => ticker)).toEqual(['SPY'])
    expect((await broker.fills(0)).map(({ clientOrderId }) => clientOrderId)).toEqual(['mine-1'])
  })

  it('name the order of an execution although the order has no side', async () => {
    standIn.account.prices.set('SPY', Decimal.parse('400'))
    standIn.account.fillsAtOnce = true
    await broker.place(buy('mine-1'))
    const [order] = standIn.account.orders
    surroundings.timing.advance(60_000)
    // Only its own page names it: the list of recent orders begins after it was sent.
    standIn.account.orders.splice(0, 1, { ...order!, side: '' as 'buy' })
    expect((await broker.fills(0)).map(({ clientOrderId }) => clientOrderId)).toEqual(['mine-1'])
    standIn.violations.length = 0
  })
})

describe('a list that does not end', () => {
  const endless: AlpacaHttp = {
    ...alpacaHttp(alpacaClient('http://127.0.0.1:9', STAND_IN_KEYS, testSurroundings()), new AbortController().signal, {
      debug: () => {},
      warn: () => {},
    }),
    list: async () => ({ read: [], sent: Array.from({ length: 500 }, () => ({ id: randomUUID() })) }),
  }
  const asked = alpacaBroker({ http: endless, now: () => 0 })

  it.each([
    ['orders', () => asked.orders({ state: 'open' }), '200 pages of orders'],
    ['executions', () => asked.fills(0), '500 pages of executions'],
  ])('of %s is given up with a sentence', async (_, ask, pages) => {
    await expect(ask()).rejects.toMatchObject({
      kind: 'upstream',
      message: `Alpaca sent a list that is too long: it has more than ${pages}.`,
    })
  })
})
