import { Decimal } from '@tradewright/core/decimal'
import { MINUTE } from '@tradewright/core/time'
import { createHmac } from 'node:crypto'
import { type StandIn, startStandIn, type StandInAnswer, type StandInRequest } from '../stand-in.ts'
import {
  BinanceAccountState,
  type BinanceOrder,
  type BinanceRefusal,
  type BinanceTrade,
  decimal,
  isOpen,
} from './account-state.ts'

export const BINANCE_KEYS = {
  // The key pair of the examples in Binance's documentation.
  keyId: 'vmPUZE6mv9SD5VNHk4HlWFsOr6aKE2zvsw0MuIgwCIPy6utIco14y7Ju91duEh8A',
  secretKey: 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j',
}

interface BinanceStandInOptions {
  readonly cash?: string
  /** Coins with a market for USDT. */
  readonly coins?: readonly string[]
  /** Weight that an address may use in a minute. */
  readonly weightPerMinute?: number
  readonly stepSize?: string
}

interface BinanceQuirks {
  hidesTrades: boolean
  tradeTimes: number
}

/** Binance's spot API on loopback: signatures, parameters, filters, limits and errors as its documentation has them. */
export interface BinanceStandIn extends StandIn {
  readonly account: BinanceAccountState
  readonly quirks: BinanceQuirks
  /** Requests that the documentation does not allow, whether or not the exchange would take them. */
  readonly violations: string[]
  /** Weight used in the last minute. */
  readonly usedWeight: () => number
  readonly deposits: object[]
}

interface Endpoint {
  readonly weight: number
  readonly isPublic?: true
  readonly required?: readonly string[]
  readonly optional?: readonly string[]
  serve(parameters: URLSearchParams, world: World): StandInAnswer
}

interface World {
  readonly account: BinanceAccountState
  readonly coins: ReadonlySet<string>
  readonly quirks: BinanceQuirks
  readonly deposits: readonly object[]
  readonly now: () => number
}

const MIN_NOTIONAL = decimal('5')
const TICK = decimal('0.01')
const SIGNED = ['timestamp', 'recvWindow', 'signature']

export async function startBinanceStandIn(
  now: () => number,
  { cash = '100000', coins = ['BTC', 'ETH', 'BNB'], weightPerMinute = 6_000, stepSize }: BinanceStandInOptions = {},
): Promise<BinanceStandIn> {
  const account = new BinanceAccountState(cash, now)
  if (stepSize) account.stepSize = decimal(stepSize)
  const quirks: BinanceQuirks = { hidesTrades: false, tradeTimes: 1 }
  const violations: string[] = []
  const deposits: object[] = []
  const world = { account, coins: new Set(coins), quirks, deposits, now }
  const used: { at: number; weight: number }[] = []
  const usedWeight = () => used.filter(({ at }) => at > now() - MINUTE).reduce((sum, { weight }) => sum + weight, 0)

  const serve = (request: StandInRequest): StandInAnswer => {
    const { method, path, query, body } = request
    const endpoint = ENDPOINTS[`${method} ${path}`]
    if (!endpoint) {
      violations.push(`${method} ${path} is not documented`)
      return { status: 404, body: '' }
    }
    const parameters = new URLSearchParams([...query, ...new URLSearchParams(body)])
    used.push({ at: now(), weight: weightOf(endpoint, path, parameters) })
    if (usedWeight() > weightPerMinute) return tooMuchWeight()
    violations.push(...wrongParameters(endpoint, parameters).map((problem) => `${method} ${path}: ${problem}`))
    const refusal = endpoint.isPublic ? undefined : unauthorised(request, parameters, now())
    const answer = refusal ? refused(refusal) : endpoint.serve(parameters, world)
    return { ...answer, headers: { 'x-mbx-used-weight-1m': String(usedWeight()) } }
  }
  const standIn = await startStandIn('binance', serve)
  return Object.assign(standIn, { account, quirks, violations, usedWeight, deposits })
}

const refused = ({ status, code, msg }: BinanceRefusal): StandInAnswer => ({ status, body: { code, msg } })
const refusal = (code: number, msg: string, status = 400): BinanceRefusal => ({ status, code, msg })

const tooMuchWeight = (): StandInAnswer => ({
  status: 429,
  headers: { 'retry-after': '30' },
  body: { code: -1003, msg: 'Too much request weight used; current limit is 6000 request weight per 1 MINUTE.' },
})

function weightOf({ weight }: Endpoint, path: string, parameters: URLSearchParams): number {
  return path === '/api/v3/openOrders' && parameters.has('symbol') ? 6 : weight
}

