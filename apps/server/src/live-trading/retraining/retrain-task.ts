import { planBacktest } from '@tradewright/engine/backtest/plan'
import { type Refit, retrainModel } from '@tradewright/engine/live/retrain-model'
import type { TaskContext } from '../../workers/task.ts'
import { controlOf, portableModel, type TrainPayload } from './train-task.ts'

/** A compute task: the model of a deployment's next walk-forward window, where it is due. */
export function run(
  { request, data, choice, refit: question }: TrainPayload & { readonly refit: Refit },
  context: TaskContext,
) {
  const { refit, nextAt } = retrainModel(planBacktest(request), data, choice, question, controlOf(context))
  return { nextAt, model: refit && { ...portableModel(refit.trained), window: refit.window } }
}
