import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import type { RunControl } from '@tradewright/engine/backtest/progress'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import {
  describeTraining,
  type TrainedModel,
  trainModel,
  type TrainingMode,
} from '@tradewright/engine/live/train-model'
import type { ModelChoice } from '@tradewright/engine/models/settings'
import type { TaskContext } from '../../workers/task.ts'

export interface TrainPayload {
  readonly request: BacktestRequest
  readonly data: MarketData
  readonly choice: ModelChoice
}

/** A compute task: the model of a deployment. */
export function run(
  { request, data, choice, training }: TrainPayload & { readonly training: TrainingMode },
  context: TaskContext,
) {
  return portableModel(trainModel(planBacktest(request), data, choice, training, controlOf(context)))
}

export function portableModel(trained: TrainedModel) {
  const { model, ...about } = trained
  return { ...about, bytes: model.save(), description: describeTraining(trained) }
}

export const controlOf = (context: TaskContext): RunControl => ({
  onProgress: () => {},
  signal: {
    get aborted() {
      return context.isCancelled()
    },
  },
})
