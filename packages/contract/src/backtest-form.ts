import { modelLabels } from '@tradewright/core/model-catalogue'
import { MAX_ALLOCATION_ROWS } from '@tradewright/core/ticker'
import { z } from 'zod'
import { WORD_MAX_LENGTH } from './bounds.ts'

/**
 * The fields of `POST /api/backtest`, all text as a form sends them. The server reads them and answers 400 with a
 * sentence that names the field; an absent optional field takes the form's default. Empty text counts as absent.
 */
const text = z.string().max(WORD_MAX_LENGTH).optional()
/** JSON or CSV in a field. */
const document = (maxLength: number) => z.string().max(maxLength).optional()

const [defaultLabel, ...otherLabels] = modelLabels
const modelChoices = `${[`${defaultLabel} (default)`, ...otherLabels.slice(0, -1)].join(', ')} or ${otherLabels.at(-1)}`
const repeated = z
  .array(z.string().max(WORD_MAX_LENGTH))
  .max(MAX_ALLOCATION_ROWS, `An allocation has at most ${MAX_ALLOCATION_ROWS} tickers.`)
  .optional()

/** Also `on`/`off`, `1`/`0`, `yes`/`no`. */
const flag = text.describe('true or false')

export const BacktestForm = z.object({
  /** Needed when the strategy or the backtest is saved. */
  strategyName: text,
  /** Updates the user's strategy of the same name and type, or creates one. */
  saveStrategy: flag,
  saveBacktest: flag,
  /** Default: "{strategyName} {start} to {end}". */
  backtestName: text,
  strategyType: text.describe('Asset Allocation, ML, Rules or External signal'),
  startDate: text.describe('YYYY-MM-DD'),
  endDate: text.describe('YYYY-MM-DD'),
  /** For Asset Allocation: invested at the close before the start date instead of at the first close. */
  includeFirstReturn: flag,
  startValue: text.describe('Above 0; default 10000'),
  cashflow: text.describe('Default 0; negative withdraws'),
  cashflowFreq: text.describe('Yearly (default), Monthly or Quarterly'),
  cashflowKind: text.describe(
    'dollars (default), percent of the balance, or inflation: dollars of the start that grow with consumer prices',
  ),
  adjustInflation: flag,
  investDividends: flag,
  /** Trimmed and upper-cased; goes before `referenceBacktestId`. */
  referenceTicker: text,
  referenceBacktestId: text.describe("The id of one of the user's saved backtests; another's answers 404"),
  dataProvider: text.describe('auto (default), yahoo, fred or the id of another provider'),
  asOf: text.describe(
    'A moment in UTC like 2024-12-31T15:30:00Z, or a date for its end: only what the data store held then is used, and no ' +
      'provider is asked. Left out: the data of today',
  ),
  dataGranularity: text.describe('daily (default), hourly, 15minute, 5minute or minute'),

  /** Asset Allocation: one ticker and one percent per row. Rows without a ticker are skipped. */
  'ticker[]': repeated,
  'allocation[]': repeated,

  /** Rules: the tree of blocks, as docs/rules.md has it. */
  rules: document(300_000).describe('JSON of {version, check, cash, root}'),

  /** External signal: what signals may ask for, as docs/external-signals.md has it. */
  external: document(200_000).describe('JSON of {allocations, initial, max_weight_pct}'),
  /** External signal: signals of a file, lines of time,signal with a header. Goes before `signalsOf`. */
  signals: document(1024 * 1024).describe('CSV'),
  signalsOf: text.describe("The id of one of the user's saved strategies: the signals that it received are used"),

  mlModelType: text.describe(modelChoices),
  trainSize: text.describe('Percent, default 70'),
  testSize: text.describe('Percent, default 100 - trainSize; both together must be 100'),
  walkForwardEnabled: flag,
  wfStepSizePct: text.describe('Left out: automatic'),
  wfTrainWindowPct: text.describe('Default 50'),
  wfTestWindowPct: text.describe('Default 10'),
  max_features: document(500_000).describe('sqrt (default), log2, auto, all, a share up to 1, or a number of columns'),
  min_samples_leaf: text.describe('Rows, default 3; below 1 a share of the training rows (recommended: 0.05)'),
  min_samples_split: text.describe('Default 3'),
  n_estimators: text.describe('1 to 5000, default 3000 (recommended: 500)'),
  /** Settings of XGBoost alone; the four settings of trees above are not its own. */
  boosting_rounds: text.describe('1 to 5000, default 100 (recommended: 200)'),
  max_depth: text.describe('1 to 16, default 6 (recommended: 2)'),
  learning_rate: text.describe('Default 0.3 (recommended: 0.05)'),
  min_leaf_share: text.describe('Of the training rows, up to 0.5; left out: none (recommended: 0.02)'),
  find_rounds: flag.describe('Finds the number of rounds, up to boosting_rounds, on purged folds of the training rows'),
  features: document(500_000).describe('JSON list of {id, name, params}'),
  target: document(20_000).describe('JSON of {id, params}, or an id'),
  'signal1_ticker[]': repeated,
  'signal1_allocation[]': repeated,
  'signal0_ticker[]': repeated,
  'signal0_allocation[]': repeated,

  rebalanceFrequency: text.describe('none, daily, weekly, monthly, quarterly or yearly (default)'),
  rebalanceBandPct: text.describe('Absolute band in percentage points; left out: none'),
  tradingCostBps: text.describe('Default 1'),
  commission: text.describe('Dollars per trade, default 0'),
  halfSpreadBps: text.describe('Half of the bid-ask spread in basis points, beside the trading cost; default 0'),
  impactFactor: text.describe(
    'Market impact: this times the volatility of a bar times the root of the order over the volume; default 0, usual 1',
  ),
  fillTiming: text.describe('next_open (default), next_close or same_close, of decisions by a model or by rules'),
  seed: text.describe('Whole number, default 42'),
  /** Allows negative allocations, which are short positions. */
  shortBorrowPct: text.describe('Cost of borrowed shares in percent a year, 0 to 1000; left out: no short positions'),
  maintenanceMargin: text.describe(
    'Of accounts that borrow: us (default, as US brokers ask for), off, or percent of every position',
  ),
  riskFreeTicker: text.describe('Left out: the 3-month T-bill where it is available'),
  endedTicker: text.describe('When the prices of a ticker end early: stop (default), cash or replace'),
  replacementTicker: text.describe('Held in place of a ticker that ended, with endedTicker replace'),
  delistingReturnPct: text.describe(
    'Final value of a ticker that ended, in percent off its last price, with endedTicker cash or replace: 0 (default), ' +
      '-100 for a total loss, -30 as is usual for delisted shares',
  ),
  /** Without it a run that would trade real prices of one ticker and synthetic ones of another is refused. */
  allowMixedPrices: flag,
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
