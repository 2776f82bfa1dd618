import { Problem } from '@tradewright/core/problem'
import { type EpochDay, type UtcMillis, epochDayOf } from '@tradewright/core/time'
import type { Granularity } from '@tradewright/core/granularity'
import type { MarketData } from '../backtest/market-data.ts'
import { windowJob } from '../backtest/ml-training.ts'
import type { BacktestPlan } from '../backtest/plan.ts'
import { type RunControl, uncontrolled } from '../backtest/progress.ts'
import type { ModelChoice } from '../models/settings.ts'
import { windowNumber, windowOfRow, type WindowSizes, windowSizes } from '../models/splits.ts'
import { knownDataAt } from './known-data.ts'
import { fitted, learningTable, type TrainedModel } from './train-model.ts'
import { barKnownAt, barStamps, type TradingCalendar } from '../market/trading-calendar.ts'

/** Where a deployment stands in the walk-forward windows of its backtest, which go on without end. */
export interface Refit {
  /** The last day of the backtest: its windows are percentages of the rows up to there. */
  readonly sizedTo: EpochDay
  /** How many rows these were; undefined for the first model, which counts them. */
  readonly sizedOnRows: number | undefined
  /** The newest window that has a model, counted from 0; undefined where none has. */
  readonly newest: number | undefined
  readonly at: UtcMillis
}

/** The window of a model, and when the one after it can be trained. */
export interface ModelWindow {
  readonly number: number
  readonly sizedOnRows: number
  /** The stamp of the last bar before its own: it decides on those after it. */
  readonly after: UtcMillis
}

interface Refitted {
  /** Undefined while the next window is not due. */
  readonly refit: { readonly trained: TrainedModel; readonly window: ModelWindow } | undefined
  /** When the next window can be trained at the earliest. */
  readonly nextAt: UtcMillis
}

/**
 * The model of the next walk-forward window, from what is known at an instant. All that it learns from is known when the
 * bar before its first one is complete, so it can be trained before it has to decide. The first model of a deployment, and
 * the first after a pause, is that of the newest bar. Rows, windows and seeds are the backtest's: so is the model, tree by tree.
 */
export function retrainModel(
  plan: BacktestPlan,
  data: MarketData,
  choice: ModelChoice,
  { sizedTo, sizedOnRows: known, newest, at }: Refit,
  control: RunControl = uncontrolled,
): Refitted {
  const learning = learningTable(plan, knownDataAt(data, at), control)
  const { strategy, table, matrix, labels } = learning
  const { usableRows } = matrix
  const { walkForward } = strategy.strategy
  if (!walkForward) throw new Error('only a walk-forward strategy is retrained')
  const { timestamps, days } = table.prices
  const sizedOnRows = known ?? usableRows.filter((row) => days[row]! <= sizedTo).length
  const sizes = windowSizes(sizedOnRows, walkForward, strategy.horizon)
  const rows = usableRows.length
  if (windowOfRow(sizes, rows) < 0) throw tooFew(rows, sizes)
  // The newest row is decided on first; all that the window of the next one learns from is known already.
  const ofNewestRow = Math.max(0, windowOfRow(sizes, rows - 1))
  const isBehind = newest === undefined || newest < ofNewestRow
  const number = isBehind ? ofNewestRow : windowOfRow(sizes, rows)
  const isDue = newest === undefined || number > newest
  const current = isDue ? number : newest
  const missing = Math.max(0, windowNumber(sizes, current + 1).test.from - rows)
  const { granularity, seed } = plan.settings
  const nextAt = barsKnownAt(table.calendar, granularity, timestamps[usableRows.at(-1)!]!, missing)
  if (!isDue) return { refit: undefined, nextAt }
  const window = windowNumber(sizes, number)
  const job = windowJob({ matrix, labels, seed, control }, window, number, true)
  return {
    refit: {
      trained: fitted(learning, choice, { ...job, predictRows: new Int32Array() }),
      window: { number, sizedOnRows, after: timestamps[usableRows[window.test.from - 1]!]! },
    },
    nextAt,
  }
}

const tooFew = (rows: number, { train, gap }: WindowSizes): Problem =>
  new Problem(
    'invalid',
    'deployment.training',
    `There are ${rows} rows of data, and the first walk-forward window needs ${train + gap}.`,
  )

/** When so many bars after a given one are complete, if none is missing: later bars can only come later. */
function barsKnownAt(calendar: TradingCalendar, granularity: Granularity, bar: UtcMillis, count: number): UtcMillis {
  let last = bar
  let left = count
  for (let day = epochDayOf(bar); left > 0; day = calendar.nextSession(day)) {
    if (!calendar.isSession(day)) continue
    for (const stamp of barStamps(calendar, day, granularity)) {
      if (left === 0 || stamp <= bar) continue
      last = stamp
      left--
    }
  }
  return barKnownAt(calendar, last, granularity)
}
