import { MAX_RECENT_RUNS } from '@tradewright/core/recent-runs'
import { z } from 'zod'
import { LeftOutCount, Sentence, Success } from './answers.ts'
import { BacktestForm } from './backtest-form.ts'
import { BarDate, CurveMetrics, IsoDate, SplicedTickers } from './backtest-figures.ts'
import { BacktestResult } from './backtest-result.ts'
import { PathId } from './ids.ts'
import { longList } from './long-list.ts'
import { route } from './route.ts'
import { RuleProblem } from './rules.ts'
import { SavedBacktestItem } from './saved-backtest-item.ts'
import { nameField, SavedConfig } from './strategies.ts'

/** The `kind` of a running backtest on `/api/events`. */
export const BACKTEST_JOB = 'backtest'

/** Providers that the form offers, in its order. */
export const STUDIO_PROVIDERS = ['auto', 'yahoo', 'fred'] as const

const params = z.object({ id: PathId })

/** The result, and where it was saved. */
export const BacktestAnswer = BacktestResult.extend({
  strategy_id: z.int().nullable(),
  /** Null where the form did not ask to save the backtest. */
  backtest_id: z.int().nullable(),
  /** Under which every run is kept among the recent ones, saved or not; the same as `backtest_id` where that is given. */
  result_id: z.int(),
  result_name: z.string(),
})
export type BacktestAnswer = z.infer<typeof BacktestAnswer>

export const runBacktest = route({
  method: 'POST',
  path: '/api/backtest',
  access: 'signed in',
  scope: 'research',
  idempotent: true,
  addsRows: true,
  tag: 'Backtests',
  summary:
    'Run a backtest and answer its result. With saveBacktest or saveStrategy the run continues when the client disconnects; ' +
    'without, leaving cancels it. A cancelled run answers 409, one that takes over 10 minutes 503.',
  encoding: 'multipart',
  body: BacktestForm,
  answer: BacktestAnswer,
})

export const checkBacktest = route({
  method: 'POST',
  path: '/api/backtest/check',
  access: 'signed in',
  scope: 'research',
  changesNothing: true,
  tag: 'Backtests',
  summary:
    'Check a form without running it. What is allowed but probably not intended comes back as `warnings`, and the ' +
    'reason why a run would be refused as `problems`: a form is half-filled while it is typed. Data is not looked at.',
  encoding: 'multipart',
  body: BacktestForm,
  answer: z.object({
    warnings: z.array(Sentence),
    problems: z.array(Sentence),
    /** For Rules: what is wrong with which block. */
    rule_problems: z.array(RuleProblem).optional(),
    /** For Rules without problems: the tree in plain English, a line each, indented by two spaces a level. */
    reading: z.array(Sentence).optional(),
  }),
})

export const listBacktests = route({
  method: 'GET',
  path: '/api/backtests/all',
  access: 'signed in',
  scope: 'read',
  tag: 'Backtests',
  summary: "The signed-in user's saved backtests, newest first.",
  answer: z.object({ backtests: z.array(SavedBacktestItem), left_out: LeftOutCount }),
})

export const RecentRun = SavedBacktestItem.extend({
  saved: z.boolean(),
  /** A fraction and a ratio; null where the result has none. */
  cagr: z.number().nullable(),
  sharpe: z.number().nullable(),
  max_drawdown: z.number(),
  synthetic: z.boolean(),
  /** Whose prices stood in for a ticker on days of the result. */
  spliced_tickers: SplicedTickers,
})
export type RecentRun = z.infer<typeof RecentRun>

export const listRecentRuns = route({
  method: 'GET',
  path: '/api/backtests/recent',
  access: 'signed in',
  scope: 'read',
  tag: 'Backtests',
  summary:
    `The newest ${MAX_RECENT_RUNS} runs of the signed-in user that were not saved, and the newest ${MAX_RECENT_RUNS} that ` +
    'were, newest first. Of those that were not saved, older ones are deleted.',
  answer: z.object({ runs: z.array(RecentRun), left_out: LeftOutCount }),
})

export const MAX_COMPARED = 6

