import { MINUTE } from '@tradewright/core/time'
import { createHash } from 'node:crypto'
import { type StandIn, startStandIn, type StandInAnswer, type StandInRequest } from '../stand-in.ts'
import { AlpacaAccountState, isOpen } from './account-state.ts'
import { activityPage, uuid } from './activities.ts'
import * as answers from './answers.ts'
import { openApiCheck } from './openapi-check.ts'
import { placeOrder } from './place-order.ts'
import { TradeStream } from './trade-stream.ts'

export interface AlpacaStandInOptions {
  readonly keyId?: string
  readonly secretKey?: string
  readonly cash?: string
  /** Tradable symbols, in Alpaca's writing. */
  readonly symbols?: readonly string[]
  /** Set, more calls a minute than this are refused with 429. */
  readonly callsPerMinute?: number
  readonly port?: number
}

export const STAND_IN_KEYS = { keyId: 'PKSTANDIN0000000', secretKey: 'stand-in-secret-0000000000000000' }

interface AlpacaQuirks {
  partialPages: boolean
  duplicates: boolean
  nullNumbers: boolean
  fillTimes: number
  hidesFills: boolean
  /** How old the newest quotes are, in milliseconds. */
  quoteAge: number
  /** Elements that are sent against the published description, in front of the list at their path. */
  strangeElements: Map<string, readonly unknown[]>
}

/** Alpaca's trading API on loopback, with one account whose state a test reads and changes. */
export interface AlpacaStandIn extends StandIn {
  readonly account: AlpacaAccountState
  readonly quirks: AlpacaQuirks
  readonly stream: TradeStream
  /** Traffic that does not fit Alpaca's published description. A test ends with none of it. */
  readonly violations: string[]
}

const SYMBOLS = ['SPY', 'TQQQ', 'AAPL', 'MSFT', 'TLT', 'GLD', 'BRK.B', 'BTC/USD', 'ETH/USD']

export async function startAlpacaStandIn(
  now: () => number,
  options: AlpacaStandInOptions = {},
): Promise<AlpacaStandIn> {
  const { keyId, secretKey, cash = '100000', symbols = SYMBOLS, callsPerMinute } = { ...STAND_IN_KEYS, ...options }
  const account = new AlpacaAccountState(accountIdOf(keyId), cash, now)
  const quirks: AlpacaQuirks = {
    partialPages: false,
    duplicates: false,
    nullNumbers: false,
    fillTimes: 1,
    hidesFills: false,
    quoteAge: 0,
    strangeElements: new Map(),
  }
  const violations: string[] = []
  const check = openApiCheck()
  const calls: number[] = []
  const routes = routesOf({ account, symbols: new Set(symbols), quirks, now })

  const serve = (request: StandInRequest) => {
    const { headers } = request
    const sentId = String(headers['apca-api-key-id'])
    const isOurs = sentId === keyId || account.otherKeyIds.has(sentId)
    const isKnown = isOurs && headers['apca-api-secret-key'] === secretKey
    if (!isKnown || account.areKeysRevoked) return answers.failure(401, 'unauthorized.', 40110000)
    calls.push(now())
    const recent = calls.filter((at) => at > now() - MINUTE).length
    if (callsPerMinute !== undefined && recent > callsPerMinute) return tooMany(now())
    if (isQuotes(request.path)) return quotesAnswer({ account, now, quirks }, request)
    violations.push(...check.request(request))
    const answer = routes(request)
    violations.push(...check.answer(request, answer))
    const isFirstPage = !request.query.has('page_token') && !request.query.has('before_order_id')
    const strange = request.method === 'GET' && isFirstPage ? quirks.strangeElements.get(request.path) : undefined
    return strange && Array.isArray(answer.body) ? { ...answer, body: [...strange, ...answer.body] } : answer
  }
  const standIn = await startStandIn('alpaca', serve, options.port)
  const stream = new TradeStream(standIn.server, { keyId, secretKey })
  account.onOrder = (event, order) => stream.tell(event, order)
  const closeHttp = standIn.close.bind(standIn)
  const close = () => {
    stream.cut()
    return closeHttp()
  }
  return Object.assign(standIn, { account, quirks, violations, stream, close })
}

/** Other keys, another account, unless a test says otherwise; the same on every machine. */
const accountIdOf = (keyId: string): string =>
  uuid(Number.parseInt(createHash('sha256').update(keyId).digest('hex').slice(0, 9), 16))

