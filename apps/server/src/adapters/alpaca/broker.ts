import { Problem } from '@tradewright/core/problem'
import { tickerKind } from '@tradewright/core/ticker-kind'
import { type EpochDay, formatDate, type UtcMillis } from '@tradewright/core/time'
import type { ActivityPage, ActivityQuery } from '@tradewright/engine/trading/account-activity'
import type { Broker, Fill, OrderFilter, TradableAsset, Urgency } from '@tradewright/engine/trading/broker'
import { toAccount, toAsset, toPosition } from './account-mapping.ts'
import { ACTIVITY_FILTERS, toActivity } from './activity-mapping.ts'
import { toSession } from './calendar-mapping.ts'
import { ALPACA_REFUSALS } from './failures.ts'
import { toFills } from './fills.ts'
import { toEquityDays } from './history-mapping.ts'
import type { AlpacaHttp } from './http.ts'
import { submittedAt, toOrder, toOrderBody } from './order-mapping.ts'
import type { AlpacaQuoteSource } from './quotes.ts'
import { pathOf, ReplacedOrders } from './replaced-orders.ts'
import * as schema from './schema.ts'
import { toAlpacaSymbol } from './symbols.ts'
import { z } from 'zod'
import { PageCount } from '../../page-count.ts'

const ACTIVITY_PAGE_SIZE = 100
const ORDER_PAGE_SIZE = 500
/** 100,000 orders and 50,000 executions of a few days: more than an account can have, at 200 calls a minute. */
const MAX_ORDER_PAGES = 200
const MAX_FILL_PAGES = 500

interface AlpacaBrokerOptions {
  readonly http: AlpacaHttp
  readonly now: () => UtcMillis
  readonly quotes?: AlpacaQuoteSource
}

/** One Alpaca account, paper or live: they differ in their address only. */
export function alpacaBroker({ http, now, quotes }: AlpacaBrokerOptions): Broker {
  const replaced = new ReplacedOrders(http)
  const orders = async (filter: OrderFilter, urgency?: Urgency) =>
    replaced.collapse(await ordersOf(http, filter, urgency), urgency)
  const activities = (query: ActivityQuery) => activityPage(http, query)
  return {
    account: async () => toAccount(await http.get(schema.AlpacaAccount, '/v2/account')),
    positions: async () => (await http.list(schema.AlpacaPosition, '/v2/positions')).read.map(toPosition),
    place: async (request) => toOrder(await http.post(schema.AlpacaOrder, '/v2/orders', toOrderBody(request))),
    async orderByClientId(clientOrderId, urgency) {
      const query = { client_order_id: clientOrderId }
      const sent = await http.find(schema.AlpacaOrder, '/v2/orders:by_client_order_id', query, urgency)
      return sent && replaced.follow(sent, urgency)
    },
    cancel: (orderId) => replaced.cancel(orderId),
    cancelAll: () => http.delete('/v2/orders'),
    orders,
    fills: (since) => fillsSince(http, { replaced, activities }, since),
    correctsFills: true,
    refusals: ALPACA_REFUSALS,
    async clock() {
      const { timestamp, is_open, next_open, next_close } = await http.get(schema.AlpacaClock, '/v2/clock')
      return { now: timestamp, isOpen: is_open, nextOpen: next_open, nextClose: next_close }
    },
    sessions: (from, last) => sessionsOf(http, from, last),
    activities,
    async equityHistory(from) {
      const query = {
        start: `${formatDate(from)}T00:00:00Z`,
        end: new Date(now()).toISOString(),
        timeframe: '1D',
        cashflow_types: ACTIVITY_FILTERS.external.activity_types,
      }
      const sent = await http.get(schema.AlpacaHistory, '/v2/account/portfolio/history', query)
      return toEquityDays(sent).filter(({ day }) => day >= from)
    },
    asset: (ticker) => findAsset(http, ticker),
    assets: (tickers) => findAssets(http, tickers),
    ...(quotes && { quote: quotes }),
  }
}

/** Newest first; paging by id cannot be mixed with dates, so `since` is applied to what comes. */
async function ordersOf(
  http: AlpacaHttp,
  { state, since = 0, tickers }: OrderFilter,
  urgency?: Urgency,
): Promise<schema.AlpacaOrder[]> {
  const found = new Map<string, schema.AlpacaOrder>()
  const pages = new PageCount(MAX_ORDER_PAGES, 'orders', tooLong)
  let before: string | undefined
  for (;;) {
    pages.next()
    const query = {
      status: state,
      limit: ORDER_PAGE_SIZE,
      direction: 'desc',
      symbols: tickers?.map(toAlpacaSymbol).join(','),
      before_order_id: before,
    }
    const { read, sent } = await http.list(schema.AlpacaOrder, '/v2/orders', query, urgency)
    for (const order of read) if (submittedAt(order) >= since) found.set(order.id, order)
    const last = lastIdOf(sent)
    const isPastRange = read.some((order) => submittedAt(order) < since)
    if (sent.length < ORDER_PAGE_SIZE || isPastRange || last === undefined || last === before) break
    before = last
  }
  return [...found.values()]
}

