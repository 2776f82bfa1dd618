import { DAY, epochDayOf, formatDate, HOUR, MINUTE } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { stampAsNewYorkDay } from '@tradewright/engine/market/layers/rows'
import { madeUpBar, madeUpDividends, madeUpSplits } from './made-up-market.ts'
import { type DataFault, type StandIn, startStandIn, type StandInAnswer, type StandInRequest } from './stand-in.ts'

const STOCKS = new Set(['AAPL', 'MSFT', 'BRK.B'])
const COINS = new Set(['BTC/USD', 'ETH/USD'])

const STEPS: Readonly<Record<string, number>> = {
  '1Min': MINUTE,
  '5Min': 5 * MINUTE,
  '15Min': 15 * MINUTE,
  '30Min': 30 * MINUTE,
  '1Hour': HOUR,
  '1Day': DAY,
}

interface AlpacaDataStandInOptions {
  readonly keyId: string
  readonly secretKey: string
  /** Bars per page, over all symbols together. */
  readonly pageSize?: number
  /** Answered as it is to all who ask about corporate actions; `endless`: pages that do not end. */
  readonly actions?: unknown
}

const message = (status: number, text: string): StandInAnswer => ({ status, body: { message: text } })

/** Bars of stocks (with the hours before and after the session) and coins, and corporate actions, in pages. */
export function startAlpacaDataStandIn(now: () => number, options: AlpacaDataStandInOptions): Promise<StandIn> {
  return startStandIn('alpaca', (request, fault) => {
    const { path, headers, query } = request
    if (headers['apca-api-key-id'] !== options.keyId || headers['apca-api-secret-key'] !== options.secretKey)
      return message(401, 'unauthorized.')
    if (path === '/v1/corporate-actions') {
      if (options.actions === 'endless') return { body: { corporate_actions: {}, next_page_token: 'again' } }
      if (options.actions) return { body: { corporate_actions: options.actions, next_page_token: null } }
      return corporateActions(query)
    }
    if (path === '/v2/stocks/bars') return stockBars(request, options, now(), fault)
    if (path === '/v1beta3/crypto/us/bars') return cryptoBars(request, options, now(), fault)
    return message(404, 'not found')
  })
}

interface Bar {
  readonly symbol: string
  readonly instant: number
  readonly made: number
}

function stockBars(
  { query }: StandInRequest,
  options: AlpacaDataStandInOptions,
  now: number,
  fault: DataFault | undefined,
): StandInAnswer {
  const end = Date.parse(query.get('end') ?? '')
  if (query.get('feed') !== 'iex' && end > now - 15 * MINUTE)
    return message(403, 'subscription does not permit querying recent SIP data')
  const symbols = (query.get('symbols') ?? '').split(',')
  const invalid = symbols.find((symbol) => !/^[A-Z.]+$/.test(symbol))
  if (invalid !== undefined) return message(400, `invalid symbol: ${invalid}`)
  const step = STEPS[query.get('timeframe') ?? '']!
  const bars: Bar[] = []
  for (const symbol of symbols.filter((symbol) => STOCKS.has(symbol)).sort()) {
    for (const day of nyse.sessionsBetween(epochDayOf(Date.parse(query.get('start')!)) - 1, epochDayOf(end) + 1)) {
      // Midnight in New York is the opening minus nine hours and a half.
      const midnight = nyse.openOf(day) - 9.5 * HOUR
      const instants =
        step === DAY ? [midnight] : Array.from({ length: (16 * HOUR) / step }, (_, i) => midnight + 4 * HOUR + i * step)
      for (const instant of instants)
        bars.push({ symbol, instant, made: step === DAY ? stampAsNewYorkDay(instant) : instant })
    }
  }
  return page(bars, query, options, fault)
}

function cryptoBars(
  { query }: StandInRequest,
  options: AlpacaDataStandInOptions,
  now: number,
  fault: DataFault | undefined,
): StandInAnswer {
  const symbols = (query.get('symbols') ?? '').split(',')
  const invalid = symbols.find((symbol) => !/^[A-Z]+\/[A-Z]+$/.test(symbol))
  if (invalid !== undefined) return message(400, `Invalid symbol(s): ${invalid} does not match ^[A-Z]+/[A-Z]+$`)
  const step = STEPS[query.get('timeframe') ?? '']!
  const [start, end] = [Date.parse(query.get('start')!), Math.min(Date.parse(query.get('end')!), now)]
  const bars: Bar[] = []
  for (const symbol of symbols.filter((symbol) => COINS.has(symbol)).sort()) {
    for (let instant = Math.ceil(start / step) * step; instant <= end; instant += step)
      bars.push({ symbol, instant, made: instant })
  }
  return page(bars, query, options, fault)
}

function page(
  all: Bar[],
  query: URLSearchParams,
  { pageSize }: AlpacaDataStandInOptions,
  fault: DataFault | undefined,
): StandInAnswer {
  const [start, end] = [Date.parse(query.get('start')!), Date.parse(query.get('end')!)]
  const wanted = all.filter(({ instant }) => instant >= start && instant <= end)
  const from = Number(query.get('page_token') ?? 0)
  const to = from + Math.min(Number(query.get('limit') ?? 1_000), pageSize ?? 10_000)
  const bars: Record<string, unknown[]> = {}
  wanted.slice(from, to).forEach(({ symbol, instant, made }, i) => {
    const { open, high, low, close, volume } = madeUpBar(symbol, made)
    const isSpoilt = i === 6
    const t = isSpoilt && fault === 'time-runs-backwards' ? wanted[from + 4]!.instant : instant
    const c = isSpoilt && fault === 'negative-price' ? -1 : isSpoilt && fault === 'nan' ? 'NaN' : close
    ;(bars[symbol] ??= []).push({
      t: new Date(t).toISOString().replace('.000', ''),
      o: open,
      h: high,
      l: low,
      c,
      v: volume,
      n: 100,
      vw: close,
    })
  })
  return { body: { bars, next_page_token: to < wanted.length ? String(to) : null } }
}

function corporateActions(query: URLSearchParams): StandInAnswer {
  const symbols = (query.get('symbols') ?? '').split(',')
  const isProcessed = (date: string) => date >= query.get('start')! && date <= query.get('end')!
  const cash_dividends = symbols.flatMap((symbol) =>
    (madeUpDividends[symbol] ?? []).map(({ exDay, amount }) => {
      // Processed when it is paid.
      return {
        id: `${symbol}-${exDay}`,
        symbol,
        cusip: '0',
        rate: amount,
        special: false,
        foreign: false,
        process_date: formatDate(exDay + 20),
        ex_date: formatDate(exDay),
      }
    }),
  )
  const forward_splits = symbols.flatMap((symbol) =>
    (madeUpSplits[symbol] ?? []).map(({ exDay, numerator, denominator }) => {
      return {
        id: `${symbol}-${exDay}`,
        symbol,
        cusip: '0',
        new_rate: numerator,
        old_rate: denominator,
        process_date: formatDate(exDay),
        ex_date: formatDate(exDay),
      }
    }),
  )
  const corporate_actions = {
    cash_dividends: cash_dividends.filter(({ process_date }) => isProcessed(process_date)),
    forward_splits: forward_splits.filter(({ process_date }) => isProcessed(process_date)),
  }
  return { body: { corporate_actions, next_page_token: null } }
}
