import { z } from 'zod'
import { sentNumber } from '../market-data/sent-number.ts'

export const CoinalyzeMarket = z.object({
  symbol: z.string(),
  exchange: z.string(),
  base_asset: z.string(),
  quote_asset: z.string(),
  is_perpetual: z.boolean(),
  margined: z.string().nullish(),
  has_long_short_ratio_data: z.boolean().default(false),
})

export const CoinalyzeMarkets = z.array(z.unknown())
export type CoinalyzeMarket = z.infer<typeof CoinalyzeMarket>

/** A history row has `t` and, by endpoint, c (rates, open interest), r (ratio) or l and s (liquidations). */
export const CoinalyzeRow = z.object({
  t: z.number(),
  c: sentNumber.optional(),
  r: sentNumber.optional(),
  l: sentNumber.optional(),
  s: sentNumber.optional(),
})

/** A symbol without data may be missing or have an empty history. */
export const CoinalyzeHistory = z.array(z.object({ symbol: z.string(), history: z.array(z.unknown()) }))
export type CoinalyzeRow = z.infer<typeof CoinalyzeRow>
