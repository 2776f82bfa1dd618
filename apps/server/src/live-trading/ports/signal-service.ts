import type { Decimal } from '@tradewright/core/decimal'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import type { LiveSignal } from '@tradewright/engine/live/signal-now'
import type { TrainingMode } from '@tradewright/engine/live/train-model'
import type { ModelChoice } from '@tradewright/engine/models/model-choice'
import type { StoredModel } from './models.ts'

interface SignalQuestion {
  readonly userId: number
  readonly request: BacktestRequest
  readonly provider: string
  readonly model: Uint8Array | undefined
  readonly at: number
  /** Trading tickers whose newest price is wanted beside the signal. */
  readonly tickers: readonly string[]
}

interface SignalAnswer {
  readonly signal: LiveSignal
  /** The newest known closes. */
  readonly prices: ReadonlyMap<string, number>
}

interface TrainingAnswer extends Omit<StoredModel, 'recipe' | 'trainedAt'> {
  readonly description: string
}

/** Fetches and computes away from the thread that answers requests. */
export interface SignalService {
  signal(question: SignalQuestion, signal: AbortSignal): Promise<SignalAnswer>
  /** The same for deployments that decide together at one instant: what they share is found out once. */
  forOnePoll(): SignalService
  train(
    question: Pick<SignalQuestion, 'userId' | 'request' | 'provider'> & {
      readonly choice: ModelChoice
      readonly training: TrainingMode
    },
    signal: AbortSignal,
  ): Promise<TrainingAnswer>
  /** Splits of a ticker that took effect in these days, both included: new shares per old one. */
  splits(userId: number, ticker: string, from: number, last: number): Promise<Decimal[]>
}
