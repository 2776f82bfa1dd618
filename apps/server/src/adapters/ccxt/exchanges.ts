import { type ExchangeId, exchangeIds } from '@tradewright/core/broker-catalogue'
import { MINUTE, SECOND } from '@tradewright/core/time'
import { z } from 'zod'
import type { ExchangeDefinition } from './exchange-definition.ts'

const BINANCE_TRADES = 1_000
const KRAKEN_TRADES = 50
const COINBASE_TRADES = 250

const BinanceAccount = z.object({ uid: z.union([z.number(), z.string()]).optional(), canTrade: z.boolean().optional() })

const TradeNumber = z.object({ id: z.string().regex(/^\d+$/) })
const numberOf = (trade: unknown): number => Number(TradeNumber.parse(trade).id)

/** What no exchange takes until its user has done something there. */
const NOT_ALLOWED =
  /permission|not (?:authorized|allowed|whitelisted)|restricted|disabled (?:on|for) (?:this|the) account/i
/** Refusals because of the order's size, which is the same again until prices have moved. */
const TOO_SMALL = /MIN_NOTIONAL|NOTIONAL|LOT_SIZE|minimum not met|too small|below the minimum/i

/** developers.binance.com/docs/binance-spot-api-docs: filters, limits of the IP in "weight", `newClientOrderId`. */
const binance: Omit<ExchangeDefinition, 'id' | 'name'> = {
  quote: 'USDT',
  limit: { calls: 6_000, windowMillis: MINUTE, reservedForOrders: 1_500, reservedForCancels: 600 },
  limitIsPer: 'address',
  // ccxt counts 1,200 a minute.
  tokensPerCost: 5,
  maxClientIdLength: 36,
  orderValidMillis: 6 * SECOND,
  listsPerMarket: true,
  listsFlows: true,
  purchaseFee: 0,
  options: {
    fetchMarkets: { types: ['spot'] },
    fetchMargins: false,
    fetchOpenOrders: { warnWithoutSymbol: false },
    recvWindow: 5_000,
  },
  // Its list of currencies needs keys, and tells nothing that is used here.
  has: { fetchCurrencies: false },
  marketParams: { permissions: 'SPOT', showPermissionSets: 'false' },
  orderParams: (newClientOrderId, { size }) => ({
    newClientOrderId,
    ...('notional' in size && { quoteOrderQty: String(size.notional) }),
  }),
  findOrder: async (exchange, { clientId, symbol }) =>
    symbol === undefined ? undefined : exchange.fetchOrder(undefined, symbol, { origClientOrderId: clientId }),
  // The newest ones are enough, as a rule. Where they are not, all from the first one on: numbers count the trades of the
  // whole market, so that there is no stepping back by them, and a span of time may be 24 hours at most.
  async *trades(exchange, symbol, since) {
    const newest = await exchange.fetchMyTrades(symbol, undefined, BINANCE_TRADES)
    yield newest
    const oldest = newest[0] as { timestamp?: number } | undefined
    if (newest.length < BINANCE_TRADES || (oldest?.timestamp ?? 0) < since) return
    const known = new Set(newest.map(numberOf))
    for (let fromId = 0; ;) {
      const page = await exchange.fetchMyTrades(symbol, undefined, BINANCE_TRADES, { fromId })
      yield page
      const last = numberOf(page.at(-1))
      if (page.length < BINANCE_TRADES || known.has(last)) return
      fromId = last + 1
    }
  },
  accountFacts(info) {
    const { uid, canTrade = true } = BinanceAccount.safeParse(info).data ?? {}
    return {
      id: uid === undefined ? undefined : String(uid),
      blockedBecause: canTrade ? undefined : 'trading is blocked for the account',
    }
  },
  // Errors -1013 (a filter) and -2010 (by its message).
  refusals: [
    { words: /too many (?:new )?orders/i, again: 'now' },
    { words: /insufficient balance/i, again: 'later' },
    { words: /PERCENT_PRICE|market is closed|trading is disabled|TRADING_DISABLED/i, again: 'later' },
    { words: TOO_SMALL, again: 'next-session' },
    { words: NOT_ALLOWED, again: 'ask' },
  ],
}

