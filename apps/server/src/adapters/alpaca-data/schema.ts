import { z } from 'zod'
import { sentNumber } from '../market-data/sent-number.ts'

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
export const AlpacaBars = z.object({
  bars: z.record(z.string(), z.array(z.unknown())).nullable(),
  next_page_token: z.string().nullable(),
})

const Dividend = z.object({ symbol: z.string(), ex_date: z.string(), rate: z.number() })
const Split = z.object({ symbol: z.string(), ex_date: z.string(), new_rate: z.number(), old_rate: z.number() })

export const AlpacaCorporateActions = z.object({
  corporate_actions: z.object({
    cash_dividends: z.array(Dividend).default([]),
    forward_splits: z.array(Split).default([]),
    reverse_splits: z.array(Split).default([]),
  }),
  next_page_token: z.string().nullable(),
})
export type AlpacaActions = z.infer<typeof AlpacaCorporateActions>['corporate_actions']
