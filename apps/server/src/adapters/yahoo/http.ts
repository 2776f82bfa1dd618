import { SECOND, type TimeRange } from '@tradewright/core/time'
import { z } from 'zod'
import { HttpFailure } from '../http/http-failure.ts'
import { httpClient, type HttpSurroundings } from '../http/http-client.ts'
import { sentNumber } from '../market-data/delivery.ts'

export type YahooInterval = '1m' | '5m' | '15m' | '60m' | '1d'

export interface YahooHttp {
  /** Undefined when Yahoo does not know the symbol. */
  chart(
    symbol: string,
    interval: YahooInterval,
    range: TimeRange,
    signal: AbortSignal,
  ): Promise<YahooResult | undefined>
}

/** Yahoo has not published a limit; clients are blocked for hours after bursts of some hundreds of calls. */
const PACE = { calls: 1, windowMillis: 300 }

export function yahooHttp(baseUrl: string, surroundings: HttpSurroundings): YahooHttp {
  const http = httpClient(
    {
      service: 'yahoo',
      baseUrl,
      // Without something that looks like a browser it answers 429 at once.
      headers: { 'user-agent': 'Mozilla/5.0 (compatible; Tradewright)' },
      bucket: surroundings.buckets.of('yahoo', PACE),
      retry: { limitBackOffMillis: 60_000 },
    },
    surroundings,
  )
  return {
    async chart(symbol, interval, { from, to }, signal) {
      const query = {
        period1: Math.floor(from / SECOND),
        period2: Math.ceil(to / SECOND),
        interval,
        events: 'div|split',
        includePrePost: 'false',
      }
      try {
        const answer = await http.json({ path: `/v8/finance/chart/${encodeURIComponent(symbol)}`, query, signal })
        return onlyResult(answer, interval)
      } catch (error) {
        const refusal = refusalOf(error)
        if (!refusal) throw error
        if (refusal.code === 'Not Found') return undefined
        throw new HttpFailure('bad-request', `it refused the request: ${refusal.description.replace(/\.$/, '')}`, {
          cause: error,
        })
      }
    },
  }
}

function onlyResult(answer: unknown, interval: YahooInterval): YahooResult {
  const result = YahooChart.parse(answer).chart.result[0]!
  const sent = result.meta.dataGranularity
  // It has been seen to answer with coarser bars than were asked for.
  if (sent && sent !== interval && !(sent === '1h' && interval === '60m')) {
    throw new HttpFailure('malformed', `it sent ${sent} bars where ${interval} bars were requested`)
  }
  return result
}

function refusalOf(error: unknown): { code: string; description: string } | undefined {
  if (!(error instanceof HttpFailure) || !error.body.startsWith('{')) return undefined
  try {
    return YahooRefusal.safeParse(JSON.parse(error.body)).data?.chart.error
  } catch {
    return undefined
  }
}

const values = z.array(sentNumber).optional()

const Meta = z.object({
  symbol: z.string(),
  currency: z.string().nullish(),
  exchangeTimezoneName: z.string().nullish(),
  gmtoffset: z.number().default(0),
  dataGranularity: z.string().nullish(),
  /** Unix seconds. */
  firstTradeDate: z.number().nullish(),
})

const Result = z.object({
  meta: Meta,
  // Absent when there is nothing in the range.
  timestamp: z.array(z.number()).default([]),
  events: z
    .object({
      dividends: z.record(z.string(), z.object({ date: z.number(), amount: z.number() })).default({}),
      splits: z
        .record(z.string(), z.object({ date: z.number(), numerator: z.number(), denominator: z.number() }))
        .default({}),
    })
    .default({ dividends: {}, splits: {} }),
  indicators: z.object({
    quote: z.array(z.object({ open: values, high: values, low: values, close: values, volume: values })).default([]),
    adjclose: z.array(z.object({ adjclose: values })).default([]),
  }),
})

/** The v8 chart answer: parallel arrays, any entry of which may be null. */
const YahooChart = z.object({ chart: z.object({ result: z.array(Result).min(1) }) })
export type YahooResult = z.infer<typeof Result>

/** Yahoo's sentence when it refuses. */
const YahooRefusal = z.object({
  chart: z.object({ error: z.object({ code: z.string(), description: z.string() }) }),
})
