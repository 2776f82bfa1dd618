import { z } from 'zod'
import { Sentence } from './answers.ts'
import { BarDate, Figure } from './backtest-figures.ts'
import { longList } from './long-list.ts'

/** What a backtest of rules tells beside its account. Lists called `…_history` have one value per check. */
export const RulesSection = z.object({
  /** The tree that ran, as `rules` of the form had it. */
  tree: z.record(z.string(), z.unknown()),
  /** The tree in plain English, a line each, indented by two spaces a level. */
  reading: z.array(Sentence),
  check_dates: longList(BarDate),
  /** Whether the check traded: not where the account had its weights already, or where its fill lies after the run. */
  trades_history: longList(z.boolean()),
  /** By ticker, as fractions; what is missing to 1 is cash. */
  weights: z.array(z.object({ ticker: z.string(), history: longList(Figure) })),
  /** Ways through the tree that were taken, such as "trend yes", and which one at each check. */
  ways: z.array(z.string()),
  way_history: longList(z.int()),
  blocks: z.array(
    z.object({
      id: z.string(),
      checks_held: z.int(),
      rebalances: z.int(),
      /** Bought and sold by it over the whole run, in values of the account. */
      turnover: z.number(),
    }),
  ),
  /** What was different from the check before; of very many the newest, and how many were left out. */
  changes: longList(
    z.object({
      date: BarDate,
      block: z.string(),
      /** The member of a pick. */
      ticker: z.string().nullable(),
      what: z.enum(['answer', 'branch', 'choice', 'rebalance']),
      before: z.string(),
      now: z.string(),
      /** Both sides of a comparison. */
      left: z.number().nullable(),
      right: z.number().nullable(),
    }),
  ),
  changes_left_out: z.int(),
  /** Conditions after the last check, latches among them; null is no answer. */
  answers: z.array(z.object({ block: z.string(), ticker: z.string().nullable(), answer: z.boolean().nullable() })),
  /** Conditions and picks without a value on any bar, mostly for lack of history, each with a sentence to show at it. */
  silent_blocks: z.array(z.object({ block: z.string(), sentence: Sentence })),
  honesty: z.object({
    /** Is any feature or decision different when the data after it is left out? */
    truncation: z.object({
      passed: z.boolean(),
      checked_instants: z.int(),
      failed_features: z.array(z.string()),
      checked_decisions: z.int(),
      failed_decisions: z.int(),
    }),
  }),
})
