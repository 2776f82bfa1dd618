import { z } from 'zod'
import { Sentence } from './answers.ts'
import { JobEvent } from './events.ts'
import { PathId } from './ids.ts'
import { route } from './route.ts'

/** The `kind` of a running board on `/api/events`; its subject is the backtest's id. */
export const ROBUSTNESS_JOB = 'robustness'

const params = z.object({ id: PathId })

export const RobustnessUnit = z.enum(['percent', 'ratio', 'money', 'count'])
export type RobustnessUnit = z.infer<typeof RobustnessUnit>

const Verdict = z.enum(['good', 'caution', 'bad', 'unknown'])

const Bar = z.object({
  label: z.string(),
  value: z.number().nullable(),
  /** The run as it was. */
  is_base: z.boolean(),
})
export type RobustnessBar = z.infer<typeof Bar>

/** What a check found, in one of a few shapes. Percentages are fractions. */
export const RobustnessDetails = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('fan'),
    start: z.number(),
    years: z.array(z.number()),
    bands: z.array(z.object({ share: z.number(), values: z.array(z.number()) })),
  }),
  z.object({
    kind: z.literal('histogram'),
    unit: RobustnessUnit,
    from: z.number(),
    step: z.number(),
    counts: z.array(z.int()),
    actual: z.number(),
    mean: z.number(),
    /** Values that speak against the run: from here on, or up to here. */
    marked: z.union([z.object({ from: z.number() }), z.object({ to: z.number() })]),
  }),
  z.object({
    kind: z.literal('bars'),
    unit: RobustnessUnit,
    bars: z.array(Bar),
    line: z.object({ label: z.string(), value: z.number() }).nullable(),
  }),
  z.object({
    kind: z.literal('lines'),
    unit: RobustnessUnit,
    labels: z.array(z.string()),
    lines: z.array(z.object({ name: z.string(), values: z.array(z.number().nullable()) })),
  }),
  z.object({ kind: z.literal('dots'), unit: RobustnessUnit, dots: z.array(Bar), median: z.number() }),
  z.object({
    kind: z.literal('table'),
    /** What the rows stand for, as their heading. */
    row_label: z.string(),
    /** `is_return`: a gain or a loss, coloured as such. */
    columns: z.array(z.object({ label: z.string(), unit: RobustnessUnit, is_return: z.boolean() })),
    rows: z.array(z.object({ label: z.string(), hint: Sentence, cells: z.array(z.number().nullable()) })),
  }),
])
export type RobustnessDetails = z.infer<typeof RobustnessDetails>

export const RobustnessCheck = z.object({
  key: z.string(),
  label: z.string(),
  /** What the check asks. */
  explain: Sentence,
  /** Null where the check is for information alone, or does not apply. */
  judgement: z
    .object({ value: z.number().nullable(), verdict: Verdict, words: Sentence, sentence: Sentence })
    .nullable(),
  /** Why it does not apply, as the end of "n/a because …"; null where it does. */
  not_available: Sentence.nullable(),
  summary: Sentence,
  figures: z.array(
    z.object({
      label: z.string(),
      unit: RobustnessUnit,
      value: z.number().nullable(),
      /** What the figure is, or why there is none. */
      reason: Sentence.nullable(),
    }),
  ),
  details: RobustnessDetails.nullable(),
})
export type RobustnessCheck = z.infer<typeof RobustnessCheck>

export const RobustnessBoard = z.object({
  /** The same seed and data give the same board to the last digit. */
  seed: z.int(),
  /** Identifies the data that the board was computed from. */
  fingerprint: z.string(),
  /** Series whose rows have changed since the result was computed; null where that is not known. */
  changed_series: z.array(z.string()).nullable(),
  computed_at: z.iso.datetime(),
  seconds: z.number(),
  verdict: z.object({
    verdict: Verdict,
    /** The words of the optimizer's verdicts. */
    words: Sentence,
    sentence: Sentence,
    passed: z.int(),
    cautions: z.int(),
    failed: z.int(),
  }),
  checks: z.array(RobustnessCheck),
})
export type RobustnessBoard = z.infer<typeof RobustnessBoard>

export const getRobustness = route({
  method: 'GET',
  path: '/api/backtests/:id/robustness',
  access: 'signed in',
  scope: 'read',
  tag: 'Backtests',
  summary:
    'The robustness board of a saved backtest or a recent run, null before it was computed; and its job while that waits or runs, ' +
    'or after it failed.',
  params,
  answer: z.object({ board: RobustnessBoard.nullable(), job: JobEvent.nullable() }),
})

const MAX_SEED = 0xffff_ffff

export const computeRobustness = route({
  method: 'POST',
  path: '/api/backtests/:id/robustness',
  access: 'signed in',
  scope: 'research',
  addsRows: true,
  tag: 'Backtests',
  summary:
    'Compute the robustness board of a saved backtest or a recent run as a job, and keep it with the result. Answers the job at ' +
    'once; one that is under way for the same result is answered instead of a second. Cancel it by its id.',
  params,
  body: z.object({
    /** Default: that of the run. */
    seed: z.int().min(0).max(MAX_SEED).optional(),
  }),
  answer: JobEvent,
})