/** docs.kraken.com/api: a counter of 15 that falls by one in three seconds, `cl_ord_id`, `deadline`, `viqc`. */
const kraken: Omit<ExchangeDefinition, 'id' | 'name'> = {
  quote: 'USD',
  limit: { calls: 15, windowMillis: 45 * SECOND, reservedForOrders: 6, reservedForCancels: 3 },
  limitIsPer: 'key',
  // ccxt's cost of 1 is a call a second; private ones cost it 3, a third of which is Kraken's count.
  tokensPerCost: 1 / 3,
  // 18 characters, or a UUID, which is what becomes of a longer one.
  maxClientIdLength: 18,
  orderValidMillis: 6 * SECOND,
  listsPerMarket: false,
  listsFlows: false,
  purchaseFee: 0.004,
  options: {},
  orderParams: (clientOrderId, { size }, now) => ({
    clientOrderId,
    deadline: new Date(now + 5 * SECOND).toISOString(),
    // Fees in dollars, for purchases and sales.
    oflags: 'fciq',
    ...('notional' in size && { cost: String(size.notional) }),
  }),
  async findOrder(exchange, { clientId, symbol, since }) {
    const mine = { clientOrderId: clientId }
    const [open] = await exchange.fetchOpenOrders(symbol, undefined, undefined, mine)
    return open ?? (await exchange.fetchClosedOrders(symbol, since, undefined, mine))[0]
  },
  async *trades(exchange, symbol, since) {
    for (let ofs = 0; ; ofs += KRAKEN_TRADES) {
      const page = await exchange.fetchMyTrades(symbol, Math.max(1, since), undefined, { ofs })
      yield page
      if (page.length < KRAKEN_TRADES) return
    }
  },
  accountFacts: () => ({}),
  // EOrder, EGeneral and EService.
  refusals: [
    { words: /rate limit exceeded|busy|throttled/i, again: 'now' },
    { words: /insufficient funds|positions limit|orders limit/i, again: 'later' },
    { words: /cancel_only|post_only|limit_only|market in|unavailable/i, again: 'later' },
    { words: TOO_SMALL, again: 'next-session' },
    { words: /trading agreement|permission denied|invalid permissions/i, again: 'ask' },
    { words: NOT_ALLOWED, again: 'ask' },
  ],
}

const CoinbaseAccounts = z.object({ accounts: z.array(z.object({ uuid: z.string(), currency: z.string() })) })
const CoinbaseCursor = z.object({ info: z.object({ cursor: z.string().min(1) }) })

/** A private key in PEM form, whose ends of lines were lost in a field of one line or written as in JSON. */
function withLines(entered: string): string {
  const [, label, key] = /^-----BEGIN ([A-Z ]+)-----(.*)-----END [A-Z ]+-----/s.exec(entered) ?? []
  if (label === undefined || key === undefined) return entered
  const lines =
    key
      .replaceAll('\\n', '')
      .replaceAll(/\s/g, '')
      .match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

/** docs.cdp.coinbase.com/advanced-trade: 30 private calls a second, `client_order_id`, JWT good for two minutes. */
const coinbase: Omit<ExchangeDefinition, 'id' | 'name'> = {
  quote: 'USD',
  limit: { calls: 600, windowMillis: MINUTE, reservedForOrders: 150, reservedForCancels: 60 },
  limitIsPer: 'key',
  tokensPerCost: 1,
  maxClientIdLength: 36,
  // An id that was used before names the first order for ever, so nothing has to be waited for.
  orderValidMillis: 0,
  listsPerMarket: false,
  listsFlows: false,
  purchaseFee: 0.012,
  options: { createMarketBuyOrderRequiresPrice: false, fetchBalance: 'v3PrivateGetBrokerageAccounts' },
  secretOf: withLines,
  orderParams: (client_order_id, { size, execution }) => ({
    // ccxt's own `clientOrderId` is not sent.
    client_order_id,
    ...(execution.type === 'market' && {
      order_configuration: {
        market_market_ioc:
          'notional' in size ? { quote_size: String(size.notional) } : { base_size: String(size.quantity) },
      },
    }),
  }),
  // Orders cannot be asked for by our id: they are listed from the decision on.
  async findOrder(exchange, { clientId, symbol, since }) {
    const listed = await exchange.fetchOrders(symbol, since, 100)
    return listed.find((order) => (order as { clientOrderId?: string }).clientOrderId === clientId)
  },
  async *trades(exchange, symbol, since) {
    let cursor: string | undefined
    do {
      const page = await exchange.fetchMyTrades(symbol, Math.max(1, since), COINBASE_TRADES, cursor ? { cursor } : {})
      yield page
      cursor = page.map((trade) => CoinbaseCursor.safeParse(trade).data?.info.cursor).find((one) => one !== undefined)
    } while (cursor !== undefined)
  },
  accountFacts(info) {
    const { accounts } = CoinbaseAccounts.safeParse(info).data ?? { accounts: [] }
    return { id: accounts.find(({ currency }) => currency === 'USD')?.uuid }
  },
  // `failure_reason` of a new order.
  refusals: [
    { words: /insufficient/i, again: 'later' },
    { words: /only_mode|only mode|disabled|price_out_of_range|halted/i, again: 'later' },
    { words: /too small|TOO_SMALL|minimum/i, again: 'next-session' },
    { words: /not_authorized|ineligible|permission/i, again: 'ask' },
    { words: NOT_ALLOWED, again: 'ask' },
  ],
}

const TABLE: Readonly<Record<ExchangeId, ExchangeDefinition>> = {
  binance: { id: 'binance', name: 'Binance', ...binance },
  // The same API on another host, with a fifth of the limit, and with deposits for one coin at a time.
  binanceus: {
    id: 'binanceus',
    name: 'Binance.US',
    ...binance,
    listsFlows: false,
    limit: { calls: 1_200, windowMillis: MINUTE, reservedForOrders: 300, reservedForCancels: 120 },
  },
  coinbase: { id: 'coinbase', name: 'Coinbase', ...coinbase },
  kraken: { id: 'kraken', name: 'Kraken', ...kraken },
}

export const exchangeDefinitions: readonly ExchangeDefinition[] = exchangeIds.map((id) => TABLE[id])
