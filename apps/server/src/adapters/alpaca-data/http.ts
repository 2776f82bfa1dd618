import { z } from 'zod'
import { DAY, type EpochDay, epochDayOf, formatDate, type TimeRange, MINUTE } from '@tradewright/core/time'
import type { AlpacaKeys } from '../alpaca/http.ts'
import {
  type Call,
  type HttpSurroundings,
  type Query,
  httpClient,
  type HttpClientOptions,
  readEach,
  readMost,
} from '../http/http-client.ts'
import { HttpFailure } from '../http/http-failure.ts'
import { PageCount } from '../../page-count.ts'
import { sentNumber } from '../market-data/delivery.ts'

export const AlpacaBar = z.object({
  t: z.string(),
  o: sentNumber,
  h: sentNumber,
  l: sentNumber,
  c: sentNumber,
  v: sentNumber,
})
export type AlpacaBar = z.infer<typeof AlpacaBar>

/** Sorted by symbol, then time; a symbol without bars is absent. */
const AlpacaBars = z.object({
  bars: z.record(z.string(), z.array(z.unknown())).nullable(),
  next_page_token: z.string().nullable(),
})

const Dividend = z.object({ symbol: z.string(), ex_date: z.string(), rate: z.number() })
const Split = z.object({ symbol: z.string(), ex_date: z.string(), new_rate: z.number(), old_rate: z.number() })

const AlpacaCorporateActions = z.object({
  corporate_actions: z.object({
    cash_dividends: z.array(Dividend).default([]),
    forward_splits: z.array(Split).default([]),
    reverse_splits: z.array(Split).default([]),
  }),
  next_page_token: z.string().nullable(),
})
export type AlpacaActions = z.infer<typeof AlpacaCorporateActions>['corporate_actions']

const symbol = z.string().min(1).max(20)
const rate = z.number().nonnegative()
const date = z.string().max(10)
const Processed = { process_date: date }
const Acquired = { acquiree_symbol: symbol, ...Processed }
const Exchange = {
  ...Acquired,
  acquiree_rate: z.number().positive(),
  acquirer_symbol: symbol,
  acquirer_rate: rate,
}

/** Actions that change what a holding consists of, each list by its name in the answer. */
export const AlpacaHoldingActions = {
  name_changes: z.object({ old_symbol: symbol, new_symbol: symbol, ...Processed }),
  stock_mergers: z.object(Exchange),
  cash_mergers: z.object({ ...Acquired, rate }),
  stock_and_cash_mergers: z.object({ ...Exchange, cash_rate: rate }),
  spin_offs: z.object({
    source_symbol: symbol,
    source_rate: z.number().positive(),
    new_symbol: symbol,
    new_rate: rate,
    ...Processed,
  }),
  rights_distributions: z.object({ source_symbol: symbol, new_symbol: symbol, rate, ...Processed }),
  redemptions: z.object({ symbol, rate, ...Processed }),
  worthless_removals: z.object({ symbol, ...Processed }),
  unit_splits: z.object({
    old_symbol: symbol,
    old_rate: z.number().positive(),
    new_symbol: symbol,
    new_rate: rate,
    alternate_symbol: symbol,
    alternate_rate: rate,
    ...Processed,
  }),
  reorganizations: z.object({
    symbol,
    cash_rate: rate.default(0),
    stock_movements: z
      .array(z.object({ symbol, new_rate: rate, source_rate: z.number().positive() }))
      .max(100)
      .default([]),
    ...Processed,
  }),
}
export type AlpacaHoldingActions = {
  [List in keyof typeof AlpacaHoldingActions]: z.infer<(typeof AlpacaHoldingActions)[List]>[]
}

/** Its elements are read one by one: another kind of action may be among them. */
const AlpacaActionLists = z.object({
  corporate_actions: z.record(z.string(), z.array(z.unknown())),
  next_page_token: z.string().nullable(),
})

type AlpacaMarket = 'stocks' | 'crypto'

export interface AlpacaDataHttp {
  /** By symbol, ascending; a symbol without bars is absent. */
  bars(
    market: AlpacaMarket,
    symbols: readonly string[],
    timeframe: string,
    range: TimeRange,
    signal: AbortSignal,
  ): Promise<Map<string, AlpacaBar[]>>
  corporateActions(symbols: readonly string[], range: TimeRange, signal: AbortSignal): Promise<AlpacaActions>
  /** Actions that are processed in these days, both included. */
  holdingActions(
    symbols: readonly string[],
    days: { readonly from: EpochDay; readonly last: EpochDay },
    signal: AbortSignal,
  ): Promise<AlpacaHoldingActions>
}

const BARS: Readonly<Record<AlpacaMarket, { path: string; query: Query }>> = {
  stocks: { path: '/v2/stocks/bars', query: { adjustment: 'raw', feed: 'sip' } },
  crypto: { path: '/v1beta3/crypto/us/bars', query: {} },
}

