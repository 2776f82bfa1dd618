import type { Granularity } from '@tradewright/core/granularity'
import { tickerKind } from '@tradewright/core/ticker-kind'
import { DAY, epochDayOf, SECOND } from '@tradewright/core/time'
import { barStamps, crypto, nyse } from '@tradewright/engine/market/trading-calendar'
import { laterShares, madeUpBar, madeUpDividends, madeUpSplits } from './made-up-market.ts'
import { type DataFault, type StandIn, startStandIn, type StandInAnswer } from './stand-in.ts'

const KNOWN = new Set(['AAPL', 'MSFT', 'SPY', 'TQQQ', 'BRK-B', '^GSPC', 'BTC-USD'])

const GRANULARITY: Readonly<Record<string, Granularity>> = {
  '1m': '1m',
  '5m': '5m',
  '15m': '15m',
  '60m': '1h',
  '1d': '1d',
}

const DEPTH_DAYS: Readonly<Record<string, number>> = { '1m': 30, '5m': 60, '15m': 60, '60m': 730 }

const error = (status: number, code: string, description: string): StandInAnswer => ({
  status,
  body: { chart: { result: null, error: { code, description } } },
})

/** The v8 chart endpoint: split-adjusted prices, events of the asked range only, the running bar as the last row. */
export function startYahooStandIn(now: () => number): Promise<StandIn> {
  return startStandIn('yahoo', ({ path, query }, fault) => {
    const symbol = path.replace('/v8/finance/chart/', '')
    const interval = query.get('interval') ?? '1d'
    const [from, to] = [Number(query.get('period1')) * SECOND, Math.min(Number(query.get('period2')) * SECOND, now())]
    if (!KNOWN.has(symbol)) return error(404, 'Not Found', 'No data found, symbol may be delisted')
    const depth = DEPTH_DAYS[interval]
    if (depth !== undefined && from < now() - depth * DAY) {
      const text = `${interval} data not available for startTime=${from} and endTime=${to}. The requested range must be within the last ${depth} days.`
      return error(422, 'Unprocessable Entity', text)
    }
    if (interval === '1m' && to - from > 8 * DAY) {
      return error(
        422,
        'Unprocessable Entity',
        'Only 8 days worth of 1m granularity data are allowed to be fetched per request.',
      )
    }
    return { body: chart(symbol, interval, { from, to, today: epochDayOf(now()) }, fault) }
  })
}

interface Asked {
  readonly from: number
  readonly to: number
  readonly today: number
}

/** Daily rows carry the opening of their session. */
function openings(symbol: string, interval: string, { from, to }: Asked): number[] {
  const calendar = tickerKind(symbol) === 'crypto' ? crypto : nyse
  const instants: number[] = []
  for (const day of calendar.sessionsBetween(epochDayOf(from), epochDayOf(to) + 1)) {
    const stamps = interval === '1d' ? [calendar.openOf(day)] : barStamps(calendar, day, GRANULARITY[interval]!)
    instants.push(...[...stamps].filter((stamp) => stamp >= from && stamp < to))
  }
  return instants
}

function chart(symbol: string, interval: string, asked: Asked, fault: DataFault | undefined) {
  const isCrypto = tickerKind(symbol) === 'crypto'
  const instants = openings(symbol, interval, asked)
  const meta = {
    currency: 'USD',
    symbol,
    exchangeName: isCrypto ? 'CCC' : 'NMS',
    instrumentType: isCrypto ? 'CRYPTOCURRENCY' : 'EQUITY',
    gmtoffset: isCrypto ? 0 : -18_000,
    exchangeTimezoneName: isCrypto ? 'UTC' : 'America/New_York',
    dataGranularity: interval === '60m' ? '1h' : interval,
  }
  if (instants.length === 0) return { chart: { result: [{ meta, indicators: { quote: [{}] } }], error: null } }
  const result = {
    meta,
    timestamp: spoilTime(instants, fault).map((instant) => instant / SECOND),
    events: events(symbol, asked),
    indicators: indicators(symbol, instants, interval, asked, fault),
  }
  return { chart: { result: [result], error: null } }
}

const spoilTime = (instants: number[], fault: DataFault | undefined): number[] =>
  fault === 'time-runs-backwards' ? instants.map((instant, row) => (row === 6 ? instants[4]! : instant)) : instants

function indicators(
  symbol: string,
  instants: number[],
  interval: string,
  { today }: Asked,
  fault: DataFault | undefined,
) {
  const bars = instants.map((instant) => {
    // A daily bar is made of its day and not of its opening minute, so that a test can name it.
    const bar = madeUpBar(symbol, interval === '1d' ? epochDayOf(instant) * DAY : instant)
    return { ...bar, shares: laterShares(symbol, epochDayOf(instant), today) }
  })
  const closes: (number | null | string)[] = bars.map(({ close, shares }) => close / shares)
  if (fault === 'negative-price') closes[1] = -12.5
  if (fault === 'nan') closes[1] = 'NaN'
  const quote = {
    open: bars.map(({ open, shares }) => open / shares),
    high: bars.map(({ high, shares }) => high / shares),
    low: bars.map(({ low, shares }) => low / shares),
    close: closes,
    volume: bars.map(({ volume, shares }) => volume * shares),
  }
  return interval === '1d' ? { quote: [quote], adjclose: [{ adjclose: quote.close }] } : { quote: [quote] }
}

const second = (exDay: number) => nyse.openOf(exDay) / SECOND

function events(symbol: string, { from, to, today }: Asked) {
  const within = ({ exDay }: { exDay: number }) => nyse.openOf(exDay) >= from && nyse.openOf(exDay) < to
  const dividends = (madeUpDividends[symbol] ?? []).filter(within).map(({ exDay, amount }) => {
    return [second(exDay), { amount: amount / laterShares(symbol, exDay, today), date: second(exDay) }]
  })
  const splits = (madeUpSplits[symbol] ?? []).filter(within).map(({ exDay, numerator, denominator }) => {
    return [second(exDay), { date: second(exDay), numerator, denominator, splitRatio: `${numerator}:${denominator}` }]
  })
  return { dividends: Object.fromEntries(dividends), splits: Object.fromEntries(splits) }
}
