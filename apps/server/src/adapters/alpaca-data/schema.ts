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
export const AlpacaActionLists = z.object({
  corporate_actions: z.record(z.string(), z.array(z.unknown())),
  next_page_token: z.string().nullable(),
})
