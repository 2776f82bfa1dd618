import { dateOf } from '@tradewright/core/time'
import { defaultForestSettings } from '@tradewright/engine/models/settings'
import { planSearch } from '@tradewright/engine/optimizer/plan'
import { prepareSearch, type PreparedSearch } from '@tradewright/engine/optimizer/prepare'
import { reportSearch, type SearchReport } from '@tradewright/engine/optimizer/report'
import type { SearchRequest } from '@tradewright/engine/optimizer/request'
import { evaluateHere, rulesOf, runSearch, type Generation } from '@tradewright/engine/optimizer/search'
import { poolEvaluator } from '../../apps/server/src/optimizer/evaluators.ts'
import type { ComputePool } from '../../apps/server/src/workers/compute-pool.ts'
import type { tasks } from '../../apps/server/src/workers/tasks.ts'
import { sampleData } from '../backtest/sample-data.ts'

const range = { from: dateOf('2022-01-03'), to: dateOf('2023-12-29') }
const related = ['QQQ', 'TLT', 'GLD', 'BTC-USD']

/** The form as it opens, on two years of days: population 50, 20 generations, 100 trees, 200 candidate columns. */
export const defaultRequest = (walkForward: SearchRequest['walkForward']): SearchRequest => ({
  ...range,
  granularity: '1d',
  seed: 42,
  targets: [{ asset: 'SPY', selection: { id: 1, params: { ticker: 'SPY' } }, relatedAssets: related }],
  features: ['percent_change', 'sma', 'ema', 'price_sma_ratio', 'rsi', 'volatility', 'z_score', 'momentum'].map(
    (feature) => ({ feature, choices: {} }),
  ),
  windowSizes: [5, 10, 14, 20, 30],
  seedFeatures: [],
  buy: [],
  sell: [],
  model: { kind: 'forest', settings: defaultForestSettings },
  trainPct: 70,
  walkForward,
  fitness: { metric: 'accuracy', mode: 'mean_only', variancePenalty: 0.5, varianceExponent: 1 },
  breeding: { populationSize: 50, generations: 20, mutationRate: 0.1, maxFeatures: 10 },
  earlyStopping: undefined,
  allowMixedPrices: false,
  endedTicker: 'stop',
  replacementTicker: undefined,
  holdOutPct: 15,
})

const data = sampleData(['SPY', ...related, 'TB3MS'], range, '1d')

export interface FinishedRun {
  readonly prepared: PreparedSearch
  readonly history: readonly Generation[]
  readonly report: SearchReport
}

/** Everything after the prices are there: features, breeding, evaluations, the winner's judgement. */
export async function runDefault(
  request: SearchRequest,
  pool: ComputePool<typeof tasks> | undefined,
): Promise<FinishedRun> {
  const plan = planSearch(request)
  const prepared = prepareSearch(plan, data)
  const onPool = pool && poolEvaluator(pool, { request, prepared })
  const options = { userId: 1, signal: new AbortController().signal, onProgress: () => undefined }
  const history = await runSearch(plan, prepared, {
    evaluateAll: async (individuals) =>
      onPool ? onPool(individuals, options) : evaluateHere(plan, prepared, individuals),
  })
  return { prepared, history, report: await reportSearch(prepared.searches, rulesOf(plan), history) }
}