/** Several results on the days that all of them have. */
export const BacktestComparison = z.object({
  start_date: IsoDate,
  end_date: IsoDate,
  /** The ticker whose first price the period begins with; null where it begins as a run was asked to. */
  start_ticker: z.string().nullable(),
  /** The ticker whose last price it ends with. */
  end_ticker: z.string().nullable(),
  /** In the order of the request. */
  compared: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      /** What it holds: `60% SPY, 40% AGG`. */
      holdings: z.string(),
      rebalance_frequency: z.string(),
      /** First and last day of the result itself. */
      own_start_date: IsoDate,
      own_end_date: IsoDate,
      /** Computed anew for the common period. */
      metrics: CurveMetrics,
      figure_notes: z.record(z.string(), Sentence),
      risk_free: z.string(),
      dates: longList(BarDate),
      /** What one dollar at the period's first close became, flows left out. */
      growth: longList(z.number()),
      synthetic: z.boolean(),
      spliced_tickers: SplicedTickers,
    }),
  ),
})
export type BacktestComparison = z.infer<typeof BacktestComparison>

const BacktestReference = z.union([
  z.object({ id: z.int().positive() }),
  z.object({ run_id: z.string().min(1).max(100) }),
])
export type BacktestReference = z.input<typeof BacktestReference>

export const compareBacktests = route({
  method: 'POST',
  path: '/api/backtests/compare',
  access: 'signed in',
  scope: 'research',
  changesNothing: true,
  tag: 'Backtests',
  summary:
    'Compare results, saved ones by id, others by the runId they were run with, on their common period: every figure is recomputed there. ' +
    'Results without two days in common answer 400.',
  body: z.object({
    backtests: z
      .array(BacktestReference)
      .min(2, 'A comparison needs two backtests.')
      .max(MAX_COMPARED, `At most ${MAX_COMPARED} backtests can be compared.`),
  }),
  answer: BacktestComparison,
})

export const SavedBacktest = SavedBacktestItem.extend({
  /** False for a run that is only kept among the recent ones. */
  saved: z.boolean(),
  result_data: BacktestResult,
  strategy_config: SavedConfig,
})
export type SavedBacktest = z.infer<typeof SavedBacktest>

export const getBacktest = route({
  method: 'GET',
  path: '/api/backtests/:id',
  access: 'signed in',
  scope: 'read',
  tag: 'Backtests',
  summary: 'A saved backtest or a recent run: its result, and the settings of the form that made it.',
  params,
  answer: SavedBacktest,
})

export const saveBacktest = route({
  method: 'POST',
  path: '/api/backtests/:id/save',
  access: 'signed in',
  scope: 'research',
  addsRows: true,
  tag: 'Backtests',
  summary:
    'Save the strategy of a finished run, the run itself as a backtest, or both, as the boxes of the form would have. ' +
    'A strategy of the same name and type is updated.',
  params,
  body: z
    .object({
      /** The strategy's name; the backtest is called by it and its period. */
      name: nameField('The name'),
      save_strategy: z.boolean().default(true),
      save_backtest: z.boolean().default(true),
    })
    .refine(({ save_strategy, save_backtest }) => save_strategy || save_backtest, 'Choose what to save.'),
  answer: SavedBacktestItem.extend({ saved: z.boolean() }),
})

/** Values of a result's series that are no longer what they were when it was computed. */
export const BacktestRevisions = z.object({
  /** The moment whose data the result was computed from; null: not known. */
  data_at: z.iso.datetime().nullable(),
  /** Why nothing can be told; null where the counts can be. */
  reason: Sentence.nullable(),
  values: z.int(),
  revised: z.int(),
  removed: z.int(),
  added: z.int(),
  /** Series with a difference, the most first. */
  series: z.array(
    z.object({
      ticker: z.string(),
      values: z.int(),
      revised: z.int(),
      removed: z.int(),
      /** Values within the period of the series that were not there then. */
      added: z.int(),
      first_date: IsoDate,
    }),
  ),
})
export type BacktestRevisions = z.infer<typeof BacktestRevisions>

export const getBacktestRevisions = route({
  method: 'GET',
  path: '/api/backtests/:id/revisions',
  access: 'signed in',
  scope: 'read',
  tag: 'Backtests',
  summary:
    'How many values that a result was computed from were revised, removed or added since: what the data store held then ' +
    'is compared with what it holds now. No provider is asked.',
  params,
  answer: BacktestRevisions,
})

export const renameBacktest = route({
  method: 'PUT',
  path: '/api/backtests/:id',
  access: 'signed in',
  scope: 'research',
  tag: 'Backtests',
  summary: 'Rename a saved backtest or a recent run. Its strategy keeps its name.',
  params,
  body: z.object({ name: nameField('The name') }),
  answer: SavedBacktestItem.extend({ saved: z.boolean() }),
})

export const deleteBacktest = route({
  method: 'DELETE',
  path: '/api/backtests/:id',
  access: 'signed in',
  scope: 'research',
  tag: 'Backtests',
  summary: 'Delete a saved backtest or a recent run, and the links that share it.',
  params,
  answer: Success,
})