function wrongParameters(
  { required = [], optional = [], isPublic }: Endpoint,
  parameters: URLSearchParams,
): readonly string[] {
  const mandatory = isPublic ? required : [...required, 'timestamp', 'signature']
  const known = new Set([...required, ...optional, ...(isPublic ? [] : SIGNED)])
  return [
    ...mandatory.filter((name) => !parameters.has(name)).map((name) => `${name} is missing`),
    ...[...parameters.keys()].filter((name) => !known.has(name)).map((name) => `${name} is not documented`),
    ...[...new Set(parameters.keys())]
      .filter((name) => parameters.getAll(name).length > 1)
      .map((name) => `${name} twice`),
  ]
}

/** HMAC SHA256 of the query and the body, as they were sent, without the signature itself. */
function unauthorised(
  { headers, search, body }: StandInRequest,
  parameters: URLSearchParams,
  now: number,
): BinanceRefusal | undefined {
  if (headers['x-mbx-apikey'] === undefined) return refusal(-2014, 'API-key format invalid.', 401)
  if (headers['x-mbx-apikey'] !== BINANCE_KEYS.keyId)
    return refusal(-2015, 'Invalid API-key, IP, or permissions for action.', 401)
  const [timestamp, window] = [Number(parameters.get('timestamp')), Number(parameters.get('recvWindow') ?? 5_000)]
  if (timestamp >= now + 1_000)
    return refusal(-1021, "Timestamp for this request was 1000ms ahead of the server's time.")
  if (now - timestamp > window) return refusal(-1021, 'Timestamp for this request is outside of the recvWindow.')
  const payload = (search + body).replace(/&?signature=[0-9a-f]*$/, '')
  const signature = createHmac('sha256', BINANCE_KEYS.secretKey).update(payload).digest('hex')
  return parameters.get('signature') === signature
    ? undefined
    : refusal(-1022, 'Signature for this request is not valid.')
}

const text = (value: Decimal): string => {
  const [whole = '0', fraction = ''] = String(value).split('.')
  return `${whole}.${fraction.padEnd(8, '0')}`
}

const symbolInfo = (coin: string, { account }: World) => ({
  symbol: `${coin}USDT`,
  status: account.halted.has(coin) ? 'BREAK' : 'TRADING',
  baseAsset: coin,
  baseAssetPrecision: 8,
  quoteAsset: 'USDT',
  quotePrecision: 8,
  quoteAssetPrecision: 8,
  baseCommissionPrecision: 8,
  quoteCommissionPrecision: 8,
  orderTypes: ['LIMIT', 'LIMIT_MAKER', 'MARKET', 'STOP_LOSS', 'STOP_LOSS_LIMIT', 'TAKE_PROFIT', 'TAKE_PROFIT_LIMIT'],
  icebergAllowed: true,
  ocoAllowed: true,
  quoteOrderQtyMarketAllowed: true,
  allowTrailingStop: true,
  cancelReplaceAllowed: true,
  isSpotTradingAllowed: true,
  isMarginTradingAllowed: false,
  filters: [
    { filterType: 'PRICE_FILTER', minPrice: '0.01000000', maxPrice: '1000000.00000000', tickSize: text(TICK) },
    {
      filterType: 'LOT_SIZE',
      minQty: text(account.stepSize),
      maxQty: '9000000.00000000',
      stepSize: text(account.stepSize),
    },
    {
      filterType: 'NOTIONAL',
      minNotional: text(MIN_NOTIONAL),
      applyMinToMarket: true,
      maxNotional: '9000000.00000000',
      applyMaxToMarket: false,
      avgPriceMins: 5,
    },
  ],
  permissions: [],
  defaultSelfTradePreventionMode: 'EXPIRE_MAKER',
  allowedSelfTradePreventionModes: ['EXPIRE_TAKER', 'EXPIRE_MAKER', 'EXPIRE_BOTH'],
})

const orderBody = (order: BinanceOrder) => ({
  symbol: order.symbol,
  orderId: order.orderId,
  orderListId: -1,
  clientOrderId: order.clientOrderId,
  price: text(order.price),
  origQty: text(order.origQty ?? order.executedQty),
  executedQty: text(order.executedQty),
  cummulativeQuoteQty: text(order.cummulativeQuoteQty),
  status: order.status,
  timeInForce: order.timeInForce,
  type: order.type,
  side: order.side,
  stopPrice: '0.00000000',
  icebergQty: '0.00000000',
  time: order.time,
  updateTime: order.updateTime,
  isWorking: true,
  workingTime: order.time,
  origQuoteOrderQty: text(order.origQuoteOrderQty ?? Decimal.zero),
  selfTradePreventionMode: 'NONE',
})

