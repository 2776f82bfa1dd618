import {
  checkFrequencies,
  MAX_BLOCKS,
  MAX_STREAK,
  MAX_SUM_TERMS,
  rebalancePeriods,
  RULES_VERSION,
} from '@tradewright/core/rules/tree'
import type * as rules from '@tradewright/core/rules/tree'
import { z } from 'zod'
import { Sentence } from './answers.ts'
import { route } from './route.ts'

/**
 * The tree of a rule strategy, as it is sent, saved, imported and exported. What it means is said in docs/rules.md; what a
 * schema cannot say (sums, references, features) is checked after it.
 */

/** A field that a tree does not have is a mistake of its writer, and is named. `what` is said of what is no object. */
const strict = <Shape extends z.core.$ZodShape>(shape: Shape, what = 'Fill in this part: it must be an object.') =>
  z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? `There is no field "${issue.keys[0] ?? ''}" here.` : what),
  })

const Id = z
  .string('Every block needs an id.')
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/,
    'An id has 1 to 40 letters, digits, - and _, and begins with a letter or digit.',
  )
const named = {
  id: Id,
  name: z
    .string('A name is text.')
    .max(100, 'A name has at most 100 characters.')
    .refine((text) => text.isWellFormed() && !text.includes('\0'), 'A name must not contain control characters.')
    .optional(),
}
const Ticker = z.string('Name a ticker.').max(60, 'A ticker has at most 60 characters.')
const number = (what: string, { min = -1e12, max = 1e12 } = {}) =>
  z
    .number(`${what} must be a number.`)
    .min(min, `${what} must be at least ${min}.`)
    .max(max, `${what} must be at most ${max}.`)
const whole = (what: string, min: number, max: number) =>
  z
    .int(`${what} must be a whole number.`)
    .min(min, `${what} must be at least ${min}.`)
    .max(max, `${what} must be at most ${max}.`)
const Pct = number('A weight', { max: 100 })
const Window = whole('A window', 2, 10_000)
const many = <Item extends z.ZodType>(item: Item, what: string) =>
  z.array(item, `${what} must be a list.`).max(MAX_BLOCKS, `${what}: at most ${MAX_BLOCKS}.`)

const feature = {
  feature: z.string('Choose a feature.').max(60, 'There is no such feature.'),
  params: z.record(
    z.string().max(60),
    z.union([z.string().max(60), z.number()], 'A parameter is a text or a number.'),
    'The parameters of a feature must be an object.',
  ),
}

const Operand: z.ZodType<rules.Operand> = z.discriminatedUnion(
  'kind',
  [
    strict({ kind: z.literal('number'), value: number('The value') }),
    strict({ kind: z.literal('feature'), ...feature }),
    strict({
      kind: z.literal('sum'),
      terms: z
        .array(strict({ times: number('The factor'), ...feature }), 'A sum has a list of terms.')
        .min(1, 'A sum needs a term.')
        .max(MAX_SUM_TERMS, `A sum has at most ${MAX_SUM_TERMS} terms.`),
    }),
  ],
  'A value is a number, a feature or a sum.',
)

const Condition: z.ZodType<rules.Condition> = z.lazy(() =>
  z.discriminatedUnion(
    'kind',
    [
      strict({
        kind: z.literal('compare'),
        ...named,
        left: Operand,
        is: z.enum(['above', 'below'], 'A comparison is above or below.'),
        right: Operand,
        tolerance: z
          .strictObject({
            size: number('The tolerance', { min: 0 }),
            unit: z.enum(['percent', 'points'], 'The unit of a tolerance is percent or points.'),
            latched: z.boolean('Latched is true or false.'),
          })
          .optional(),
      }),
      strict({ kind: z.enum(['all', 'any']), ...named, of: many(Condition, 'The conditions') }),
      strict({ kind: z.literal('not'), ...named, of: Condition }),
      strict({
        kind: z.literal('streak'),
        ...named,
        checks: whole('The number of checks', 1, MAX_STREAK),
        of: Condition,
      }),
      strict({ kind: z.literal('latch'), ...named, enter: Condition, exit: Condition }),
    ],
    'A condition is one of compare, all, any, not, streak and latch.',
  ),
)

