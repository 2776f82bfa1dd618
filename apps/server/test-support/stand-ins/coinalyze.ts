import { DAY, HOUR, MINUTE, SECOND } from '@tradewright/core/time'
import { madeUpValue } from './made-up-market.ts'
import { type DataFault, type StandIn, startStandIn, type StandInAnswer, type StandInRequest } from './stand-in.ts'

const STEPS: Readonly<Record<string, number>> = {
  '1min': MINUTE,
  '5min': 5 * MINUTE,
  '15min': 15 * MINUTE,
  '30min': 30 * MINUTE,
  '1hour': HOUR,
  daily: DAY,
}

const MAX_ROWS = 1_500
const CALLS_PER_MINUTE = 40

const market = (base: string, quote: string, exchange: string, more: object = {}) => ({
  symbol: `${base}${quote}_PERP.${exchange}`,
  exchange,
  symbol_on_exchange: `${base}${quote}`,
  base_asset: base,
  quote_asset: quote,
  is_perpetual: true,
  margined: 'STABLE',
  expire_at: null,
  oi_lq_vol_denominated_in: 'BASE_ASSET',
  has_long_short_ratio_data: true,
  has_ohlcv_data: true,
  has_buy_sell_data: true,
  ...more,
})

const MARKETS = [
  market('BTC', 'USD', '0', { margined: 'COIN' }),
  market('BTC', 'USDT', '6'),
  market('BTC', 'USDT', 'A'),
  { ...market('BTC', 'USDT', 'A'), symbol: 'BTCUSDT_261225.A', is_perpetual: false },
  market('ETH', 'USDT', 'A', { has_long_short_ratio_data: false }),
  market('ETH', 'USDT', '6'),
  ...Array.from({ length: 30 }, (_, i) => market(`COIN${i}`, 'USDT', 'A')),
]

/** Derivatives history with the vendor's bookkeeping: a key, 20 symbols a request, every symbol a call of 40 a minute. */
export function startCoinalyzeStandIn(now: () => number, apiKey: string): Promise<StandIn> {
  let spent: { at: number; cost: number }[] = []
  return startStandIn('coinalyze', (request, fault) => {
    const { path, query, headers } = request
    if (headers['api_key'] !== apiKey && query.get('api_key') !== apiKey)
      return { status: 401, body: { message: 'Invalid API key' } }
    const symbols = (query.get('symbols') ?? '').split(',').filter(Boolean)
    spent = spent.filter(({ at }) => at + MINUTE > now())
    const used = spent.reduce((sum, { cost }) => sum + cost, 0)
    const cost = Math.max(1, symbols.length)
    if (used + cost > CALLS_PER_MINUTE) {
      const wait = (spent[0]!.at + MINUTE - now()) / SECOND
      return { status: 429, headers: { 'retry-after': String(wait) }, body: { message: 'Too many requests' } }
    }
    spent.push({ at: now(), cost })
    if (path === '/v1/future-markets') return { body: MARKETS }
    return history(request, symbols, now(), fault)
  })
}

function history(
  { path, query }: StandInRequest,
  symbols: string[],
  now: number,
  fault: DataFault | undefined,
): StandInAnswer {
  const step = STEPS[query.get('interval') ?? '']
  if (symbols.length === 0 || symbols.length > 20) return { status: 400, body: { message: 'Invalid symbols' } }
  if (step === undefined) return { status: 400, body: { message: 'Invalid interval' } }
  const [from, to] = [Number(query.get('from')) * SECOND, Math.min(Number(query.get('to')) * SECOND, now)]
  const rowOf = ROWS[path]
  if (!rowOf) return { status: 404, body: { message: 'Not found' } }
  return {
    body: symbols.map((symbol) => {
      const rows: { t: number; [field: string]: unknown }[] = []
      for (let instant = Math.ceil(from / step) * step; instant <= to; instant += step) {
        const row = rowOf(symbol, instant, query.get('convert_to_usd') === 'true')
        if (row) rows.push({ t: instant / SECOND, ...row })
      }
      return { symbol, history: spoil(rows.slice(-MAX_ROWS), fault) }
    }),
  }
}

function spoil(rows: { t: number; [field: string]: unknown }[], fault: DataFault | undefined) {
  if (fault === 'nan') return rows.map((row, i) => (i === 1 ? { ...row, c: 'NaN', r: 'NaN', l: 'NaN' } : row))
  if (fault === 'time-runs-backwards') return rows.map((row, i) => (i === 4 ? { ...row, t: rows[1]!.t } : row))
  return rows
}

type RowOf = (symbol: string, instant: number, inUsd: boolean) => Record<string, number> | undefined

/** Values in USD are larger, so that a forgotten convert_to_usd shows. */
const ROWS: Readonly<Record<string, RowOf>> = {
  '/v1/funding-rate-history': (symbol, instant) => ohlc(madeUpValue(`${symbol} FR`, instant) / 100),
  '/v1/open-interest-history': (symbol, instant, inUsd) =>
    ohlc(madeUpValue(`${symbol} OI`, instant) * (inUsd ? 1e9 : 1e4)),
  '/v1/long-short-ratio-history': (symbol, instant) => ({ r: madeUpValue(`${symbol} LS`, instant), l: 60, s: 40 }),
  // Every fifth interval is quiet, and then simply absent.
  '/v1/liquidation-history': (symbol, instant, inUsd) =>
    (instant / HOUR) % 5 === 0
      ? undefined
      : { l: madeUpValue(`${symbol} LIQ`, instant) * (inUsd ? 1e6 : 10), s: inUsd ? 5e5 : 5 },
}

const ohlc = (value: number) => ({ o: value, h: value, l: value, c: value })
