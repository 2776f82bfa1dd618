import { Decimal } from '@tradewright/core/decimal'
import { clientOrderId } from '@tradewright/engine/trading/client-order-id'
import type { OrderRequest } from '@tradewright/engine/trading/order'
import { tryAgainAfter } from '@tradewright/engine/trading/refusals'
import { createHash, createHmac, generateKeyPairSync, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { testSurroundings } from '../../../test-support/test-surroundings.ts'
import type { HttpRequest } from '../http/transport.ts'
import { exchangeAccounts } from './exchange-accounts.ts'
import type { ExchangeKeys } from './exchange-client.ts'
import { exchangeDefinitions } from './exchanges.ts'
import { toExchangeId } from './client-order-ids.ts'

const decidedFor = Date.parse('2026-03-04T15:30:00Z')
const OURS = clientOrderId('0123456789ab', decidedFor, 'BTC-USD', 'buy')

const buy: OrderRequest = {
  clientOrderId: OURS,
  ticker: 'BTC-USD',
  side: 'buy',
  size: { notional: Decimal.parse('100') },
  execution: { type: 'market' },
  timeInForce: 'gtc',
}

/** The exchange as a list of answers by path, in the form of its documentation. */
function recorded(
  id: string,
  keys: ExchangeKeys,
  answers: Readonly<Record<string, (request: HttpRequest) => unknown>>,
) {
  const requests: HttpRequest[] = []
  const surroundings = {
    ...testSurroundings(),
    async transport(request: HttpRequest) {
      requests.push(request)
      const answer = answers[request.url.pathname]
      if (!answer) throw new Error(`no answer was recorded for ${request.url.pathname}`)
      const body = Buffer.from(JSON.stringify(answer(request)))
      return { status: 200, header: () => undefined, body: new Blob([body]).stream() as AsyncIterable<Uint8Array> }
    },
  }
  const definition = exchangeDefinitions.find((one) => one.id === id)!
  const broker = exchangeAccounts(definition, undefined, surroundings, new AbortController().signal)(keys, false)
  return { broker, requests, last: (path: string) => requests.findLast(({ url }) => url.pathname === path)! }
}

describe('Kraken', () => {
  // The key and the signature of the documentation, "Spot REST Authentication".
  const secretKey = 'kQH5HW/8p1uGOVjbgWA7FunAmGO8lsSUXNsu3eow76sz84Q18fWxnyRzBHCd3pd5nE9qa99HAZtuZuj6F1huXg=='
  const signatureOf = (path: string, body: string): string => {
    const digest = createHash('sha256')
      .update(new URLSearchParams(body).get('nonce') + body)
      .digest()
    const message = Buffer.concat([Buffer.from(path), digest])
    return createHmac('sha512', Buffer.from(secretKey, 'base64')).update(message).digest('base64')
  }

  const pair = {
    altname: 'XBTUSD',
    wsname: 'XBT/USD',
    aclass_base: 'currency',
    base: 'XXBT',
    aclass_quote: 'currency',
    quote: 'ZUSD',
    lot: 'unit',
    cost_decimals: 5,
    pair_decimals: 1,
    lot_decimals: 8,
    lot_multiplier: 1,
    leverage_buy: [],
    leverage_sell: [],
    fees: [[0, 0.4]],
    fees_maker: [[0, 0.25]],
    fee_volume_currency: 'ZUSD',
    margin_call: 80,
    margin_stop: 40,
    ordermin: '0.00005',
    costmin: '0.5',
    tick_size: '0.1',
    status: 'online',
  }
  const order = {
    refid: null,
    userref: null,
    cl_ord_id: toExchangeId(OURS, 18),
    status: 'closed',
    reason: null,
    opentm: 1772638200.5,
    closetm: 1772638201.25,
    starttm: 0,
    expiretm: 0,
    descr: {
      pair: 'XBTUSD',
      type: 'buy',
      ordertype: 'market',
      price: '0',
      price2: '0',
      leverage: 'none',
      order: 'buy 100.00000000 XBTUSD @ market',
      close: '',
    },
    vol: '0.00166666',
    vol_exec: '0.00166666',
    cost: '99.99960',
    fee: '0.39999',
    price: '60000.0',
    stopprice: '0.00000',
    limitprice: '0.00000',
    misc: '',
    oflags: 'fciq,viqc',
    trades: ['THVRQM-33VKH-UCI7BS'],
  }
  const trade = {
    ordertxid: 'OUF4EM-FRGI2-MQMWZD',
    postxid: 'TKH2SE-M7IF5-CFI7LT',
    pair: 'XXBTZUSD',
    time: 1772638201.25,
    type: 'buy',
    ordertype: 'market',
    price: '60000.00000',
    cost: '99.99960',
    fee: '0.39999',
    vol: '0.00166666',
    margin: '0.00000',
    misc: '',
    trade_id: 40274859,
    maker: false,
  }
  const result = (value: unknown) => () => ({ error: [], result: value })
  let isSent = false
  const kraken = () => {
    isSent = false
    return recorded(
      'kraken',
      { keyId: 'key', secretKey },
      {
        '/0/public/AssetPairs': result({ XXBTZUSD: pair }),
        '/0/public/Assets': result({
          XXBT: { aclass: 'currency', altname: 'XBT', decimals: 10, display_decimals: 5, status: 'enabled' },
          ZUSD: { aclass: 'currency', altname: 'USD', decimals: 4, display_decimals: 2, status: 'enabled' },
        }),
        '/0/public/Ticker': result({
          XXBTZUSD: {
            a: ['1', '1', '1'],
            b: ['1', '1', '1'],
            c: ['60000.0', '1'],
            v: ['1', '1'],
            p: ['1', '1'],
            t: [1, 1],
            l: ['1', '1'],
            h: ['1', '1'],
            o: '1',
          },
        }),
        '/0/private/BalanceEx': result({
          ZUSD: { balance: '25435.21', hold_trade: '8249.76' },
          XXBT: { balance: '1.2435', hold_trade: '0.8423' },
        }),
        '/0/private/OpenOrders': result({ open: {} }),
        '/0/private/ClosedOrders': () =>
          result(isSent ? { closed: { 'OUF4EM-FRGI2-MQMWZD': order }, count: 1 } : { closed: {}, count: 0 })(),
        '/0/private/AddOrder': () => {
          isSent = true
          return result({ descr: { order: 'buy 100.00000000 XBTUSD @ market' }, txid: ['OUF4EM-FRGI2-MQMWZD'] })()
        },
        '/0/private/QueryOrders': result({ 'OUF4EM-FRGI2-MQMWZD': order }),
        '/0/private/TradesHistory': result({ trades: { 'THVRQM-33VKH-UCI7BS': trade }, count: 1 }),
        '/0/private/CancelOrder': () => ({ error: ['EOrder:Unknown order'] }),
      },
    )
  }

  it('is signed as its documentation says', async () => {
    const example = 'nonce=1616492376594&ordertype=limit&pair=XBTUSD&price=37500&type=buy&volume=1.25'
    expect(signatureOf('/0/private/AddOrder', example)).toBe(
      '4/dpxb3iT4tp/ZCVEwSnEsLxx0bqyhLpdfOpc6fn7OR8+UClSV5n9E6aSS8MPtnRfp32bAb0nmbRn6H8ndwLUQ==',
    )
    const { broker, last } = kraken()
    await broker.place(buy)
    const { headers, body, url } = last('/0/private/AddOrder')
    expect(url.origin).toBe('https://api.kraken.com')
    expect(headers['API-Key']).toBe('key')
    expect(headers['API-Sign']).toBe(signatureOf('/0/private/AddOrder', body!))
  })

  it('takes an order in dollars under a UUID that is read back, and dies if it is late', async () => {
    const { broker, last } = kraken()
    const placed = await broker.place(buy)
    expect(placed).toMatchObject({ clientOrderId: OURS, ticker: 'BTC-USD', state: 'filled', id: 'OUF4EM-FRGI2-MQMWZD' })
    expect([placed.filledQuantity, placed.averageFillPrice].map(String)).toEqual(['0.00166666', '60000'])
    const sent = Object.fromEntries(new URLSearchParams(last('/0/private/AddOrder').body))
    expect(sent).toMatchObject({
      pair: 'XXBTZUSD',
      type: 'buy',
      ordertype: 'market',
      volume: '100',
      oflags: 'fciq,viqc',
    })
    expect(sent['cl_ord_id']).toBe(toExchangeId(OURS, 18))
    expect(Date.parse(sent['deadline']!)).toBe(Date.parse('2026-03-04T16:00:05Z'))
    expect(await broker.orderByClientId(OURS)).toMatchObject({ id: placed.id, clientOrderId: OURS })
    await expect(broker.cancel(placed.id)).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('tells executions with our id and their fee in dollars, balances and minimums exactly', async () => {
    const { broker } = kraken()
    expect(
      (await broker.fills(0)).map((fill) => [fill.clientOrderId, fill.ticker, String(fill.quantity), String(fill.fee)]),
    ).toEqual([[OURS, 'BTC-USD', '0.00166666', '0.39999']])
    const { cash, buyingPower, equity } = await broker.account()
    expect([cash, buyingPower, equity].map(String)).toEqual(['25435.21', '17185.45', '100045.21'])
    const { minPurchase, minQuantity, quantityStep } = (await broker.asset('BTC-USD'))!
    expect([minPurchase, minQuantity, quantityStep].map(String)).toEqual(['0.5', '0.00005', '0.00000001'])
  })
})

describe('Coinbase', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'sec1', format: 'pem' })
  const keyId = 'organizations/3b910e93/apiKeys/0a1b2c3d'
  const product = {
    product_id: 'BTC-USD',
    price: '60000',
    price_percentage_change_24h: '0',
    volume_24h: '1',
    volume_percentage_change_24h: '0',
    base_increment: '0.00000001',
    quote_increment: '0.01',
    quote_min_size: '1',
    quote_max_size: '150000000',
    base_min_size: '0.00000001',
    base_max_size: '3400',
    base_name: 'Bitcoin',
    quote_name: 'US Dollar',
    is_disabled: false,
    new: false,
    status: 'online',
    cancel_only: false,
    limit_only: false,
    post_only: false,
    trading_disabled: false,
    auction_mode: false,
    product_type: 'SPOT',
    quote_currency_id: 'USD',
    base_currency_id: 'BTC',
    quote_display_symbol: 'USD',
    base_display_symbol: 'BTC',
    view_only: false,
    price_increment: '0.01',
  }
  const order = {
    order_id: '813a53c5-3e39-47bb-863d-2faf685d22d8',
    product_id: 'BTC-USD',
    user_id: '1111111-1111-1111-1111-111111111111',
    order_configuration: { market_market_ioc: { quote_size: '100' } },
    side: 'BUY',
    client_order_id: OURS,
    status: 'FILLED',
    time_in_force: 'IMMEDIATE_OR_CANCEL',
    created_time: '2026-03-04T15:30:01.975552Z',
    completion_percentage: '100',
    filled_size: '0.00164694',
    average_filled_price: '60000.00',
    fee: '',
    number_of_fills: '1',
    filled_value: '98.81',
    pending_cancel: false,
    size_in_quote: true,
    total_fees: '1.1857',
    size_inclusive_of_fees: true,
    total_value_after_fees: '99.99',
    trigger_status: 'INVALID_ORDER_TYPE',
    order_type: 'MARKET',
    reject_reason: 'REJECT_REASON_UNSPECIFIED',
    settled: true,
    product_type: 'SPOT',
    reject_message: '',
    cancel_message: '',
  }
  const fill = {
    entry_id: 'b88b82cc89e326a2778874795102cbafd08dd979a2a7a3c69603fc4c23c2e010',
    trade_id: 'cdc39e45-bbd3-44ec-bf02-61742dfb16a1',
    order_id: order.order_id,
    trade_time: '2026-03-04T15:30:02.382583Z',
    trade_type: 'FILL',
    price: '60000.00',
    size: '0.00164694',
    commission: '1.1857',
    product_id: 'BTC-USD',
    sequence_timestamp: '2026-03-04T15:30:02.398247Z',
    liquidity_indicator: 'TAKER',
    size_in_quote: false,
    user_id: order.user_id,
    side: 'BUY',
  }
  const account = (currency: string, available: string, hold: string) => ({
    uuid: `8bfc20d7-f7c6-4422-bf07-8243ca4169${currency === 'USD' ? 'fe' : 'ff'}`,
    name: `${currency} Wallet`,
    currency,
    available_balance: { value: available, currency },
    default: false,
    active: true,
    created_at: '2021-05-31T09:59:59Z',
    updated_at: '2021-05-31T09:59:59Z',
    deleted_at: null,
    type: 'ACCOUNT_TYPE_CRYPTO',
    ready: true,
    hold: { value: hold, currency },
  })

  const coinbase = (secretKey = pem) => {
    let isSent = false
    return recorded(
      'coinbase',
      { keyId, secretKey },
      {
        '/api/v3/brokerage/market/products': () => ({ products: [product], num_products: 1 }),
        '/api/v3/brokerage/products': () => ({ products: [product], num_products: 1 }),
        '/api/v3/brokerage/transaction_summary': () => ({
          fee_tier: { pricing_tier: 'Advanced 1', taker_fee_rate: '0.012', maker_fee_rate: '0.006' },
        }),
        '/v2/currencies': () => ({ data: [] }),
        '/v2/currencies/crypto': () => ({ data: [] }),
        '/v2/exchange-rates': () => ({ data: { currency: 'USD', rates: {} } }),
        '/api/v3/brokerage/accounts': () => ({
          accounts: [account('BTC', '1.25', '0.25'), account('USD', '900.5', '99.5')],
          has_next: false,
          cursor: '',
          size: 2,
        }),
        '/api/v3/brokerage/orders/historical/batch': () => ({
          orders: isSent ? [order] : [],
          has_next: false,
          cursor: '',
        }),
        '/api/v3/brokerage/orders': () => {
          isSent = true
          const success_response = {
            order_id: order.order_id,
            product_id: 'BTC-USD',
            side: 'BUY',
            client_order_id: OURS,
          }
          return { success: true, failure_reason: 'UNKNOWN_FAILURE_REASON', order_id: order.order_id, success_response }
        },
        [`/api/v3/brokerage/orders/historical/${order.order_id}`]: () => ({ order }),
        '/api/v3/brokerage/orders/historical/fills': () => ({ fills: [fill], cursor: '' }),
      },
    )
  }

  it.each([
    ['as it is in the file', pem],
    ['in one line', pem.replaceAll('\n', '')],
    ['as it is in JSON', pem.replaceAll('\n', '\\n')],
  ])('is signed with a private key that was entered %s', async (_, secretKey) => {
    const { broker, last } = coinbase(secretKey)
    await broker.place(buy)
    const { headers, url } = last('/api/v3/brokerage/orders')
    expect(url.origin).toBe('https://api.coinbase.com')
    const [head = '', claims = '', signature = ''] = headers['Authorization']!.replace('Bearer ', '').split('.')
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
    expect(isSigned).toBe(true)
    expect(JSON.parse(Buffer.from(head, 'base64url').toString())).toMatchObject({ alg: 'ES256', kid: keyId })
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      sub: keyId,
      uri: 'POST api.coinbase.com/api/v3/brokerage/orders',
      exp: Date.parse('2026-03-04T16:02:00Z') / 1_000,
    })
  })

  it.each([
    ['dollars', buy.size, { quote_size: '100' }],
    ['coins', { quantity: Decimal.parse('0.5') }, { base_size: '0.5' }],
  ])('takes a purchase in %s under our id', async (_, size, configured) => {
    const { broker, last } = coinbase()
    const placed = await broker.place({ ...buy, size })
    expect(placed).toMatchObject({ id: order.order_id, clientOrderId: OURS, state: 'filled', ticker: 'BTC-USD' })
    expect(JSON.parse(last('/api/v3/brokerage/orders').body!)).toEqual({
      client_order_id: OURS,
      product_id: 'BTC-USD',
      side: 'BUY',
      order_configuration: { market_market_ioc: configured },
    })
    expect(await broker.orderByClientId(OURS)).toMatchObject({ id: placed.id })
    await expect(broker.place({ ...buy, size })).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('tells executions with our id and their fee in dollars, balances and minimums exactly', async () => {
    const { broker } = coinbase()
    expect((await broker.fills(0)).map((one) => [one.clientOrderId, String(one.quantity), String(one.fee)])).toEqual([
      [OURS, '0.00164694', '1.1857'],
    ])
    const { cash, buyingPower, id, equity } = await broker.account()
    expect([cash, buyingPower, equity].map(String)).toEqual(['1000', '900.5', '91000'])
    expect(id).toBe('8bfc20d7-f7c6-4422-bf07-8243ca4169fe')
    const { minPurchase, minQuantity, quantityStep } = (await broker.asset('BTC-USD'))!
    expect([minPurchase, minQuantity, quantityStep].map(String)).toEqual(['1', '0.00000001', '0.00000001'])
  })
})

