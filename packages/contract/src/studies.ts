import { STUDY_LIMITS, studyMeasureKeys, studyMethods } from '@tradewright/core/rules/study'
import { z } from 'zod'
import { LeftOutCount, Sentence, Success } from './answers.ts'
import { IsoDate } from './backtest-figures.ts'
import { BacktestForm } from './backtest-form.ts'
import { PathId } from './ids.ts'
import { longList } from './long-list.ts'
import { route } from './route.ts'
import { SavedConfig } from './strategies.ts'

/** The `kind` of a study on `/api/events`; its `subject` is the study's id as text. */
export const STUDY_JOB = 'parameter-study'

const tag = 'Parameter studies'
const params = z.object({ id: PathId })

const NumberRange = z.object({
  path: z
    .string()
    .max(300)
    .describe('The path to the number in the JSON of the rules: root.condition.right.params.window'),
  from: z.number(),
  to: z.number(),
  step: z.number(),
})

const { holdOutPct } = STUDY_LIMITS

export const StudyRequest = z.object({
  backtest: BacktestForm.omit({
    saveStrategy: true,
    saveBacktest: true,
    backtestName: true,
    referenceBacktestId: true,
    runId: true,
  }).describe('The fields of POST /api/backtest, of a strategy of type Rules; nothing is saved as a backtest'),
  numbers: z.array(NumberRange).max(50),
  method: z.enum(studyMethods).default('grid').describe('Every combination of the values, or a random sample'),
  count: z.int().min(2).max(STUDY_LIMITS.variants).default(500).describe('Variants of a random search'),
  seed: z.int().min(0).max(2_147_483_647).default(42).describe('Of a random search'),
  hold_out_pct: z
    .number()
    .min(holdOutPct.min)
    .max(holdOutPct.max)
    .default(holdOutPct.default)
    .describe('The last part of the period, which the choice of the best variant never sees'),
  measure: z.enum(studyMeasureKeys).default('sharpe').describe('What the best variant is chosen by'),
})

const Figure = z.number().nullable()
/** Drawdowns are negative; a CAGR of 0.08 is 8% a year. */
const Figures = z.object({ sharpe: Figure, cagr: Figure, calmar: Figure, maxDrawdown: Figure })
const Parts = z.object({ in_sample: Figures, hold_out: Figures.nullable() })
const FigureColumns = z.object({
  sharpe: longList(Figure),
  cagr: longList(Figure),
  calmar: longList(Figure),
  maxDrawdown: longList(Figure),
})

const Judgement = z.object({
  verdict: z.enum(['good', 'caution', 'bad', 'unknown']),
  words: Sentence,
  sentence: Sentence,
})
export type StudyJudgement = z.infer<typeof Judgement>

const StudyNumber = NumberRange.extend({
  label: z.string(),
  present: z.number().describe('The value in the rules that were studied'),
  values: z.array(z.number()),
})

export const StudyItem = z.object({
  id: z.int(),
  status: z.enum(['running', 'completed', 'failed', 'cancelled']),
  strategy_name: z.string(),
  start_date: IsoDate,
  end_date: IsoDate,
  numbers: z.array(z.string()).describe('Their names'),
  method: z.enum(studyMethods),
  variants: z.int(),
  evaluated: z.int(),
  /** Time at work, and how far it is while it runs. */
  seconds: z.number(),
  progress: z.object({ fraction: z.number(), note: Sentence }).nullable(),
  error_message: Sentence.nullable(),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
})
export type StudyItem = z.infer<typeof StudyItem>

const StudyResults = z.object({
  /** By variant: its place among all combinations of the values; the last number counts fastest. */
  cells: longList(z.int()),
  in_sample: FigureColumns,
  hold_out: FigureColumns.nullable(),
  trials: z.int(),
  failed: z.int(),
  failure: Sentence.nullable(),
  best: z.int().nullable(),
  present_cell: z.int().nullable(),
  present: Parts.nullable(),
  holding: Parts.nullable(),
  holding_tickers: z.array(z.string()),
  median: Figure,
  above_holding: z.int().nullable(),
  neighbours: z.array(z.int()),
  neighbourhood: z.object({ median: z.number(), least: z.number(), most: z.number(), count: z.int() }).nullable(),
  effects: z.array(z.object({ path: z.string(), least: z.number(), most: z.number() })),
  deflated_sharpe: Figure,
  summary: Judgement,
  deflated: Judgement,
  hold_out_verdict: Judgement,
  neighbourhood_verdict: Judgement,
  actual_start: IsoDate,
  actual_end: IsoDate,
  hold_out_start: IsoDate.nullable(),
  bars: z.int(),
  risk_free: z.string(),
  synthetic: z.boolean(),
  notes: z.array(Sentence),
})

export const Study = StudyItem.omit({ numbers: true }).extend({
  numbers: z.array(StudyNumber),
  measure: z.enum(studyMeasureKeys),
  hold_out_pct: z.number(),
  /** The settings of the Studio that the study was started from. */
  config: SavedConfig,
  results: StudyResults.nullable(),
})
export type Study = z.infer<typeof Study>

export const startStudy = route({
  method: 'POST',
  path: '/api/parameter-studies',
  access: 'signed in',
  scope: 'research',
  idempotent: true,
  addsRows: true,
  tag,
  summary:
    'Start a study: the backtest of a rule strategy with other numbers, up to 10,000 times. It continues when the client ' +
    'leaves; read it again until it has ended.',
  body: StudyRequest,
  answer: Success.extend({ study: StudyItem }),
})

export const listStudies = route({
  method: 'GET',
  path: '/api/parameter-studies',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: "The signed-in user's studies, newest first.",
  answer: z.object({ studies: z.array(StudyItem), left_out: LeftOutCount }),
})

export const getStudy = route({
  method: 'GET',
  path: '/api/parameter-studies/:id',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'A study with the figures of all its variants, once it is complete.',
  params,
  answer: Study,
})

export const cancelStudy = route({
  method: 'POST',
  path: '/api/parameter-studies/:id/cancel',
  access: 'signed in',
  scope: 'research',
  tag,
  summary: 'Stop a study within seconds. One that has ended stays as it is.',
  params,
  answer: Success.extend({ study: StudyItem }),
})

export const deleteStudy = route({
  method: 'DELETE',
  path: '/api/parameter-studies/:id',
  access: 'signed in',
  scope: 'research',
  tag,
  summary: 'Delete a study; one in progress is stopped.',
  params,
  answer: Success,
})
