import { choicesOf } from '@tradewright/core/backtest-settings'
import { z } from 'zod'

const DATE = /^\d{4}-\d{2}-\d{2}$/
const IsoDate = z.string().regex(DATE, 'must be a date like 2024-12-31')

/** A strategy as an agent writes it down: exactly one of the ways, or (where it may) the id of a saved one. */
const FIELDS = z.object({
  allocation: z
    .array(z.object({ ticker: z.string().trim().min(1).max(60), percent: z.number() }))
    .min(1)
    .max(30)
    .optional()
    .describe('Fixed percentages of tickers; the rest is cash.'),
  rules: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('A tree of rules: {version, check, cash, root}, as in the guide under Rules.'),
  settings: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Settings as get_strategy gives them, also of ML strategies. Left out ones take their defaults.'),
  start_date: IsoDate.optional().describe('YYYY-MM-DD; left out: five years ago, or that of the settings.'),
  end_date: IsoDate.optional().describe('YYYY-MM-DD; left out: today, or that of the settings.'),
  rebalance: z.enum(choicesOf('rebalanceFrequency')).optional(),
})

export const ProposedStrategy = FIELDS
export type ProposedStrategy = z.infer<typeof ProposedStrategy>

/** Also a saved strategy, by its id. */
export const BacktestedStrategy = FIELDS.extend({
  strategy_id: z.int().optional().describe('A saved strategy, with its own settings.'),
})
export type BacktestedStrategy = z.infer<typeof BacktestedStrategy>
