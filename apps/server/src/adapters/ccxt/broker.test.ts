import { Decimal } from '@tradewright/core/decimal'
import { MINUTE } from '@tradewright/core/time'
import type { Broker } from '@tradewright/engine/trading/broker'
import { clientOrderId } from '@tradewright/engine/trading/client-order-id'
import type { OrderRequest } from '@tradewright/engine/trading/order'
import { brokerSuite } from '@tradewright/engine/trading/test-support/broker-suite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  BINANCE_KEYS,
  type BinanceStandIn,
  startBinanceStandIn,
} from '../../../test-support/stand-ins/binance/binance.ts'
import { testSurroundings } from '../../../test-support/test-surroundings.ts'
import { exchangeKeyCheck } from './check-keys.ts'
import { exchangeAccounts } from './exchange-accounts.ts'
import { exchangeDefinitions } from './exchanges.ts'

const binance = exchangeDefinitions.find(({ id }) => id === 'binance')!

let standIn: BinanceStandIn
let surroundings = testSurroundings()
let broker: Broker

async function open(options: Parameters<typeof startBinanceStandIn>[1] = {}, skew = 0) {
  surroundings = testSurroundings()
  const { timing } = surroundings
  standIn = await startBinanceStandIn(() => timing.now() + skew, options)
  broker = exchangeAccounts(binance, standIn.url, surroundings, new AbortController().signal)(BINANCE_KEYS, false)
}

beforeEach(() => open())
afterEach(async () => {
  await standIn.close()
  // Whatever a test did, it did it as Binance documents it.
  expect(standIn.violations).toEqual([])
})

const tradeAt = async (ticker: string, price: string) => {
  surroundings.timing.advance(1_000)
  standIn.account.trade(ticker.replace('-USD', 'USDT'), price)
}

brokerSuite('an account at Binance through ccxt', async () => ({ broker, tradeAt }), 'BTC-USD')

const buy = (id: string, more: Partial<OrderRequest> = {}): OrderRequest => ({
  clientOrderId: id,
  ticker: 'BTC-USD',
  side: 'buy',
  size: { quantity: Decimal.parse('2') },
  execution: { type: 'market' },
  timeInForce: 'gtc',
  ...more,
})

const OURS = clientOrderId('0123456789ab', Date.parse('2026-03-04T15:30:00Z'), 'BTC-USD', 'buy')
const isOrder = ({ method }: { method: string }) => method === 'POST'

describe('an order whose answer is lost', () => {
  it.each(['lost-answer', 'lost-and-slow'] as const)('is found by our id and not sent twice: %s', async (fault) => {
    standIn.onStall = () => surroundings.timing.expireTimeouts()
    standIn.misbehave(fault, { times: 1, when: isOrder })
    await expect(broker.place(buy(OURS))).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await broker.orderByClientId(OURS)).toMatchObject({ clientOrderId: OURS, state: 'accepted' })
    expect(standIn.account.orders).toHaveLength(1)
  })

  it('is told only when the request can no longer arrive', async () => {
    standIn.misbehave('down', { when: isOrder })
    const sentAt = surroundings.timing.now()
    await expect(broker.place(buy(OURS))).rejects.toMatchObject({ kind: 'unavailable' })
    const request = standIn.requests.find(isOrder)!
    const window = Number(new URLSearchParams(request.body).get('recvWindow'))
    expect(window).toBeGreaterThan(0)
    expect(surroundings.timing.now() - sentAt).toBeGreaterThan(window)
    expect(standIn.requests.filter(isOrder)).toHaveLength(1)
  })

  it.each([
    ['internal-error', 'unavailable'],
    ['broken', 'unavailable'],
    ['html', 'unavailable'],
    ['half-body', 'unavailable'],
    ['limited', 'limited'],
  ] as const)('fails as %s: %s', async (fault, kind) => {
    standIn.misbehave(fault, { when: isOrder })
    await expect(broker.place(buy(OURS))).rejects.toMatchObject({ kind })
    expect(standIn.requests.filter(isOrder)).toHaveLength(1)
  })

  it('is refused a second time although Binance would take the id again once it is filled', async () => {
    standIn.account.prices.set('BTCUSDT', Decimal.parse('400'))
    standIn.account.fillsAtOnce = true
    await broker.place(buy(OURS))
    await expect(broker.place(buy(OURS))).rejects.toMatchObject({ kind: 'conflict' })
    expect(standIn.account.orders).toHaveLength(1)
  })
})

