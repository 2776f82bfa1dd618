import { Decimal } from '@tradewright/core/decimal'
import type { Granularity } from '@tradewright/core/granularity'
import { tickerKind } from '@tradewright/core/ticker-kind'
import {
  DAY,
  dayStamp,
  type EpochDay,
  epochDayOf,
  HOUR,
  MINUTE,
  SECOND,
  type TimeRange,
  type UtcMillis,
} from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { actionsOf } from '@tradewright/engine/market/corporate-actions'
import type { SeriesTable } from '@tradewright/engine/market/series'
import { halfSpreadOf } from '@tradewright/engine/trading/costs'
import { isMarketOpen } from '@tradewright/engine/trading/market-hours'
import { type PaperBar, isAroundTheClock } from '@tradewright/engine/trading/paper-account/paper-market'
import type { SeriesAnswer, SeriesFor } from '../../market-data/series-for.ts'
import type { KnownPrice, LastStoredPrices, PaperPrices } from './ports.ts'

/** What is newer is asked of the providers; of a ticker without it the last stored close counts. */
const FRESH_DAYS = 14
const MAX_FETCH = 60 * SECOND
/** Screens and loops that ask at the same moment get one answer. */
const REMEMBERED = 15 * SECOND
const REMEMBERED_PRICES = 10_000

type Prices = ReadonlyMap<string, KnownPrice>

/** Prices for the built-in paper account from the user's own market data, stored or fetched. */
export function marketPrices(seriesFor: SeriesFor, lastStored: LastStoredPrices): PaperPrices {
  const ask = (userId: number, tickers: readonly string[], granularity: Granularity, range: TimeRange) =>
    seriesFor({ userId, tickers, range, granularity, provider: 'auto' }, AbortSignal.timeout(MAX_FETCH))
  const daily = (userId: number, tickers: readonly string[], from: EpochDay, last: EpochDay) =>
    ask(userId, tickers, '1d', { from: dayStamp(from), to: dayStamp(last + 1) })
  const remembered = new Map<string, { readonly known: KnownPrice | undefined; readonly until: UtcMillis }>()

  async function fetchLatest(userId: number, tickers: readonly string[], now: UtcMillis): Promise<Prices> {
    const sessions = await daily(userId, tickers, epochDayOf(now) - FRESH_DAYS, epochDayOf(now))
    const closes = withSpreads(lastPrices(sessions), sessions)
    const trading = tickers.filter((ticker) => closes.has(ticker) && tradesNow(ticker, now))
    if (trading.length === 0) return closes
    const byKind = Map.groupBy(trading, isAroundTheClock)
    // Bars end with the minute; within it all calls ask for the same ones.
    const to = Math.floor(now / MINUTE) * MINUTE
    const newest = await Promise.all(
      [...byKind].map(async ([isCoin, group]) =>
        minutePrices(await ask(userId, group, '1m', { from: isCoin ? to - HOUR : nyse.openOf(epochDayOf(now)), to })),
      ),
    )
    const known = new Map(closes)
    for (const prices of newest)
      for (const [ticker, price] of prices) known.set(ticker, { ...closes.get(ticker), ...price })
    return known
  }

  /** An imported history may end long ago, and its provider may be out of reach: its last close is still known. */
  async function withLastStored(userId: number, tickers: readonly string[], fresh: Prices): Promise<Prices> {
    const old = tickers.filter((ticker) => !fresh.has(ticker))
    return old.length === 0 ? fresh : new Map([...fresh, ...(await lastStored(userId, old))])
  }

  async function latest(userId: number, tickers: readonly string[], now: UtcMillis): Promise<Prices> {
    const wanted = tickers.filter(isTradable)
    const keyOf = (ticker: string) => `${userId} ${ticker}`
    const missing = wanted.filter((ticker) => !((remembered.get(keyOf(ticker))?.until ?? 0) > now))
    if (missing.length > 0) {
      const fetched = await withLastStored(userId, missing, await fetchLatest(userId, missing, now))
      if (remembered.size > REMEMBERED_PRICES) remembered.clear()
      for (const ticker of missing)
        remembered.set(keyOf(ticker), { known: fetched.get(ticker), until: now + REMEMBERED })
    }
    return new Map(
      wanted.flatMap((ticker) => {
        const known = remembered.get(keyOf(ticker))?.known
        return known ? [[ticker, known] as const] : []
      }),
    )
  }

  return {
    latest,
    async bars(userId, tickers, { from, last }) {
      const wanted = tickers.filter(isTradable)
      if (wanted.length === 0) return new Map()
      const { series } = await daily(userId, wanted, from, last)
      return new Map([...series].map(([ticker, table]) => [ticker, toBars(table)]))
    },
    isKnown: async (userId, ticker, now) => (await latest(userId, [ticker], now)).has(ticker),
  }
}

