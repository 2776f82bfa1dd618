import { z } from 'zod'
import { Success } from './answers.ts'
import { BacktestForm } from './backtest-form.ts'
import { BacktestResult } from './backtest-result.ts'
import { PathId } from './ids.ts'
import { route } from './route.ts'
import { SavedBacktestItem } from './saved-backtest-item.ts'
import { SavedConfig } from './strategies.ts'

/** The `kind` of a running backtest on `/api/events`. */
export const BACKTEST_JOB = 'backtest'

/** Choices of the form, in its order. */
export const MODEL_TYPES = ['Random Forest', 'Linear Regression', 'XGBoost'] as const
export const CASHFLOW_FREQUENCIES = ['Yearly', 'Monthly'] as const
export const STUDIO_PROVIDERS = ['auto', 'yahoo', 'fred'] as const
export const REBALANCE_FREQUENCIES = ['none', 'daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const
export const FILL_TIMINGS = ['next_open', 'next_close', 'same_close'] as const

const params = z.object({ id: PathId })

/** The result, and where it was saved. */
export const BacktestAnswer = BacktestResult.extend({
  strategy_id: z.int().nullable(),
  backtest_id: z.int().nullable(),
})
export type BacktestAnswer = z.infer<typeof BacktestAnswer>

export const runBacktest = route({
  method: 'POST',
  path: '/api/backtest',
  access: 'signed in',
  tag: 'Backtests',
  summary:
    'Run a backtest and answer its result. With saveBacktest or saveStrategy the run goes on when the client leaves; ' +
    'without, leaving cancels it. A cancelled run answers 409, one that takes over 10 minutes 503.',
  encoding: 'multipart',
  body: BacktestForm,
  answer: BacktestAnswer,
})

export const checkBacktest = route({
  method: 'POST',
  path: '/api/backtest/check',
  access: 'signed in',
  tag: 'Backtests',
  summary:
    'Read a form without running it. What is allowed but may not be meant comes back as `warnings`, and the sentence ' +
    'with which a run would be refused as `problems`: a form is half-filled while it is typed. Data is not looked at.',
  encoding: 'multipart',
  body: BacktestForm,
  answer: z.object({ warnings: z.array(z.string()), problems: z.array(z.string()) }),
})

export const listBacktests = route({
  method: 'GET',
  path: '/api/backtests/all',
  access: 'signed in',
  tag: 'Backtests',
  summary: "The signed-in user's saved backtests, newest first.",
  answer: z.object({ backtests: z.array(SavedBacktestItem) }),
})

export const SavedBacktest = SavedBacktestItem.extend({ result_data: BacktestResult, strategy_config: SavedConfig })
export type SavedBacktest = z.infer<typeof SavedBacktest>

export const getBacktest = route({
  method: 'GET',
  path: '/api/backtests/:id',
  access: 'signed in',
  tag: 'Backtests',
  summary: 'A saved backtest: its result, and the settings of the form that made it.',
  params,
  answer: SavedBacktest,
})

export const deleteBacktest = route({
  method: 'DELETE',
  path: '/api/backtests/:id',
  access: 'signed in',
  tag: 'Backtests',
  summary: 'Delete a saved backtest.',
  params,
  answer: Success,
})