function newOrderBody(order: BinanceOrder, trades: readonly BinanceTrade[]) {
  const { time, updateTime, isWorking: _, stopPrice: __, icebergQty: ___, ...body } = orderBody(order)
  const fills = trades.filter(({ orderId }) => orderId === order.orderId)
  return {
    ...body,
    transactTime: Math.max(time, updateTime),
    fills: fills.map(({ id, price, qty, commission, commissionAsset }) => ({
      price: text(price),
      qty: text(qty),
      commission: text(commission),
      commissionAsset,
      tradeId: id,
    })),
  }
}

const tradeBody = (trade: BinanceTrade) => ({
  symbol: trade.symbol,
  id: trade.id,
  orderId: trade.orderId,
  orderListId: -1,
  price: text(trade.price),
  qty: text(trade.qty),
  quoteQty: text(trade.qty.times(trade.price)),
  commission: text(trade.commission),
  commissionAsset: trade.commissionAsset,
  time: trade.time,
  isBuyer: trade.isBuyer,
  isMaker: false,
  isBestMatch: true,
})

const decimalOf = (parameters: URLSearchParams, name: string): Decimal | undefined => {
  const sent = parameters.get(name)
  return sent === null ? undefined : decimal(sent)
}

const isMultiple = (value: Decimal, step: Decimal): boolean => value.billionths % step.billionths === 0n

function placeOrder(parameters: URLSearchParams, { account, coins }: World): StandInAnswer {
  const symbol = parameters.get('symbol')!
  const coin = symbol.replace(/USDT$/, '')
  if (!coins.has(coin)) return refused(refusal(-1121, 'Invalid symbol.'))
  if (account.halted.has(coin)) return refused(refusal(-1013, 'Market is closed.'))
  const clientOrderId = parameters.get('newClientOrderId') ?? ''
  if (!/^[a-zA-Z0-9-_]{1,36}$/.test(clientOrderId))
    return refused(refusal(-1100, "Illegal characters found in parameter 'newClientOrderId'."))
  if (account.orders.some((order) => isOpen(order) && order.clientOrderId === clientOrderId))
    return refused(refusal(-2010, 'Duplicate order sent.'))
  const [quantity, quoteQuantity, price] = ['quantity', 'quoteOrderQty', 'price'].map((name) =>
    decimalOf(parameters, name),
  )
  const isLimit = parameters.get('type') === 'LIMIT'
  if ((quantity === undefined) === (quoteQuantity === undefined) || isLimit !== (price !== undefined))
    return refused(refusal(-1102, "Mandatory parameter 'quantity' was not sent, was empty/null, or malformed."))
  const estimate = quoteQuantity ?? quantity!.times(price ?? account.prices.get(symbol) ?? decimal('1000000'))
  if (quantity && (!isMultiple(quantity, account.stepSize) || !quantity.isPositive))
    return refused(refusal(-1013, 'Filter failure: LOT_SIZE'))
  if (price && !isMultiple(price, TICK)) return refused(refusal(-1013, 'Filter failure: PRICE_FILTER'))
  if (estimate.isBelow(MIN_NOTIONAL)) return refused(refusal(-1013, 'Filter failure: NOTIONAL'))
  const taken = account.add({
    symbol,
    clientOrderId,
    side: parameters.get('side') as 'BUY' | 'SELL',
    type: isLimit ? 'LIMIT' : 'MARKET',
    timeInForce: parameters.get('timeInForce') ?? 'GTC',
    origQty: quantity,
    origQuoteOrderQty: quoteQuantity,
    price: price ?? Decimal.zero,
  })
  return 'code' in taken ? refused(taken) : { body: newOrderBody(taken, account.trades) }
}

function findOrder(parameters: URLSearchParams, { account }: World): BinanceOrder | undefined {
  const own = account.orders.filter(({ symbol }) => symbol === parameters.get('symbol'))
  const clientId = parameters.get('origClientOrderId')
  return own.findLast((order) =>
    clientId === null ? String(order.orderId) === parameters.get('orderId') : order.clientOrderId === clientId,
  )
}

const ONE_ORDER = ['orderId', 'origClientOrderId']

