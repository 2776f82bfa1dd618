import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { describeTraining, trainModel, type TrainingMode } from '@tradewright/engine/live/train-model'
import type { ModelChoice } from '@tradewright/engine/models/model-choice'
import type { TaskContext } from '../workers/task.ts'

interface TrainPayload {
  readonly request: BacktestRequest
  readonly data: MarketData
  readonly choice: ModelChoice
  readonly training: TrainingMode
}

/** A compute task: the model of a deployment. */
export function run({ request, data, choice, training }: TrainPayload, context: TaskContext) {
  const trained = trainModel(planBacktest(request), data, choice, training, {
    report: () => {},
    signal: {
      get aborted() {
        return context.isCancelled()
      },
    },
  })
  const { model, ...about } = trained
  return { ...about, bytes: model.save(), description: describeTraining(trained) }
}
