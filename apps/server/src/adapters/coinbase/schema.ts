import { z } from 'zod'

/** Time in seconds, then low, high, open, close in this order, then volume. */
const Candle = z.tuple([z.number(), z.number(), z.number(), z.number(), z.number(), z.number()])

/** Newest first; an interval without trades is left out. */
export const CoinbaseCandles = z.array(Candle)
export type CoinbaseCandle = z.infer<typeof Candle>