/** A page may be short although there is more, so only an empty one is the end. */
async function activityPage(http: AlpacaHttp, { kind, since, order, page }: ActivityQuery): Promise<ActivityPage> {
  const { read, sent } = await http.list(schema.AlpacaActivity, '/v2/account/activities', {
    ...ACTIVITY_FILTERS[kind],
    // Theirs is "after", ours is "at or after".
    after: since === undefined || since <= 0 ? undefined : new Date(since - 1).toISOString(),
    direction: order === 'newest-first' ? 'desc' : 'asc',
    page_size: ACTIVITY_PAGE_SIZE,
    page_token: page,
  })
  const activities = read.map(toActivity).filter((activity) => activity !== undefined)
  const last = lastIdOf(sent)
  return { activities, next: last === page ? undefined : last }
}

const tooLong = (reason: string) =>
  new Problem('upstream', 'broker.malformed', `Alpaca sent a list that is too long: ${reason}.`)

/** Where the next page begins. Elements that were left out count as well, unless they have no id. */
const lastIdOf = (sent: readonly unknown[]): string | undefined =>
  sent.map((element) => schema.AlpacaId.safeParse(element).data?.id).findLast((id) => id !== undefined)

interface Lookups {
  readonly replaced: ReplacedOrders
  readonly activities: (query: ActivityQuery) => Promise<ActivityPage>
}

async function fillsSince(http: AlpacaHttp, { replaced, activities }: Lookups, since: UtcMillis): Promise<Fill[]> {
  const trades: ActivityPage['activities'][number][] = []
  const pages = new PageCount(MAX_FILL_PAGES, 'executions', tooLong)
  let page: string | undefined
  do {
    pages.next()
    const query = { kind: 'trades', since, order: 'oldest-first' } as const
    const answer = await activities({ ...query, ...(page !== undefined && { page }) })
    trades.push(...answer.activities)
    page = answer.next
  } while (page !== undefined)
  let recent: ReadonlyMap<string, schema.AlpacaOrderIds> | undefined
  const clientIdOf = async (id: string) => {
    // Most of them in one list; others were sent before the first of these executions.
    recent ??= new Map((await ordersOf(http, { state: 'all', since })).map((order) => [order.id, order]))
    const order = recent.get(id) ?? (await http.find(schema.AlpacaOrderIds, pathOf(id)))
    return order && replaced.firstClientId(order, recent)
  }
  return toFills(trades, clientIdOf, since)
}

/** Asked for a day too much on both sides: servers differ in whether an instant or a date is compared. */
async function sessionsOf(http: AlpacaHttp, from: EpochDay, last: EpochDay) {
  const query = { start: `${formatDate(from - 1)}T00:00:00Z`, end: `${formatDate(last + 1)}T00:00:00Z` }
  const { read } = await http.list(schema.AlpacaCalendarDay, '/v2/calendar', query)
  return read
    .map(toSession)
    .filter(({ day }) => day >= from && day <= last)
    .sort((a, b) => a.day - b.day)
}

/** So many are asked one by one: the list of all has some ten thousand. */
const ASSETS_ONE_BY_ONE = 10

async function findAssets(http: AlpacaHttp, tickers: readonly string[]): Promise<Map<string, TradableAsset>> {
  const found = new Map<string, TradableAsset>()
  const byClass = Map.groupBy(tickers, (ticker) => (tickerKind(ticker) === 'crypto' ? 'crypto' : 'us_equity'))
  for (const [assetClass, group] of byClass) {
    const listed = group.length > ASSETS_ONE_BY_ONE ? await listedAssets(http, assetClass) : undefined
    for (const ticker of group) {
      const sent = listed?.get(toAlpacaSymbol(ticker))
      const known = sent === undefined ? undefined : toAsset(schema.AlpacaAsset.parse(sent))
      const asset = listed ? known : await findAsset(http, ticker)
      if (asset) found.set(ticker, asset)
    }
  }
  return found
}

/** Listed assets by symbol, unread: the list has thousands, and few are asked for. */
async function listedAssets(http: AlpacaHttp, assetClass: string): Promise<Map<string, unknown>> {
  const { read } = await http.list(z.looseObject({ symbol: z.string() }), '/v2/assets', { asset_class: assetClass })
  return new Map(read.map((asset) => [asset.symbol, asset]))
}

/** Coins are known with an encoded slash, by some servers only without one. */
async function findAsset(http: AlpacaHttp, ticker: string) {
  const symbol = toAlpacaSymbol(ticker)
  const sent =
    (await http.find(schema.AlpacaAsset, `/v2/assets/${encodeURIComponent(symbol)}`)) ??
    (symbol.includes('/') ? await http.find(schema.AlpacaAsset, `/v2/assets/${symbol.replace('/', '')}`) : undefined)
  return sent && toAsset(sent)
}
