import { learns } from '@tradewright/core/strategy-kinds'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { type BacktestPlan, planBacktest } from '@tradewright/engine/backtest/plan'
import type { BacktestProgress } from '@tradewright/engine/backtest/progress'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { runBacktest } from '@tradewright/engine/backtest/run-backtest'
import type { Feature, Target } from '@tradewright/engine/features/feature'
import type { Planned } from '@tradewright/engine/features/catalogue'
import type { ModelChoice } from '@tradewright/engine/models/settings'
import type { TaskContext } from '../workers/task.ts'
import { learnerOn } from './learner-on.ts'
import type { RunOutcome, UsedSelection } from './report.ts'
import { digestOfRun } from './passport/run-digest.ts'
import { stored } from './stored.ts'

/** A compute task: the whole run on one thread, the same figures on any. */
interface RunPayload {
  readonly request: BacktestRequest
  readonly model: ModelChoice | undefined
  readonly data: MarketData
}

export async function run({ request, model, data }: RunPayload, context: TaskContext): Promise<RunOutcome> {
  const plan = planBacktest(request)
  const learn = model && learnerOn(context, model)
  const result = await runBacktest(plan, data, learn, {
    onProgress: (progress) => context.reportProgress(fractionOf(progress), noteOf(progress)),
    signal: {
      get aborted() {
        return context.isCancelled()
      },
    },
  })
  return { result: stored(result), digest: digestOfRun(data, result), ...usedSelections(plan) }
}

function usedSelections({ strategy }: BacktestPlan): Pick<RunOutcome, 'features' | 'target'> {
  if (!learns(strategy)) return { features: [], target: null }
  return { features: strategy.features.map(usedSelection), target: usedSelection(strategy.target) }
}

const usedSelection = ({ definition, label, values }: Planned<Feature | Target>): UsedSelection => ({
  id: definition.id,
  name: definition.name,
  label,
  params: values.toRecord(),
})

/** Training is most of the work of a run that trains. */
function fractionOf(progress: BacktestProgress): number {
  if (progress.stage === 'features') return 0.2 * (progress.done / progress.total)
  if (progress.stage === 'training') return 0.2 + 0.75 * (progress.done / progress.total)
  return 0.95
}

function noteOf(progress: BacktestProgress): string {
  if (progress.stage === 'simulation') return 'Simulating trades'
  const number = Math.min(progress.done + 1, progress.total)
  if (progress.stage === 'features') return `Computing features (${number} of ${progress.total})`
  return progress.total === 1 ? 'Training the model' : `Training window ${number} of ${progress.total}`
}