/** Weights and parameters as documented on developers.binance.com. */
const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  'GET /api/v3/time': { weight: 1, isPublic: true, serve: (_, { now }) => ({ body: { serverTime: now() } }) },
  'GET /api/v3/exchangeInfo': {
    weight: 20,
    isPublic: true,
    optional: ['symbol', 'symbols', 'permissions', 'showPermissionSets', 'symbolStatus'],
    serve: (_, world) => ({
      body: {
        timezone: 'UTC',
        serverTime: world.now(),
        rateLimits: [{ rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 6000 }],
        exchangeFilters: [],
        symbols: [...world.coins].map((coin) => symbolInfo(coin, world)),
      },
    }),
  },
  'GET /api/v3/ticker/24hr': {
    weight: 2,
    isPublic: true,
    optional: ['symbol', 'symbols', 'type'],
    serve(parameters, { account, now }) {
      const symbols = JSON.parse(parameters.get('symbols') ?? '[]') as string[]
      return {
        body: symbols.map((symbol) => {
          const lastPrice = text(account.prices.get(symbol) ?? Decimal.zero)
          return { symbol, lastPrice, openTime: now() - 86_400_000, closeTime: now(), volume: '1.00000000' }
        }),
      }
    },
  },
  'GET /api/v3/account': {
    weight: 20,
    optional: ['omitZeroBalances'],
    serve: (_, { account, coins, now }) => ({
      body: {
        makerCommission: 10,
        takerCommission: 10,
        canTrade: account.canTrade,
        canWithdraw: true,
        canDeposit: true,
        updateTime: now(),
        accountType: 'SPOT',
        balances: ['USDT', ...coins].map((asset) => {
          const locked = account.lockedOf(asset)
          return { asset, free: text(account.totalOf(asset).minus(locked)), locked: text(locked) }
        }),
        permissions: ['SPOT'],
        uid: account.uid,
      },
    }),
  },
  'POST /api/v3/order': {
    weight: 1,
    required: ['symbol', 'side', 'type'],
    optional: ['timeInForce', 'quantity', 'quoteOrderQty', 'price', 'newClientOrderId', 'newOrderRespType'],
    serve: placeOrder,
  },
  'GET /api/v3/order': {
    weight: 4,
    required: ['symbol'],
    optional: ONE_ORDER,
    serve(parameters, world) {
      const order = findOrder(parameters, world)
      return order ? { body: orderBody(order) } : refused(refusal(-2013, 'Order does not exist.'))
    },
  },
  'DELETE /api/v3/order': {
    weight: 1,
    required: ['symbol'],
    optional: ONE_ORDER,
    serve(parameters, world) {
      const order = findOrder(parameters, world)
      if (!order || !isOpen(order)) return refused(refusal(-2011, 'Unknown order sent.'))
      world.account.end(order, 'CANCELED')
      return { body: orderBody(order) }
    },
  },
  'GET /api/v3/openOrders': {
    weight: 80,
    optional: ['symbol'],
    serve: (parameters, { account }) => ({
      body: account.orders
        .filter((order) => isOpen(order) && (parameters.get('symbol') ?? order.symbol) === order.symbol)
        .map(orderBody),
    }),
  },
  'GET /api/v3/allOrders': {
    weight: 20,
    required: ['symbol'],
    optional: ['orderId', 'startTime', 'endTime', 'limit'],
    serve: (parameters, { account }) => ({
      body: account.orders.filter(({ symbol }) => symbol === parameters.get('symbol')).map(orderBody),
    }),
  },
  'GET /api/v3/myTrades': {
    weight: 20,
    required: ['symbol'],
    optional: ['orderId', 'startTime', 'endTime', 'fromId', 'limit'],
    serve(parameters, { account, quirks }) {
      const own = account.trades.filter(({ symbol }) => symbol === parameters.get('symbol'))
      const [fromId, limit] = [parameters.get('fromId'), Number(parameters.get('limit') ?? 500)]
      const from = own.filter(({ id }) => id >= Number(fromId))
      const page = fromId === null ? own.slice(-limit) : from.slice(0, limit)
      const told = quirks.hidesTrades ? [] : page
      return { body: told.flatMap((trade) => Array.from({ length: quirks.tradeTimes }, () => tradeBody(trade))) }
    },
  },
  'GET /sapi/v1/capital/deposit/hisrec': {
    weight: 1,
    optional: ['coin', 'status', 'startTime', 'endTime', 'offset', 'limit'],
    serve: (_, { deposits }) => ({ body: deposits }),
  },
  'GET /sapi/v1/capital/withdraw/history': {
    weight: 18,
    optional: ['coin', 'withdrawOrderId', 'status', 'offset', 'limit', 'startTime', 'endTime'],
    serve: () => ({ body: [] }),
  },
}