const Rebalance: z.ZodType<rules.Rebalance> = z.discriminatedUnion(
  'on',
  [
    strict({ on: z.enum(['check', 'change']) }),
    strict({
      on: z.literal('calendar'),
      every: z.enum(rebalancePeriods, `Rebalancing is ${rebalancePeriods.join(', ')}.`),
    }),
    strict({ on: z.literal('band'), points: number('The band', { min: 0.01, max: 100 }) }),
  ],
  'Rebalancing is on check, calendar, band or change.',
)

const Equal = strict({ kind: z.literal('equal') })
const Fixed = strict({ kind: z.literal('fixed'), pcts: many(Pct, 'The weights') })

const Block: z.ZodType<rules.Block> = z.lazy(() => {
  const divides = { ...named, rebalance: Rebalance.optional(), rest: Block.optional() }
  return z.discriminatedUnion(
    'kind',
    [
      strict({
        kind: z.literal('hold'),
        ...divides,
        rows: many(strict({ ticker: Ticker, pct: Pct }), 'The tickers'),
      }),
      strict({
        kind: z.literal('pick'),
        ...divides,
        tickers: many(Ticker, 'The tickers'),
        eligible: Condition.optional(),
        rank: z
          .strictObject({
            order: z.enum(['top', 'bottom'], 'A ranking takes the top or the bottom.'),
            count: whole('The number of places', 1, MAX_BLOCKS),
            by: Operand,
          })
          .optional(),
        keep: Condition.optional(),
        weights: z.discriminatedUnion(
          'kind',
          [
            Equal,
            Fixed,
            strict({ kind: z.literal('rank') }),
            strict({
              kind: z.enum(['inverse-volatility', 'risk-parity', 'minimum-variance']),
              window: Window,
            }),
          ],
          'Weights of a pick are equal, fixed, rank, inverse-volatility, risk-parity or minimum-variance.',
        ),
        unfilled: z.enum(['rest', 'spread'], 'Empty places go to the rest or are spread.').optional(),
        volatilityTarget: z
          .strictObject({ pct: number('The volatility target', { min: 0.1, max: 1000 }), window: Window })
          .optional(),
      }),
      strict({
        kind: z.literal('group'),
        ...divides,
        children: many(Block, 'The blocks'),
        weights: z.discriminatedUnion('kind', [Equal, Fixed], 'Weights of a group are equal or fixed.'),
      }),
      strict({ kind: z.literal('if'), ...named, condition: Condition, yes: Block, no: Block }),
      strict({ kind: z.literal('use'), ...named, of: Id }),
      strict({ kind: z.literal('cash'), ...named }),
    ],
    'A block is one of hold, pick, group, if, use and cash.',
  )
})

export const RulesTree: z.ZodType<rules.RulesTree> = strict(
  {
    version: z.literal(RULES_VERSION, `The version of the rules must be ${RULES_VERSION}.`),
    check: z.enum(checkFrequencies, `The check must be one of ${checkFrequencies.join(', ')}.`),
    cash: Ticker,
    root: Block,
  },
  'The rules must be a JSON object with version, check, cash and root.',
)

/** What is wrong with one block, to be shown at it. */
export const RuleProblem = z.object({
  /** Null where the tree as a whole is concerned. */
  block: z.string().nullable(),
  /** The way to it: `root.yes.rest`. */
  path: z.string(),
  sentence: Sentence,
})
export type RuleProblem = z.infer<typeof RuleProblem>

export const listRuleExamples = route({
  method: 'GET',
  path: '/api/rules/examples',
  access: 'signed in',
  scope: 'read',
  tag: 'Strategies',
  summary: 'Published rule sets as trees to begin with, each with its source.',
  answer: z.object({
    examples: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        description: z.string(),
        source: z.string(),
        /** As `rules` of the form takes it. */
        tree: z.record(z.string(), z.unknown()),
        /** The tree in plain English, a line each. */
        reading: z.array(Sentence),
      }),
    ),
  }),
})
