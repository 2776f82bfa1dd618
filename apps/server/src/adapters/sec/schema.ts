import { z } from 'zod'

/** An object keyed by decimal strings instead of a list. */
export const SecTickers = z.record(z.string().regex(/^\d+$/), z.unknown())

export const SecTicker = z.object({ cik_str: z.number(), ticker: z.string().min(1), title: z.string() })
