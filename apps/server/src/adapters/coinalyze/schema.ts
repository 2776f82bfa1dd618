import { z } from 'zod'

const Market = z.object({
  symbol: z.string(),
  exchange: z.string(),
  base_asset: z.string(),
  quote_asset: z.string(),
  is_perpetual: z.boolean(),
  margined: z.string().nullish(),
  has_long_short_ratio_data: z.boolean().default(false),
})

export const CoinalyzeMarkets = z.array(Market)
export type CoinalyzeMarket = z.infer<typeof Market>

/** A history row has `t` and, by endpoint, c (rates, open interest), r (ratio) or l and s (liquidations). */
const Row = z.object({
  t: z.number(),
  c: z.number().optional(),
  r: z.number().optional(),
  l: z.number().optional(),
  s: z.number().optional(),
})

/** A symbol without data may be missing or have an empty history. */
export const CoinalyzeHistory = z.array(z.object({ symbol: z.string(), history: z.array(Row) }))
export type CoinalyzeRow = z.infer<typeof Row>