const tooMany = (now: number): StandInAnswer => ({
  ...answers.failure(429, 'rate limit exceeded', 42910000),
  headers: { 'x-ratelimit-limit': '200', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(now / 1000 + 60) },
})

/** Paths of the host of market data; a test may reach both hosts at one address. */
const isQuotes = (path: string): boolean =>
  path === '/v2/stocks/quotes/latest' || path === '/v1beta3/crypto/us/latest/quotes'

function quotesAnswer(
  { account, now, quirks }: Pick<Market, 'account' | 'now' | 'quirks'>,
  { query }: StandInRequest,
): StandInAnswer {
  const symbols = (query.get('symbols') ?? '').split(',').filter((symbol) => account.prices.has(symbol))
  const t = new Date(now() - quirks.quoteAge).toISOString()
  const quoteOf = (symbol: string) => {
    const price = account.prices.get(symbol)!.toNumber()
    return { t, bp: price, ap: price, bs: 1, as: 1 }
  }
  return { body: { quotes: Object.fromEntries(symbols.map((symbol) => [symbol, quoteOf(symbol)])) } }
}

interface Market {
  readonly account: AlpacaAccountState
  readonly symbols: ReadonlySet<string>
  readonly quirks: AlpacaQuirks
  readonly now: () => number
}

const NOT_FOUND = answers.failure(404, 'order not found', 40410000)

const routesOf =
  (market: Market) =>
  (request: StandInRequest): StandInAnswer => {
    const { account, quirks, now } = market
    const { method, path, query } = request
    const body = (value: unknown): StandInAnswer => ({ body: value })
    if (path.startsWith('/v2/orders')) return orderRoutes(market, request)
    if (method !== 'GET') return answers.failure(405, 'method not allowed')
    if (path === '/v2/account') return body(answers.accountBody(account, quirks.nullNumbers))
    if (path === '/v2/positions') {
      return body([...account.positions.keys()].map((symbol) => answers.positionBody(account, symbol)))
    }
    if (path === '/v2/assets') return { body: assetList(market) }
    if (path.startsWith('/v2/assets/')) return assetRoute(market, path.slice('/v2/assets/'.length))
    if (path === '/v2/clock') return body(answers.clockBody(now()))
    if (path === '/v2/calendar') return body(answers.calendarBody(query))
    if (path === '/v2/account/activities') return body(activityPage(account.activities, query, quirks))
    if (path === '/v2/account/portfolio/history')
      return body(answers.historyBody(account, query, now(), quirks.nullNumbers))
    return answers.failure(404, 'not found')
  }

function orderRoutes({ account, symbols }: Market, { method, path, query, body }: StandInRequest): StandInAnswer {
  if (path === '/v2/orders' && method === 'POST') return placeOrder(account, symbols, body)
  if (path === '/v2/orders' && method === 'DELETE') return cancelEverything(account)
  if (path === '/v2/orders') return { body: answers.listOrders(account, query) }
  const order = account.orders.find(({ id, clientOrderId }) =>
    path === '/v2/orders:by_client_order_id'
      ? clientOrderId === query.get('client_order_id')
      : id === path.slice('/v2/orders/'.length),
  )
  if (!order) return NOT_FOUND
  if (method === 'GET') return { body: answers.orderBody(order) }
  if (!isOpen(order)) return answers.failure(422, `order is already in "${order.status}" state`, 42210000)
  account.end(order, 'canceled')
  return { status: 204, body: '' }
}

function cancelEverything(account: AlpacaAccountState): StandInAnswer {
  const open = account.orders.filter(isOpen)
  for (const order of open) account.end(order, 'canceled')
  return { status: 207, body: open.map(({ id }) => ({ id, status: 200 })) }
}

const assetList = ({ symbols, account }: Market) =>
  [...symbols].map((symbol) =>
    answers.assetBody(symbol, !account.untradable.has(symbol), account.hardToBorrow.has(symbol)),
  )

function assetRoute({ symbols, account }: Market, name: string): StandInAnswer {
  const symbol = [...symbols].find((one) => one === name || one.replace('/', '') === name)
  if (symbol === undefined) return answers.failure(404, `asset not found for ${name}`, 40410000)
  return { body: answers.assetBody(symbol, !account.untradable.has(symbol), account.hardToBorrow.has(symbol)) }
}