const isTradable = (ticker: string): boolean => ['security', 'crypto'].includes(tickerKind(ticker))

const tradesNow = (ticker: string, now: UtcMillis): boolean => isAroundTheClock(ticker) || isMarketOpen(nyse, now)

function lastPrices({ series, provenance }: SeriesAnswer): Prices {
  const synthetic = new Set(provenance.filter((one) => one.synthetic).map(({ ticker }) => ticker))
  return new Map(
    [...series].flatMap(([ticker, { columns, timestamps }]) => {
      const row = columns['close']?.findLastIndex((close) => close > 0) ?? -1
      if (row < 0) return []
      const price = Decimal.fromNumber(columns['close']![row]!)
      return [[ticker, { price, isSynthetic: synthetic.has(ticker), at: timestamps[row]! }] as const]
    }),
  )
}

/** Prices from minutes, with the first of the range, which is the session's for what follows the exchange. */
function minutePrices(answer: SeriesAnswer): Prices {
  return new Map(
    [...lastPrices(answer)].map(([ticker, known]) => {
      const table = answer.series.get(ticker)!
      const first = table.columns['open']?.find((open) => open > 0)
      const isOpening = first !== undefined && !isAroundTheClock(ticker)
      const volumeSince = volumeIn(table)
      return [
        ticker,
        {
          ...known,
          ...(isOpening && { sessionOpen: Decimal.fromNumber(first) }),
          ...(volumeSince && { volumeSince }),
        },
      ] as const
    }),
  )
}

/** An order that is sent may take its part of the minute before. */
function volumeIn({ timestamps, columns }: SeriesTable): KnownPrice['volumeSince'] {
  const volume = columns['volume']
  if (!volume?.some((one) => one > 0)) return undefined
  return (since) => {
    const from = Math.floor(since / MINUTE) * MINUTE - MINUTE
    return volume.reduce((sum, one, row) => (timestamps[row]! >= from && one > 0 ? sum + one : sum), 0)
  }
}

/** Stocks and funds are quoted in cents, below a dollar in hundredths of one. */
const tickOf = (ticker: string, price: number): number => (isAroundTheClock(ticker) ? 0 : price < 1 ? 0.0001 : 0.01)

function withSpreads(prices: Prices, { series }: SeriesAnswer): Prices {
  return new Map(
    [...prices].map(([ticker, known]) => {
      const { close, volume } = series.get(ticker)!.columns
      const dollars = [...(volume ?? [])].map((one, row) => one * close![row]!).filter((value) => value > 0)
      const price = known.price.toNumber()
      const halfSpread = halfSpreadOf(price, medianOf(dollars), tickOf(ticker, price))
      return [ticker, { ...known, halfSpread }] as const
    }),
  )
}

const medianOf = (values: readonly number[]): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]

function toBars(table: SeriesTable): PaperBar[] {
  const { splits, dividends } = actionsOf(table)
  const ratios = new Map(splits.map(({ exDay, ratio }) => [exDay, ratio]))
  const amounts = new Map(dividends.map(({ exDay, amount }) => [exDay, amount]))
  const { open, close } = table.columns
  const bars: PaperBar[] = []
  for (const [row, stamp] of table.timestamps.entries()) {
    const day = Math.round(stamp / DAY)
    const bar = {
      day,
      open: price(open?.[row]),
      close: price(close?.[row]),
      dividend: price(amounts.get(day)),
      split: price(ratios.get(day)),
    }
    // The running session has no close yet, but what goes ex does so on its morning.
    if (bar.close ?? bar.dividend ?? bar.split) bars.push(bar)
  }
  return bars
}

const price = (value: number | undefined): Decimal | undefined =>
  value !== undefined && value > 0 ? Decimal.fromNumber(value) : undefined
