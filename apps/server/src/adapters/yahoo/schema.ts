import { z } from 'zod'
import { sentNumber } from '../market-data/sent-number.ts'

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
export const YahooChart = z.object({ chart: z.object({ result: z.array(Result).min(1) }) })
export type YahooResult = z.infer<typeof Result>

/** Yahoo's sentence when it refuses. */
export const YahooRefusal = z.object({
  chart: z.object({ error: z.object({ code: z.string(), description: z.string() }) }),
})