/** Actions are found by the day they are processed, which for a dividend is its payment, weeks after the ex-date. */
const PROCESSING_DAYS = 120

/** 10,000 bars each: twenty years of minutes of ten stocks. */
const MAX_PAGES = 2_000

/** A list is named for its type, in the plural. */
const HOLDING_ACTION_TYPES = Object.keys(AlpacaHoldingActions)
  .map((list) => list.slice(0, -1))
  .join(',')

/** 1,000 actions each, of the few tickers of one event. */
const MAX_ACTION_PAGES = 10

export function alpacaDataHttp(baseUrl: string, keys: AlpacaKeys, surroundings: HttpSurroundings): AlpacaDataHttp {
  const http = alpacaDataClient(baseUrl, keys, surroundings)

  async function* pages<Page extends { next_page_token: string | null }>(
    parse: (answer: unknown) => Page,
    call: Call & { query: Query },
    maxPages = MAX_PAGES,
  ) {
    const count = new PageCount(maxPages, call.path, (reason) => new HttpFailure('malformed', reason))
    let token: string | null = null
    do {
      count.next()
      const page: Page = parse(await http.json({ ...call, query: { ...call.query, page_token: token ?? undefined } }))
      yield page
      token = page.next_page_token
    } while (token)
  }

  return {
    async bars(market, symbols, timeframe, range, signal) {
      const { path, query } = BARS[market]
      const asked = { symbols: symbols.join(','), timeframe, ...instants(range), limit: 10_000, sort: 'asc' }
      const bySymbol = new Map<string, AlpacaBar[]>()
      for await (const page of pages((answer) => AlpacaBars.parse(answer), {
        path,
        query: { ...query, ...asked },
        signal,
      })) {
        for (const [symbol, elements] of Object.entries(page.bars ?? {})) {
          const more = readMost(AlpacaBar, { service: 'alpaca-data', list: path, elements }, surroundings.log)
          const bars = bySymbol.get(symbol)
          if (bars) bars.push(...more)
          else bySymbol.set(symbol, more)
        }
      }
      return bySymbol
    },
    async corporateActions(symbols, range, signal) {
      const query = {
        symbols: symbols.join(','),
        types: 'cash_dividend,forward_split,reverse_split',
        start: formatDate(epochDayOf(range.from)),
        end: formatDate(epochDayOf(range.to + PROCESSING_DAYS * DAY)),
        limit: 1_000,
      }
      const all: AlpacaActions = { cash_dividends: [], forward_splits: [], reverse_splits: [] }
      const call = { path: '/v1/corporate-actions', query, signal }
      for await (const { corporate_actions: page } of pages((answer) => AlpacaCorporateActions.parse(answer), call)) {
        all.cash_dividends.push(...page.cash_dividends)
        all.forward_splits.push(...page.forward_splits)
        all.reverse_splits.push(...page.reverse_splits)
      }
      return all
    },
    async holdingActions(symbols, { from, last }, signal) {
      const query = {
        symbols: symbols.join(','),
        types: HOLDING_ACTION_TYPES,
        start: formatDate(from),
        end: formatDate(last),
        limit: 1_000,
      }
      const call = { path: '/v1/corporate-actions', query, signal }
      const lists = new Map<string, unknown[]>()
      const read = (answer: unknown) => AlpacaActionLists.parse(answer)
      for await (const { corporate_actions: page } of pages(read, call, MAX_ACTION_PAGES)) {
        for (const [name, elements] of Object.entries(page)) lists.set(name, [...(lists.get(name) ?? []), ...elements])
      }
      const all = Object.entries(AlpacaHoldingActions).map(([name, schema]) => {
        const sent = { service: 'alpaca-data', list: `${call.path} ${name}`, elements: lists.get(name) ?? [] }
        return [name, readEach<z.ZodType>(schema, sent, surroundings.log)]
      })
      return Object.fromEntries(all) as AlpacaHoldingActions
    },
  }
}

/** Their end belongs to the range, ours does not. */
const instants = ({ from, to }: TimeRange) => ({
  start: new Date(from).toISOString(),
  end: new Date(to - 1).toISOString(),
})

/** The host of market data. Bars and quotes under the same keys share one allowance. */
export const alpacaDataClient = (
  baseUrl: string,
  { keyId, secretKey }: AlpacaKeys,
  surroundings: HttpSurroundings,
  patience: Pick<HttpClientOptions, 'timeoutMillis' | 'retry'> = {},
) =>
  httpClient(
    {
      service: 'alpaca-data',
      baseUrl,
      headers: { 'apca-api-key-id': keyId, 'apca-api-secret-key': secretKey },
      secrets: [keyId, secretKey],
      bucket: surroundings.buckets.of(`alpaca-data:${keyId}`, { calls: 200, windowMillis: MINUTE }),
      ...patience,
    },
    surroundings,
  )
