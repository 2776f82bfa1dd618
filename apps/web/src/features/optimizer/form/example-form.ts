import type { Feature, Target } from '@tradewright/contract/features'
import { defaultParams } from '../../../strategy-form/catalogue.ts'
import { starterFeatures, starterTarget } from '../../../strategy-form/starter-set.ts'
import { featureTypeOf } from './feature-ranges.ts'
import type { OptimizerForm } from './form.ts'

const TICKER = 'SPY'

/** Enough for a first run: whether SPY rises the next day, by a handful of features. The other settings stay. */
export function exampleChange(features: readonly Feature[], targets: readonly Target[]): Partial<OptimizerForm> {
  const target = starterTarget(targets)
  const params = target ? defaultParams(target.config.params_def) : {}
  return {
    targetTickers: TICKER,
    targetListId: '',
    target: target ? { id: target.id, params: 'ticker' in params ? { ...params, ticker: TICKER } : params } : null,
    featureTypes: starterFeatures(features).map((feature) => featureTypeOf(feature)),
  }
}
