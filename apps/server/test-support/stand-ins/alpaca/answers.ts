import { Decimal } from '@tradewright/core/decimal'
import { dateOf, DAY, epochDayOf, formatDate, HOUR, SECOND } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { clockOf } from '@tradewright/engine/trading/market-hours'
import type { StandInAnswer } from '../stand-in.ts'
import { type AlpacaAccountState, isCoin, isOpen, type StandInOrder } from './account-state.ts'
import { uuid } from './activities.ts'

export const failure = (status: number, message: string, code?: number, more: object = {}): StandInAnswer => ({
  status,
  body: { ...(code !== undefined && { code }), message, ...more },
})

const iso = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString())
const text = (value: Decimal | undefined): string | null => (value === undefined ? null : String(value))

export const accountBody = (account: AlpacaAccountState, hasNulls: boolean) => ({
  id: account.id,
  account_number: 'PA3STANDIN',
  status: account.status,
  currency: 'USD',
  cash: String(account.cash),
  equity: String(account.equity),
  portfolio_value: String(account.equity),
  ...(hasNulls ? {} : { last_equity: String(account.lastEquity), buying_power: String(account.buyingPower) }),
  ...(hasNulls ? {} : { non_marginable_buying_power: String(account.nonMarginableBuyingPower) }),
  multiplier: account.multiplier,
  shorting_enabled: account.isShortingEnabled,
  trading_blocked: account.tradingBlocked,
  account_blocked: false,
  trade_suspended_by_user: false,
  created_at: account.createdAt,
})

export function positionBody(account: AlpacaAccountState, symbol: string) {
  const { qty, cost } = account.positions.get(symbol)!
  const price = account.wrongPrices.get(symbol) ?? account.priceOf(symbol)
  const value = qty.times(price)
  const gain = value.minus(cost)
  return {
    asset_id: uuid(1),
    symbol: symbol.replace('/', ''),
    exchange: isCoin(symbol) ? 'CRYPTO' : 'ARCA',
    asset_class: isCoin(symbol) ? 'crypto' : 'us_equity',
    asset_marginable: !isCoin(symbol),
    qty: String(qty),
    qty_available: String(qty),
    side: qty.isNegative ? 'short' : 'long',
    avg_entry_price: String(cost.dividedBy(qty)),
    cost_basis: String(cost),
    market_value: String(value),
    current_price: String(price),
    lastday_price: String(price),
    change_today: '0',
    unrealized_pl: String(gain),
    unrealized_plpc: cost.isZero ? '0' : String(gain.dividedBy(cost)),
    unrealized_intraday_pl: '0',
    unrealized_intraday_plpc: '0',
  }
}

export function orderBody(order: StandInOrder) {
  const ended = (status: string) => (order.status === status ? iso(order.endedAt) : null)
  return {
    id: order.id,
    client_order_id: order.clientOrderId,
    created_at: iso(order.createdAt),
    updated_at: iso(order.endedAt ?? order.createdAt),
    submitted_at: iso(order.createdAt),
    filled_at: ended('filled'),
    expired_at: ended('expired'),
    canceled_at: ended('canceled'),
    failed_at: ended('rejected'),
    replaced_at: ended('replaced'),
    replaced_by: order.replacedBy ?? null,
    replaces: order.replaces ?? null,
    asset_id: uuid(1),
    symbol: order.symbol,
    asset_class: isCoin(order.symbol) ? 'crypto' : 'us_equity',
    notional: text(order.notional),
    qty: text(order.qty),
    filled_qty: String(order.filledQty),
    filled_avg_price: order.filledQty.isZero ? null : String(order.filledValue.dividedBy(order.filledQty)),
    order_class: '',
    order_type: order.type,
    type: order.type,
    side: order.side,
    time_in_force: order.timeInForce,
    limit_price: text(order.limitPrice),
    stop_price: null,
    status: order.status,
    extended_hours: false,
    legs: null,
    ...(order.rejectReason !== undefined && { reject_reason: order.rejectReason }),
  }
}

export const assetBody = (symbol: string, tradable: boolean, isHardToBorrow = false) => ({
  id: uuid(1),
  class: isCoin(symbol) ? 'crypto' : 'us_equity',
  exchange: isCoin(symbol) ? 'CRYPTO' : 'ARCA',
  symbol,
  name: symbol,
  status: 'active',
  tradable,
  marginable: !isCoin(symbol),
  shortable: !isCoin(symbol),
  fractionable: true,
  ...(!isCoin(symbol) && { borrow_status: isHardToBorrow ? 'hard_to_borrow' : 'easy_to_borrow' }),
  ...(isCoin(symbol) && { min_order_size: '0.0001', min_trade_increment: '0.000000001', price_increment: '0.01' }),
})

/** Instants with New York's offset, as Alpaca writes them. */
const newYork = (at: number): string => new Date(at - 5 * HOUR).toISOString().replace('Z', '-05:00')

export function clockBody(now: number) {
  const { isOpen: is_open, nextOpen, nextClose } = clockOf(nyse, now)
  return { timestamp: newYork(now), is_open, next_open: newYork(nextOpen), next_close: newYork(nextClose) }
}

export function calendarBody(query: URLSearchParams) {
  const day = (name: string) => dateOf((query.get(name) ?? '').slice(0, 10))
  return Array.from(nyse.sessionsBetween(day('start'), day('end') + 1), (session) => ({
    date: formatDate(session),
    open: '09:30',
    close: nyse.closeOf(session) - nyse.openOf(session) > 5 * HOUR ? '16:00' : '13:00',
    session_open: '0400',
    session_close: '2000',
    settlement_date: formatDate(nyse.nextSession(session)),
  }))
}

/** Daily values stamped at eight in the evening in New York. */
export function historyBody(account: AlpacaAccountState, query: URLSearchParams, now: number, hasNulls: boolean) {
  const start = (query.get('start') ?? '').slice(0, 10)
  const today = { date: formatDate(epochDayOf(now)), equity: account.equity.toNumber() }
  const days = (account.history ?? [today]).filter(({ date }) => date >= start)
  const equity = days.map(({ equity: value }, i) => (hasNulls && i % 3 === 1 ? null : value))
  const types = (query.get('cashflow_types') ?? '').split(',').filter(Boolean)
  const flowOn = new Map<string, number>()
  for (const { activity_type, date, net_amount } of account.activities) {
    const key = `${activity_type} ${String(date)}`
    flowOn.set(key, (flowOn.get(key) ?? 0) + Number(net_amount ?? 0))
  }
  return {
    timestamp: days.map(({ date }) => (dateOf(date) * DAY + 25 * HOUR) / SECOND),
    equity,
    profit_loss: equity.map(() => 0),
    profit_loss_pct: equity.map(() => 0),
    base_value: hasNulls ? null : (equity[0] ?? 0),
    timeframe: '1D',
    cashflow: Object.fromEntries(
      types.map((type) => [type, days.map(({ date }) => flowOn.get(`${type} ${date}`) ?? 0)]),
    ),
  }
}

export function listOrders({ orders }: AlpacaAccountState, query: URLSearchParams) {
  const status = query.get('status') ?? 'open'
  const symbols = query.get('symbols')?.split(',')
  const newestFirst = orders.toReversed()
  const before = query.get('before_order_id')
  const start = before === null ? 0 : newestFirst.findIndex(({ id }) => id === before) + 1
  return newestFirst
    .slice(start)
    .filter((order) => status === 'all' || isOpen(order) === (status === 'open'))
    .filter(({ symbol }) => !symbols || symbols.includes(symbol))
    .slice(0, Number(query.get('limit') ?? 50))
    .map(orderBody)
}
