import { learns } from '@tradewright/core/strategy-kinds'
import { Problem } from '@tradewright/core/problem'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { createHash } from 'node:crypto'
import type { Deployment, RetrainingSchedule, RunnableStrategy } from '../deployment.ts'

/** Whether its backtest refits its model, so that a deployment may do so. */
export const hasWalkForward = ({ request: { strategy }, model }: RunnableStrategy): boolean =>
  learns(strategy) && strategy.walkForward !== undefined && model !== undefined

/** The schedule that the backtest tested, unless another one was asked for. */
const defaultRetraining = (strategy: RunnableStrategy): RetrainingSchedule =>
  hasWalkForward(strategy) ? 'walk_forward' : 'never'

/** What was asked for, or else the schedule before; the backtest's own where there was none. */
export function chosenRetraining(
  strategy: RunnableStrategy,
  asked: RetrainingSchedule | undefined,
  before = defaultRetraining(strategy),
): RetrainingSchedule {
  if (asked === 'walk_forward' && !hasWalkForward(strategy)) {
    const sentence = 'The strategy has no walk-forward windows, so there is no schedule for retraining its model.'
    throw new Problem('invalid', 'deployment.retraining', sentence)
  }
  return hasWalkForward(strategy) ? (asked ?? before) : 'never'
}

type Trained = Pick<Deployment, 'strategy' | 'settings'>

export const retrainingOf = ({ strategy, settings }: Trained): RetrainingSchedule =>
  settings.retraining === 'walk_forward' && hasWalkForward(strategy) ? 'walk_forward' : 'never'

export const isRetrained = (deployment: Trained): boolean => retrainingOf(deployment) === 'walk_forward'

/** What is predicted and held, however its model is trained. */
export const withoutWindows = (strategy: BacktestRequest['strategy']): BacktestRequest['strategy'] =>
  learns(strategy) ? { ...strategy, walkForward: undefined } : strategy

/** The inputs of a model: a change of any of them makes the stored ones another strategy's. */
export function recipeOf(deployment: Trained): string {
  const { request, model } = deployment.strategy
  const isWindowed = isRetrained(deployment)
  const strategy = isWindowed ? request.strategy : withoutWindows(request.strategy)
  // Windows of walk-forward are percentages of the backtest's range; training mode and dates are for a single model.
  const range = isWindowed ? ['walk_forward', request.from, request.to] : [deployment.settings.training]
  const text = JSON.stringify([strategy, model, request.seed, request.granularity, ...range])
  return createHash('sha256').update(text).digest('hex')
}
