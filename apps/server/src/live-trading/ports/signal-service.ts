import type { Decimal } from '@tradewright/core/decimal'
import type { EpochDay, UtcMillis } from '@tradewright/core/time'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import type { ModelWindow, Refit } from '@tradewright/engine/live/retrain-model'
import type { MonthReplay } from '@tradewright/engine/live/replay-month'
import type { RulesMemory } from '@tradewright/engine/live/rules-follower'
import type { LiveSignal } from '@tradewright/engine/live/signal-now'
import type { ListedAction } from '@tradewright/engine/market/provider'
import type { TrainingMode } from '@tradewright/engine/live/train-model'
import type { ModelChoice } from '@tradewright/engine/models/settings'
import type { DataChoice } from '../deployment.ts'
import type { OutcomesQuestion } from '../signals/outcomes-task.ts'
import type { MonthQuestion } from '../replay/replay-month-task.ts'
import type { StoredModel } from './models.ts'

/** A model as it is stored, for the bars after a stamp; null: for all. */
export interface ModelBytes {
  readonly version: number
  readonly after: UtcMillis | null
  readonly bytes: Uint8Array
}

interface SignalQuestion extends DataChoice {
  readonly userId: number
  readonly request: BacktestRequest
  /** The models that may decide now, oldest first; none for a strategy that predicts nothing. */
  readonly models: readonly ModelBytes[]
  /** What the decision before left, for a rule strategy; undefined before the first one, and for other strategies. */
  readonly memory?: RulesMemory | undefined
  readonly at: number
  /** Trading tickers whose newest price is wanted beside the signal. */
  readonly tickers: readonly string[]
}

interface SignalAnswer {
  readonly signal: LiveSignal
  /** The newest known closes. */
  readonly prices: ReadonlyMap<string, number>
}

interface TrainingAnswer extends Omit<StoredModel, 'recipe' | 'trainedAt' | 'version' | 'after' | 'window'> {
  readonly description: string
}

export interface RetrainingAnswer {
  /** Undefined while the next window is not due. */
  readonly model: (TrainingAnswer & { readonly window: ModelWindow }) | undefined
  /** When the next window can be trained at the earliest. */
  readonly nextAt: UtcMillis
}

type TrainingQuestion = Pick<SignalQuestion, 'userId' | 'request' | keyof DataChoice> & { readonly choice: ModelChoice }

export interface DollarVolume {
  readonly averageUsd: number
  readonly isSynthetic: boolean
}

/** Fetches and computes away from the thread that answers requests. */
export interface ListedDividend {
  readonly exDay: EpochDay
  readonly amount: number
}

export interface SignalService {
  signal(question: SignalQuestion, signal: AbortSignal): Promise<SignalAnswer>
  /** The same for deployments that decide together at one instant: what they share is found out once. */
  forOnePoll(): SignalService
  /** The same, asking data providers again that have just failed. */
  retrying(): SignalService
  train(
    question: TrainingQuestion & {
      readonly training: TrainingMode
      /** For a simulation, which must not take threads from deployments that trade. */
      readonly isTrial?: boolean
    },
    signal: AbortSignal,
  ): Promise<TrainingAnswer>
  /** The model of the next walk-forward window. */
  retrain(question: TrainingQuestion & { readonly refit: Refit }, signal: AbortSignal): Promise<RetrainingAnswer>
  /** What a deployment would have done since a day; undefined where there is no bar of these days. */
  replayMonth(
    question: MonthQuestion & Pick<SignalQuestion, 'userId' | keyof DataChoice>,
    signal: AbortSignal,
  ): Promise<MonthReplay | undefined>
  /** Whether what a model predicted at these bars came true; null where that is not known yet. */
  outcomes(
    question: OutcomesQuestion & Pick<SignalQuestion, 'userId' | keyof DataChoice>,
    signal: AbortSignal,
  ): Promise<readonly (boolean | null)[]>
  /** Splits of a ticker that took effect in these days, both included: new shares per old one. */
  splits(userId: number, ticker: string, from: number, last: number): Promise<Decimal[]>
  /** Dividends of a ticker that went ex in these days, both included, in dollars a share. */
  dividends(userId: number, ticker: string, from: number, last: number): Promise<readonly ListedDividend[]>
  /**
   * Mergers, changes of symbol, spin-offs and the like of these tickers in these days, both included. Undefined where the
   * user has no data provider that lists them.
   */
  listedActions(
    userId: number,
    tickers: readonly string[],
    from: number,
    last: number,
  ): Promise<readonly ListedAction[] | undefined>
  /** What is traded of each on an average day up to this one, in dollars; those without a volume are left out. */
  dollarVolumes(userId: number, tickers: readonly string[], last: number): Promise<ReadonlyMap<string, DollarVolume>>
}