it('knows every exchange of the catalogue', () => {
  expect(exchangeDefinitions.map(({ id, quote }) => `${id} ${quote}`)).toEqual([
    'binance USDT',
    'binanceus USDT',
    'coinbase USD',
    'kraken USD',
  ])
})

/** In the words of their documentation. */
const REFUSED = [
  ['binance', 'Too many new orders; current limit is 50 orders per 10 SECOND.', 'now'],
  ['binance', 'Account has insufficient balance for requested action.', 'later'],
  ['binance', 'Filter failure: PERCENT_PRICE_BY_SIDE', 'later'],
  ['binance', 'Market is closed.', 'later'],
  ['binance', 'Filter failure: NOTIONAL', 'next-session'],
  ['binance', 'Filter failure: LOT_SIZE', 'next-session'],
  ['binanceus', 'Account has insufficient balance for requested action.', 'later'],
  ['binanceus', 'This action is disabled on this account.', 'ask'],
  ['kraken', 'EOrder:Rate limit exceeded', 'now'],
  ['kraken', 'EService:Busy', 'now'],
  ['kraken', 'EOrder:Insufficient funds', 'later'],
  ['kraken', 'EService:Market in cancel_only mode', 'later'],
  ['kraken', 'EService:Unavailable', 'later'],
  ['kraken', 'EOrder:Order minimum not met', 'next-session'],
  ['kraken', 'EGeneral:Permission denied', 'ask'],
  ['kraken', 'EOrder:Trading agreement required', 'ask'],
  ['coinbase', 'INSUFFICIENT_FUND', 'later'],
  ['coinbase', 'ORDER_ENTRY_DISABLED', 'later'],
  ['coinbase', 'INVALID_ORDER_SIZE_TOO_SMALL', 'next-session'],
  ['coinbase', 'COMMANDER_REJECTED_NEW_ORDER', 'later'],
] as const

it.each(REFUSED)('%s: an order refused by "%s" is tried again: %s', (id, reason, again) => {
  const { refusals } = exchangeDefinitions.find((one) => one.id === id)!
  expect(tryAgainAfter(refusals, reason)).toBe(again)
})