describe('what Binance refuses', () => {
  it('is told in its own words', async () => {
    standIn.account.prices.set('BTCUSDT', Decimal.parse('400'))
    await expect(broker.place(buy('a', { size: { quantity: Decimal.parse('10000') } }))).rejects.toMatchObject({
      kind: 'invalid',
      code: 'broker.insufficient-funds',
      message: 'Binance refused the order: Account has insufficient balance for requested action.',
    })
    await expect(broker.place(buy('b', { size: { quantity: Decimal.parse('0.00001') } }))).rejects.toMatchObject({
      kind: 'invalid',
      message: 'Binance refused the order: Filter failure: NOTIONAL.',
    })
    await expect(broker.place(buy('c', { ticker: 'SPY' }))).rejects.toThrow('Binance has no market for SPY in USDT.')
    standIn.account.halted.add('BTC')
    await expect(broker.place(buy('d'))).rejects.toThrow('Binance refused the order: Market is closed.')
  })

  it('is the keys when they are wrong', async () => {
    const check = exchangeKeyCheck(binance, standIn.url, surroundings)
    expect(await check(BINANCE_KEYS, false)).toEqual({ outcome: 'accepted', brokerAccountId: '354937868' })
    expect(await check({ ...BINANCE_KEYS, secretKey: 'wrong' }, false)).toEqual({
      outcome: 'rejected',
      reason: 'Binance does not accept the keys of this account: Signature for this request is not valid.',
    })
    expect(await check({ ...BINANCE_KEYS, keyId: 'wrong' }, false)).toMatchObject({ outcome: 'rejected' })
    standIn.misbehave('broken')
    expect(await check(BINANCE_KEYS, false)).toMatchObject({ outcome: 'unreachable' })
  })
})

describe('questions', () => {
  it('are asked again when Binance fails, and then given up with a sentence', async () => {
    standIn.misbehave('broken', { times: 2 })
    expect(String((await broker.account()).cash)).toBe('100000')
    standIn.misbehave('broken')
    await expect(broker.account()).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'Binance is not available right now: it has an internal error (HTTP 503).',
    })
    standIn.misbehave('html')
    await expect(broker.account()).rejects.toMatchObject({ kind: 'upstream' })
  })

  it('stay within the weight that Binance allows a minute, by its own count', async () => {
    for (let i = 0; i < 320; i++) await broker.account()
    const { requests } = standIn
    expect(requests.filter(({ path }) => path === '/api/v3/account')).toHaveLength(320)
    expect(surroundings.timing.slept.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThanOrEqual(MINUTE)
    expect(surroundings.log.warnings).toEqual([])
  })

  it('are signed in the time of Binance, however wrong our clock is', async () => {
    await standIn.close()
    await open({}, 10 * MINUTE)
    expect(String((await broker.account()).cash)).toBe('100000')
    expect((await broker.clock()).now - surroundings.timing.now()).toBeGreaterThan(9 * MINUTE)
  })

  it('never show the keys or a signature in a log', async () => {
    standIn.misbehave('unauthorised')
    await expect(broker.positions()).rejects.toThrow()
    const lines = surroundings.log.lines.join('\n')
    expect(lines).toContain('/api/v3/')
    for (const secret of [BINANCE_KEYS.keyId, BINANCE_KEYS.secretKey, 'signature']) expect(lines).not.toContain(secret)
  })
})

describe('sizes', () => {
  it('may be dollars, and are exact', async () => {
    standIn.account.prices.set('BTCUSDT', Decimal.parse('60000'))
    standIn.account.fillsAtOnce = true
    const placed = await broker.place(buy(OURS, { size: { notional: Decimal.parse('123.45') } }))
    expect([placed.state, String(placed.filledQuantity)]).toEqual(['filled', '0.00205'])
    expect(new URLSearchParams(standIn.requests.find(isOrder)!.body).get('quoteOrderQty')).toBe('123.45')
    expect(String((await broker.account()).cash)).toBe('99877')
  })

  it('have the minimums and steps of the market', async () => {
    const asset = await broker.asset('BTC-USD')
    expect(asset).toMatchObject({ isTradable: true, isFractionable: true, isShortable: false, isMarginable: false })
    const { minPurchase, minSale, minQuantity, quantityStep } = asset!
    expect([minPurchase, minSale, minQuantity, quantityStep].map(String)).toEqual(['5', '5', '0.00001', '0.00001'])
    expect(await broker.asset('BTC-EUR')).toBeUndefined()
  })
})

