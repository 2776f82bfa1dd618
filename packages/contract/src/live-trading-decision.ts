import { z } from 'zod'
import { Sentence } from './answers.ts'

const money = z.number()

const FeatureInfluence = z.object({
  feature: z.string(),
  value: z.number().nullable(),
  /** How far it moved the prediction, in `unit`; the base and all contributions add up to the prediction. */
  contribution: z.number(),
})

const TargetWeight = z.object({
  symbol: z.string(),
  signal_ticker: z.string(),
  /** A fraction of the deployment's value. */
  weight: z.number(),
})

/** The order is in borrowed shares: sold short, or bought to give them back. */
const isShort = z.boolean()

export const PlannedOrder = z.object({
  symbol: z.string(),
  side: z.enum(['buy', 'sell']),
  is_short: isShort,
  quantity: z.number().nullable(),
  notional: money.nullable(),
  estimated_value: money,
})

/** The states of a rule strategy that are stored with a decision. */
const RulesDecision = z.object({
  /** In one line: which blocks decided, and the states of the latches. */
  reading: Sentence,
  /** The bar of the last check; null before the first. */
  checked_bar: z.iso.datetime().nullable(),
  /** The last check that wanted to trade; null before the first. */
  trade_bar: z.iso.datetime().nullable(),
  /** Each `if` that is held, and its branch. */
  way: z.array(z.object({ block: z.string(), branch: z.enum(['yes', 'no']) })),
  /** What each pick that is held chose. */
  chosen: z.array(z.object({ block: z.string(), tickers: z.array(z.string()) })),
  /** Conditions that keep their answer; null is no answer yet. */
  latches: z.array(z.object({ block: z.string(), ticker: z.string().nullable(), on: z.boolean().nullable() })),
  /** Why the last trade was wanted: the blocks that were divided anew, and by what. */
  rebalanced: z.array(
    z.object({ block: z.string(), reason: z.enum(['entered', 'check', 'calendar', 'band', 'change']) }),
  ),
  /** Checks in a row at which a condition was true, of streaks. */
  streaks: z.array(z.object({ block: z.string(), checks: z.int() })),
  /** How each held block is divided: its parts in their order, then the rest; 1 is all of it. */
  held: z.array(z.object({ block: z.string(), weights: z.array(z.number()) })),
})

export const Decision = z.object({
  id: z.int().nullable(),
  /** The scheduled instant that it was made for. */
  decided_for: z.iso.datetime(),
  decided_at: z.iso.datetime(),
  /** The stamp of the newest bar that it knew. */
  data_as_of: z.iso.datetime().nullable(),
  signal_type: z.string(),
  signal: z.union([z.literal(0), z.literal(1)]).nullable(),
  probability: z.number().nullable(),
  /** `probability` or `log-odds`. */
  unit: z.string().nullable(),
  base: z.number().nullable(),
  /** The version of the model that predicted; null without one. */
  model_version: z.int().nullable(),
  influences: z.array(FeatureInfluence),
  /** Null for strategies without rules. */
  rules: RulesDecision.nullable(),
  /** The signal from outside that counted; null for other strategies. */
  external: z
    .object({
      /** The target in words. */
      target: z.string(),
      /** Null before the first signal. */
      received_at: z.iso.datetime().nullable(),
    })
    .nullable(),
  target_weights: z.array(TargetWeight),
  /** Why it trades or does not, as a sentence. */
  reason: Sentence,
  outcome: z.enum(['selling', 'buying', 'done', 'held', 'dry_run', 'refused', 'incomplete']),
  synthetic: z.boolean(),
  synthetic_tickers: z.array(z.string()),
  /** What is odd about the data behind it, as sentences that name ticker, dates and effect. */
  data_notes: z.array(Sentence),
})
export type Decision = z.infer<typeof Decision>

export const OrderView = z.object({
  client_order_id: z.string(),
  broker_order_id: z.string().nullable(),
  symbol: z.string(),
  side: z.enum(['buy', 'sell']),
  is_short: isShort,
  quantity: z.number().nullable(),
  notional: money.nullable(),
  filled_quantity: z.number(),
  average_price: money.nullable(),
  state: z.string(),
  reason: Sentence.nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})
