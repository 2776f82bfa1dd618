import { z } from 'zod'
import { callShape, document, flag, text } from './setting-schemas.ts'
import { STRATEGY_TYPES } from '@tradewright/core/strategy-kinds'

const types = `${STRATEGY_TYPES.slice(0, -1).join(', ')} or ${STRATEGY_TYPES.at(-1)}`

/**
 * The fields of `POST /api/backtest`, all text as a form sends them. The server reads them and answers 400 with a
 * sentence that names the field; an absent optional field takes the form's default. Empty text counts as absent. Rows
 * without a ticker are skipped.
 */
export const BacktestForm = z.object({
  /** Needed when the strategy or the backtest is saved. */
  strategyName: text,
  /** Updates the user's strategy of the same name and type, or creates one. */
  saveStrategy: flag,
  saveBacktest: flag,
  /** Default: "{strategyName} {start} to {end}". */
  backtestName: text,
  strategyType: text.describe(types),
  ...callShape,
  /** Not used beside `referenceTicker`. */
  referenceBacktestId: text.describe("The id of one of the user's saved backtests; another's answers 404"),
  asOf: text.describe(
    'A moment in UTC like 2024-12-31T15:30:00Z, or a date for its end: only what the data store held then is used, and no ' +
      'provider is asked. Left out: the data of today',
  ),

  /** External signal: signals of a file, lines of time,signal with a header. Goes before `signalsOf`. */
  signals: document(1024 * 1024).describe('CSV'),
  signalsOf: text.describe("The id of one of the user's saved strategies: the signals that it received are used"),

  /** Ask data providers again that could not be reached a moment ago. Not saved with the strategy. */
  retryData: flag,

  /**
   * Chosen by the client, for example a UUID. Events on `/api/events` with `kind: "backtest"` and this as `subject` tell
   * the progress ("Fetching prices", "Window 3 of 9") and the `job_id` with which `POST /api/jobs/{id}/cancel` stops the
   * run. The same run id again, while that run is going on, waits for it instead of starting another.
   */
  runId: text.describe('1 to 100 characters'),
})
export type BacktestForm = z.infer<typeof BacktestForm>