describe('fees', () => {
  beforeEach(() => {
    standIn.account.prices.set('BTCUSDT', Decimal.parse('60000'))
    standIn.account.prices.set('BNBUSDT', Decimal.parse('600'))
    standIn.account.fillsAtOnce = true
    standIn.account.commission = Decimal.parse('0.001')
  })
  const fees = async () =>
    (await broker.activities({ kind: 'cash', order: 'oldest-first' })).activities.map((activity) =>
      activity.kind === 'cash' ? [activity.type, activity.ticker, String(activity.quantity)] : [],
    )

  it('of purchases are taken in the coin, of sales in money', async () => {
    await broker.place(buy('a', { size: { quantity: Decimal.parse('0.1') } }))
    await broker.place(buy('b', { side: 'sell', size: { quantity: Decimal.parse('0.05') } }))
    expect((await broker.fills(0)).map(({ side, fee }) => [side, String(fee)])).toEqual([
      ['buy', '0'],
      ['sell', '3'],
    ])
    expect(await fees()).toEqual([['CFEE', 'BTC-USD', '-0.0001']])
    const [position] = await broker.positions()
    expect(String(position?.quantity)).toBe('0.0499')
  })

  it('may be taken in another coin', async () => {
    standIn.account.totals.set('BNB', Decimal.parse('10'))
    standIn.account.commissionAsset = 'BNB'
    await broker.place(buy('a', { size: { quantity: Decimal.parse('0.1') } }))
    expect(await fees()).toEqual([['CFEE', 'BNB-USD', '-6']])
  })
})

describe('executions', () => {
  it('of a coin that is no longer held are listed when it is named', async () => {
    standIn.account.prices.set('BTCUSDT', Decimal.parse('400'))
    standIn.account.fillsAtOnce = true
    await broker.place(buy(OURS))
    const sold = OURS.replace(/-b$/, '-s')
    await broker.place(buy(sold, { side: 'sell' }))
    const restarted = exchangeAccounts(binance, standIn.url, surroundings, new AbortController().signal)
    const fills = await restarted(BINANCE_KEYS, false).fills(0, ['BTC-USD'])
    expect(fills.map((fill) => [fill.clientOrderId, String(fill.quantity)])).toEqual([
      [OURS, '2'],
      [sold, '2'],
    ])
  })

  it('are complete when there are more than fit a page', async () => {
    standIn.account.fillsAtOnce = true
    standIn.account.prices.set('ETHUSDT', Decimal.parse('10'))
    for (let i = 0; i < 2_300; i++) {
      standIn.account.add({
        symbol: 'ETHUSDT',
        clientOrderId: 'by-hand',
        side: 'BUY',
        type: 'MARKET',
        timeInForce: 'GTC',
        origQty: Decimal.parse('1'),
        origQuoteOrderQty: undefined,
        price: Decimal.zero,
      })
    }
    const { activities } = await broker.activities({ kind: 'trades', order: 'oldest-first' })
    expect(new Set(activities.map(({ id }) => id)).size).toBe(2_300)
  })
})

describe('money from outside', () => {
  it('is a flow: dollars as money, coins as coins', async () => {
    const deposit = { status: 1, network: 'ETH', address: '0x1', addressTag: '', insertTime: 1_772_600_000_000 }
    standIn.deposits.push(
      { ...deposit, id: '1', txId: '0xa', amount: '500', coin: 'USDT' },
      { ...deposit, id: '2', txId: '0xb', amount: '0.25', coin: 'ETH' },
    )
    const { activities } = await broker.activities({ kind: 'external', order: 'oldest-first' })
    expect(
      activities.map(
        (one) => one.kind === 'cash' && [one.type, String(one.netAmount), one.ticker, String(one.quantity)],
      ),
    ).toEqual([
      ['CSD', '500', undefined, 'undefined'],
      ['ACATS', '0', 'ETH-USD', '0.25'],
    ])
  })
})
