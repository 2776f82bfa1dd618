import { z } from 'zod'
import { sentNumber } from '../market-data/sent-number.ts'

/** Time in seconds, then low, high, open, close in this order, then volume. */
export const CoinbaseCandle = z.tuple([z.number(), sentNumber, sentNumber, sentNumber, sentNumber, sentNumber])

/** Newest first; an interval without trades is left out. */
export const CoinbaseCandles = z.array(z.unknown())
export type CoinbaseCandle = z.infer<typeof CoinbaseCandle>
